/** What a file of weights says of itself. */
export type GgufFacts = {
  name?: string;
  /** As its maker wrote it, such as `apache-2.0`. */
  licence?: string;
  /** Tokens that it was made to read. */
  context?: number;
};

/** Bytes of each type of value by its number; a string and an array say their own. */
const SIZES = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8];
/** “GGUF”. */
const MAGIC = 0x47_47_55_46;
const UINT32 = 4;
const STRING = 8;
const ARRAY = 9;
const LONGEST = 200;

/**
 * Reads the beginning of a GGUF file, as far as it goes: makers write what is wanted before the long lists.
 * https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 * @returns undefined when this is no such file
 */
export function readGguf(start: ArrayBuffer): GgufFacts | undefined {
  const view = new DataView(start);
  let at = 8;
  const length = (): number => {
    at += 8;
    return Number(view.getBigUint64(at - 8, true));
  };
  const text = (): string => {
    const bytes = new Uint8Array(start, at + 8, length());
    at += bytes.length;
    return new TextDecoder().decode(bytes);
  };
  const value = (type: number): string | number | undefined => {
    if (type === STRING) return text();
    const from = at;
    at += SIZES[type] ?? Infinity;
    return type === UINT32 ? view.getUint32(from, true) : undefined;
  };
  const facts: GgufFacts = {};
  const take = (key: string, found: string | number | undefined): void => {
    if (key.endsWith('.context_length') && typeof found === 'number') facts.context = found;
    if (typeof found !== 'string') return;
    if (key === 'general.name') facts.name = found.slice(0, LONGEST);
    if (key === 'general.license') facts.licence = found.slice(0, LONGEST);
  };
  try {
    if (start.byteLength < 24 || view.getUint32(0, false) !== MAGIC) return undefined;
    length();
    for (let left = length(); left > 0; left -= 1) {
      const key = text();
      const type = view.getUint32(at, true);
      at += 4;
      if (type !== ARRAY) {
        take(key, value(type));
        continue;
      }
      const inner = view.getUint32(at, true);
      at += 4;
      const count = length();
      if (inner === STRING) for (let index = 0; index < count; index += 1) text();
      else at += count * (SIZES[inner] || Infinity);
    }
  } catch (error) {
    // It goes on behind these bytes, or says something that isn't so.
    if (!(error instanceof RangeError)) throw error;
  }
  return facts;
}
