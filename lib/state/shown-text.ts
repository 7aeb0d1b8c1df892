import { INVISIBLE } from '../invisible.ts';
import { isRecord, parseJson } from '../json.ts';
import type { ErrorWords } from '../types/error.ts';
import { t } from '../../locales/texts/shared.ts';

/** Nested deeper than this JSON is shown as it came: its indentation would be longer than it. */
const DEEPEST = 50;

/** Blanks that no browser folds into one: a few push what follows out of sight. A blank of Braille is one among its letters only. */
const PADDING =
  /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000][ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]{2,}|\u2800{2,}|(?<![\u2801-\u28ff])\u2800(?![\u2801-\u28ff])/g;

/** The text with its hidden characters and padding written as `\uXXXX`, which is the same value inside a JSON string. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, escaped).replace(PADDING, (run) => run.replaceAll(/[^ ]/g, escaped));
}

const escaped = (hidden: string): string =>
  [...Array(hidden.length).keys()]
    .map((unit) => `\\u${hidden.charCodeAt(unit).toString(16).padStart(4, '0')}`)
    .join('');

/** Characters of a name that others gave. */
const LONGEST_NAME = 40;
/** What no host and no single word has: some blanks are no white space, and a comma begins the next name. */
const OTHER_THAN_A_NAME = /[^\p{L}\p{M}\p{N}._:[\]-]/u;

/** What ends a quotation, or looks as if it did. */
const QUOTATION_MARKS = /[\p{QMark}`´ʺˮ״′-‷❛-❠]+/gu;

/** In quotation marks that nothing in it ends: what would stand behind them would be Portside's words. */
export const inQuotes = (text: string): string =>
  t(($) => $.quoted, { text: text.replaceAll(QUOTATION_MARKS, '’') });

/** A server, a page or a file may have a sentence for a name: only a host or a plain name stands without quotation marks. */
export function givenName(name: string): string {
  const shown = visible(name);
  const isPlain = !OTHER_THAN_A_NAME.test(shown);
  // A host says at its end whose it is.
  const cut = isPlain
    ? `…${shown.slice(1 - LONGEST_NAME)}`
    : `${shown.slice(0, LONGEST_NAME - 1).trimEnd()}…`;
  const text = shown.length > LONGEST_NAME ? cut : shown;
  return isPlain ? text : inQuotes(text);
}

/** Whether a name is no more than a host or one word. */
export const isBare = (name: string): boolean => !OTHER_THAN_A_NAME.test(visible(name));

/** A tool's name, whole where it is no more than that. */
export const plainName = (name: string): string => (isBare(name) ? visible(name) : givenName(name));

/** Chromium's and Firefox's only words for a server that was not reached, which the message says better. */
const SAYS_NOTHING =
  /^(?:TypeError: )?(?:Failed to fetch|NetworkError when attempting to fetch resource)\.?$/;

/** What a user is told of an error, parts of which a server may have written. */
export function visibleError({ message, cause, fix }: ErrorWords): ErrorWords {
  return {
    message: visible(message),
    ...(cause !== undefined && !SAYS_NOTHING.test(cause) && { cause: visible(cause) }),
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

export const JSON_TOKENS = /"(?:[^"\\]|\\.)*"|[^\s"[\]{}:,]+|[[\]{}:,]/g;

/**
 * The members of a JSON object, each value on one line, without escapes and hidden characters; undefined for what
 * is no object.
 */
export function members(text: string): { name: string; value: string }[] | undefined {
  if (!isRecord(parseJson(text))) return undefined;
  const found: { name: string; value: string }[] = [];
  let depth = 0;
  let isName = true;
  for (const [token] of text.matchAll(JSON_TOKENS)) {
    const opens = token === '{' || token === '[';
    if (!opens && (token === '}' || token === ']')) depth -= 1;
    if (depth === 1 && isName && token !== ',') {
      if (token === ':') isName = false;
      else found.push({ name: visible(String(JSON.parse(token))), value: '' });
    } else if (depth === 1 && token === ',') isName = true;
    else if (depth > 0) {
      const last = found.at(-1);
      const space = token === ',' || token === ':' ? ' ' : '';
      if (last) last.value += visible(token.startsWith('"') ? unescaped(token) : token) + space;
    }
    if (opens) depth += 1;
  }
  return found;
}

/** As a string reads that may be written in escapes alone. */
const unescaped = (token: string): string => JSON.stringify(JSON.parse(token));

/** Undefined for what is no JSON object or list, or nested too deeply. */
function indented(text: string): string | undefined {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null) return undefined;
  let depth = 0;
  let before = '';
  let shown = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [token] of text.matchAll(JSON_TOKENS)) {
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
