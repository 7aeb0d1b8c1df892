/** Bytes of one item; what is longer is told as too long, and never held. */
const MOST_BYTES = 200_000_000;
/** Objects and arrays in one another in which items are looked for. */
const DEEPEST = 3;
/** Bytes of a key that is read. */
const LONGEST_KEY = 200;

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

type Bytes = Uint8Array<ArrayBuffer>;

/** An object or an array at one of the paths, or what is to be said of it. `read`: bytes of the text up to its end. */
export type Item = { path: string; read: number } & (
  | { type: 'value'; value: unknown }
  | { type: 'broken' | 'too_long' }
);

/**
 * Objects and arrays out of a JSON text of any length, of which no more than one is held. Only where each begins and ends
 * is found here, the rest is for `JSON.parse`: so it is several times as fast as a parser in JavaScript.
 * @param paths such as `*` for what an array holds, `chats.*` for what an array under a key holds, `chats` for that itself
 * @returns whether the text ended where JSON ends; false for one that was cut off, or is none
 */
export async function* jsonItems(
  chunks: AsyncIterable<Bytes>,
  paths: readonly string[],
): AsyncGenerator<Item, boolean> {
  const scanner = createScanner(new Set(paths));
  for await (const chunk of chunks) yield* scanner.scan(chunk);
  return scanner.isWhole();
}

function createScanner(wanted: ReadonlySet<string>) {
  /** What is open: for an array `*`, for an object the key whose value comes next; no deeper than `DEEPEST`. */
  const open: { isObject: boolean; name: string }[] = [];
  let depth = 0;
  let hasBegun = false;
  let isInString = false;
  /** Backslashes right before the next byte. */
  let slashes = 0;
  /** The key that is being read; null where none can stand. */
  let key: number[] | null = null;
  let item: { path: string; depth: number; parts: Bytes[]; size: number } | null = null;
  /** Bytes of the chunks before. */
  let before = 0;

  function* scan(chunk: Bytes): Generator<Item> {
    /** Where the part of the item in this chunk begins. */
    let from = 0;
    let at = 0;
    while (at < chunk.length) {
      if (isInString) {
        at = readString(chunk, at);
        continue;
      }
      const byte = chunk[at++];
      if (byte === QUOTE) isInString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        if (begin(byte === OPEN_OBJECT)) from = at - 1;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        const ended = end(chunk.subarray(from, at), before + at);
        if (ended) yield ended;
      } else if (byte === COMMA) expectKey();
      else if (byte === COLON) key = null;
    }
    if (item) keep(item, chunk.subarray(from));
    before += chunk.length;
  }

  /** @returns behind the string, or behind what of it this chunk holds */
  function readString(chunk: Bytes, start: number): number {
    const quote = chunk.indexOf(QUOTE, start);
    const stop = quote === -1 ? chunk.length : quote;
    let run = 0;
    while (run < stop - start && chunk[stop - 1 - run] === BACKSLASH) run++;
    if (run === stop - start) run += slashes;
    if (key && key.length < LONGEST_KEY)
      key.push(...chunk.subarray(start, Math.min(stop, start + LONGEST_KEY)));
    const isOver = quote !== -1 && run % 2 === 0;
    slashes = quote === -1 ? run : 0;
    isInString = !isOver;
    if (isOver && key) nameNext(key);
    return stop + 1;
  }

  function nameNext(bytes: number[]): void {
    const innermost = open[depth - 1];
    if (innermost) innermost.name = new TextDecoder().decode(new Uint8Array(bytes));
    key = null;
  }

  function expectKey(): void {
    key = !item && depth <= DEEPEST && open[depth - 1]?.isObject ? [] : null;
  }

  /** @returns whether an item begins */
  function begin(isObject: boolean): boolean {
    hasBegun = true;
    depth++;
    if (item || depth > DEEPEST + 1) return false;
    const path = open
      .slice(0, depth - 1)
      .map(({ name }) => name)
      .join('.');
    if (wanted.has(path)) {
      item = { path, depth, parts: [], size: 0 };
      return true;
    }
    open[depth - 1] = { isObject, name: isObject ? '' : '*' };
    expectKey();
    return false;
  }

  function end(part: Bytes, read: number): Item | undefined {
    depth--;
    if (!item || depth >= item.depth) return undefined;
    keep(item, part);
    const { path, parts, size } = item;
    item = null;
    if (size > MOST_BYTES) return { type: 'too_long', path, read };
    try {
      return { type: 'value', path, read, value: JSON.parse(joined(parts, size)) };
    } catch {
      return { type: 'broken', path, read };
    }
  }

  return { scan, isWhole: () => hasBegun && depth === 0 && !isInString };
}

function keep(item: { parts: Bytes[]; size: number }, part: Bytes): void {
  item.size += part.length;
  if (item.size > MOST_BYTES) item.parts = [];
  else item.parts.push(part);
}

function joined(parts: Bytes[], size: number): string {
  const [only] = parts;
  if (parts.length === 1 && only) return new TextDecoder().decode(only);
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return new TextDecoder().decode(all);
}
