import { isRecord, parseJson } from '../../json.ts';

/** What is nested more deeply tells an app nothing, and a message can't carry it. */
const MOST_DEPTH = 100;

/** What a JSON object holds so far whose end is not written yet; undefined where nothing can be said of it. */
export function parseBegun(text: string): Record<string, unknown> | undefined {
  /** What closes all that is open. */
  let closing = '';
  let isText = false;
  /** All up to the last value that is whole. */
  let whole = '';
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (isText && letter === '\\') at += 1;
    else if (letter === '"') isText = !isText;
    else if (isText) continue;
    else if (letter === '{' || letter === '[') {
      closing = (letter === '{' ? '}' : ']') + closing;
      if (closing.length > MOST_DEPTH) return undefined;
      whole = text.slice(0, at + 1) + closing;
    } else if (letter === '}' || letter === ']') closing = closing.slice(1);
    else if (letter === ',') whole = text.slice(0, at) + closing;
  }
  const values = [text + (isText ? '"' : '') + closing, whole].map(parseJson);
  return values.find(isRecord);
}
