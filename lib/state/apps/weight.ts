/** Deeper than this nothing of a server or an app is read, either. */
const DEEPEST = 100;

/** Whether a value is no more than so many characters and parts, level by level: what it holds may go round in a circle. */
export function isLight(value: unknown, most: number): boolean {
  let level: unknown[] = [value];
  let weight = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: unknown[] = [];
    for (const each of level) {
      weight += typeof each === 'string' ? each.length : 1;
      if (weight > most || depth > DEEPEST) return false;
      if (ArrayBuffer.isView(each) || each instanceof ArrayBuffer || each instanceof Blob) return false;
      if (typeof each !== 'object' || each === null) continue;
      for (const [key, part] of Object.entries(each)) {
        weight += key.length;
        if (weight > most) return false;
        next.push(part);
      }
    }
    level = next;
  }
  return true;
}
