/** Deeper than this nothing of a server or an app is read, either. */
const DEEPEST = 100;
/** What no message has, though one can be sent with it: bytes, and a text that has each character for a part. */
const NO_DATA = [ArrayBuffer, Blob, String];

/** Whether a value is no more than so many characters and parts, level by level: what it holds may go round in a circle. */
export function isLight(value: unknown, most: number): boolean {
  let level: unknown[] = [value];
  let weight = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: unknown[] = [];
    for (const each of level) {
      weight += typeof each === 'string' ? each.length : 1;
      if (weight > most || depth > DEEPEST) return false;
      if (ArrayBuffer.isView(each) || NO_DATA.some((kind) => each instanceof kind)) return false;
      if (typeof each !== 'object' || each === null) continue;
      // Its entries may take far more memory than it does, and as JSON what it has none for.
      if (Array.isArray(each) && weight + each.length > most) return false;
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
