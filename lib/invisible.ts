import { withoutControlTokens } from './control-tokens.ts';

/** Scripts whose letters are joined, or kept apart, by what has no width; a vowel sign may stand before it. */
const JOINING = [
  'Arab',
  'Syrc',
  'Mong',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
]
  .concat(['Sinh', 'Khmr', 'Mymr', 'Tibt', 'Nkoo'])
  .map((script) => `\\p{scx=${script}}`)
  .join('');

/** What stays: tabs and line ends, what styles or joins pictographs, joiners after letters that need them, signs of numbers. */
const STAYS = [
  '[\\t\\n\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2]',
  '\\r\\n',
  '(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]',
  '(?<=[0-9#*])\\ufe0f(?=\\u20e3)',
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
  `(?<=[${JOINING}])[\\u200c\\u200d]`,
].join('|');

/**
 * What is invisible, or what changes the order in which the rest is read: controls, format characters (bidi, zero-width,
 * tags, which spell ASCII), separators, blank fillers and variation selectors.
 */
export const INVISIBLE = new RegExp(
  `(?!${STAYS})[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]`,
  'gu',
);

/** The same in JSON, which writes most controls and half characters as escapes. */
const IN_JSON = new RegExp(`${INVISIBLE.source}|\\\\(?:[bf]|u[\\da-f]{4}|(.))`, 'gu');

/** Invisible too, but what follows stands on another line. */
const ENDS_LINE = /[\r\v\f\u0085\u2028\u2029]/;

/** The text without what is invisible, and how many characters that was; what ends a line becomes a line end. */
export function withoutInvisible(text: string): { text: string; invisible: number } {
  let invisible = 0;
  const seen = text.replace(INVISIBLE, (found) => {
    if (ENDS_LINE.test(found)) return '\n';
    invisible += 1;
    return '';
  });
  return { text: seen, invisible };
}

/** JSON data with all its texts like that. */
export const withoutInvisibleIn = <T>(data: T): T =>
  JSON.parse(JSON.stringify(data), (_key, value: unknown) =>
    typeof value === 'string' ? withoutInvisible(value).text : value,
  ) as T;

/** The same for a text that stands in no block: what was taken out is told at its end. */
export function visibleOnly(text: string): string {
  const seen = withoutInvisible(text);
  return seen.invisible === 0 ? text : seen.text + removed(seen.invisible);
}

/**
 * The same of a tool, told at the end of its description, and no control tokens in it. A parameter whose name changes by
 * that is none that its server takes; there is no honest reason for one.
 */
export function visibleDefinition<T extends { description: string; inputSchema: Record<string, unknown> }>(
  tool: T,
): T {
  const written = JSON.stringify(tool.inputSchema);
  const seen = withoutInvisible(tool.description);
  let { invisible } = seen;
  const schema = withoutControlTokens(
    written.replace(IN_JSON, (found, shown?: string) => {
      if (shown !== undefined) return found;
      invisible += 1;
      return '';
    }),
  );
  const description = withoutControlTokens(seen.text) + (invisible > 0 ? removed(invisible) : '');
  if (schema === written && description === tool.description) return tool;
  return { ...tool, description, inputSchema: JSON.parse(schema) as Record<string, unknown> };
}

const removed = (invisible: number): string => `\n[${invisible} invisible characters removed]`;
