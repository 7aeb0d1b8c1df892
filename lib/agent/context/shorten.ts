/**
 * The text's beginning and end (3:1), with `marker` in between, when it is longer than `limit` bytes of UTF-8; else the
 * text itself. Never cuts inside a code point.
 * @param limit bytes, of the two parts together
 * @param marker told where what is left out begins and ends, as indexes into the text
 */
export function shorten(
  text: string,
  limit: number,
  marker: (left: { from: number; to: number }) => string,
): string {
  if (!isLonger(text, limit)) return text;
  const from = headEnd(text, Math.floor((limit * 3) / 4));
  const to = tailStart(text, Math.floor(limit / 4));
  return text.slice(0, from) + marker({ from, to }) + text.slice(to);
}

/** The first `most` UTF-16 units, less half of a character that takes two of them. */
export const beginning = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '');

/** Whether the text takes more than `limit` bytes of UTF-8. */
export function isLonger(text: string, limit: number): boolean {
  // A UTF-16 unit takes one to three bytes, so most texts need no counting.
  if (text.length * 3 <= limit) return false;
  return text.length > limit || byteLength(text) > limit;
}

/** Bytes of UTF-8 that the text takes. */
export function byteLength(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += unitsAt(text, at)) bytes += bytesOf(text.codePointAt(at) ?? 0);
  return bytes;
}

function headEnd(text: string, limit: number): number {
  let at = 0;
  for (let bytes = 0; at < text.length; at += unitsAt(text, at)) {
    bytes += bytesOf(text.codePointAt(at) ?? 0);
    if (bytes > limit) break;
  }
  return at;
}

function tailStart(text: string, limit: number): number {
  let at = text.length;
  for (let bytes = 0; at > 0;) {
    const before = at >= 2 && unitsAt(text, at - 2) === 2 ? at - 2 : at - 1;
    bytes += bytesOf(text.codePointAt(before) ?? 0);
    if (bytes > limit) break;
    at = before;
  }
  return at;
}

function unitsAt(text: string, at: number): 1 | 2 {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
