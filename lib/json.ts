/** Narrows what came over a wire; arrays are not records. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What should be a record, a list or a string, or an empty one in its place: others wrote it. */
export const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** The value of a JSON text, or undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The JSON text of what came over a wire; undefined when it is nested too deeply to be written down again. */
export function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/**
 * The texts in JSON data, in their order: names, and values with the name that they have or are listed under (`of`). Not by
 * recursion, which would copy each of them once for every level above it.
 */
export function textsIn(data: unknown): { text: string; of?: string }[] {
  const found: ReturnType<typeof textsIn> = [];
  const open: { part: unknown; of: string; isNamed: boolean }[] = [{ part: data, of: '', isNamed: false }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { part, of, isNamed } = next;
    if (isNamed) found.push({ text: of });
    if (typeof part === 'string') found.push({ text: part, of });
    if (typeof part !== 'object' || part === null) continue;
    const isList = Array.isArray(part);
    for (const [name, each] of Object.entries(part).toReversed())
      open.push({ part: each as unknown, of: isList ? of : name, isNamed: !isList });
  }
  return found;
}

/** True for the text of a whole JSON object: the arguments of a call can then go no further. */
export function isWholeObject(text: string): boolean {
  // Looking at the last character first keeps long streams of fragments from being parsed again and again.
  return text.trimEnd().endsWith('}') && isRecord(parseJson(text));
}

/** Encodings that are taken off a text; one was seen. */
const MAX_ENCODINGS = 4;

/**
 * The object, or nothing at all, in a text that was JSON-encoded as a string once or more; any other text as it is
 * (https://github.com/vllm-project/vllm/pull/54964).
 */
export function unquoted(text: string): string {
  let inner: unknown = text;
  for (let times = 0; times < MAX_ENCODINGS && isQuoted(inner); times++) inner = parseJson(inner);
  return typeof inner === 'string' && (inner.trim() === '' || isWholeObject(inner)) ? inner : text;
}

function isQuoted(value: unknown): value is string {
  return typeof value === 'string' && value.trimStart().startsWith('"');
}
