import type { ErrorWords, WireError } from '../types/error.ts';

/** Nested deeper than this JSON is shown as it came: its indentation would be longer than it. */
const DEEPEST = 50;

/**
 * What nobody sees, or what changes the order in which the rest is read: controls other than tab and line ends, format
 * characters (bidi, zero-width, tags), separators and blank fillers. What joins or styles a pictograph may stay.
 */
const HIDDEN =
  /(?![\t\n]|\r\n|(?<=\p{Extended_Pictographic})\ufe0f|(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic}))[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The text with its hidden characters written as `\uXXXX`, which is the same value inside a JSON string. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (hidden) =>
    [...Array(hidden.length).keys()]
      .map((unit) => `\\u${hidden.charCodeAt(unit).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** What a person is told of an error, parts of which a server may have written. */
export function visibleError({ message, cause, fix }: WireError): ErrorWords {
  return {
    message: visible(message),
    ...(cause !== undefined && { cause: visible(cause) }),
    ...(fix !== undefined && { fix: visible(fix) }),
  };
}

/**
 * JSON objects and lists indented by two, any other text as it is; without hidden characters. Numbers are shown as they
 * were written, not as JavaScript would round them, and a key that comes twice comes twice.
 */
export function pretty(text: string): string {
  return visible(indented(text) ?? text);
}

/** Undefined for what is no JSON object or list, or nested too deeply. */
function indented(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
  } catch {
    return undefined; // other text
  }
  let depth = 0;
  let before = '';
  let shown = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[^\s"[\]{}:,]+|[[\]{}:,]/g)) {
    const closes = token === ']' || token === '}';
    const opened = before === '[' || before === '{';
    if (closes) depth -= 1;
    if (closes ? !opened : opened || before === ',') shown += line();
    if (token === '[' || token === '{') depth += 1;
    if (depth > DEEPEST) return undefined;
    shown += token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token;
    if (token === ':') shown += ' ';
    before = token;
  }
  return shown;
}
