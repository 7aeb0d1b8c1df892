/** Narrows what came over a wire; arrays are not records. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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
