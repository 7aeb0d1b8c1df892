/** Characters that take no place and can't be seen: zero-width ones, tags, directions, fillers, variation selectors. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}+/gu;
/** What joins letters and emoji, or says how one of them looks, where it stands alone. */
const JOINS: ReadonlySet<string> = new Set(['\u200C', '\u200D', '\uFE0E', '\uFE0F']);
/** A quick look: most texts hold nothing beyond scripts that have no such characters. */
const SUSPECT =
  /[^\0-\u00AC\u00AE-\u02FF\u0370-\u061B\u061D-\u10FF\u2010-\u2027\u2030-\u205E\u2070-\u3163\u3165-\uD7FF]/;
const SOFT_HYPHEN = '\u00AD';

/** The text without such characters, and how many they were. */
export function withoutUnseen(text: string): { text: string; hidden: number } {
  if (!SUSPECT.test(text)) return { text, hidden: 0 };
  let hidden = 0;
  const seen = text.replace(UNSEEN, (found) => {
    if (JOINS.has(found)) return found;
    if (found !== SOFT_HYPHEN) hidden += [...found].length;
    return '';
  });
  return { text: seen, hidden };
}
