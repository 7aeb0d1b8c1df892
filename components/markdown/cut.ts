/** From here on a paragraph is cut where nothing is open, and drawn in pieces. */
const SOFT = 400;
/** Here it is cut in any case, which bounds what one piece can cost. */
const HARD = 1600;
/** So many marks are as much work for the parser. */
const MARKS = 100;

/**
 * Where to cut the beginning off a long text so that both parts read as the whole did, or -1. Depends only on what
 * stands before the cut and the character after it.
 */
export function cutAt(text: string): number {
  if (text.length <= SOFT) return -1;
  const count = { '*': 0, _: 0, '~': 0, '`': 0, $: 0, '[': 0, '<': 0, '(': 0 };
  let space = -1;
  let marks = 0;
  for (let at = 0; at < text.length; at++) {
    const each = text[at] ?? '';
    if (at >= HARD || (at >= SOFT && marks >= MARKS))
      return space > 0 ? space : at - (isLowSurrogate(text, at) ? 1 : 0);
    const starts = at > 0 && isSpace(text[at - 1]) && !isSpace(each);
    if (starts && at >= SOFT) {
      if (Object.values(count).every((open) => open === 0)) return at;
      space = at;
    }
    if (each in count) marks += 1;
    if (each === '\\') at += 1;
    else if (each === ']') count['['] -= 1;
    else if (each === '>') count['<'] = 0;
    else if (each === ')') count['('] = Math.max(0, count['('] - 1);
    else if (each === '[' || each === '<' || each === '(') count[each] += 1;
    else if (each in count) count[each as '*'] ^= 1;
  }
  return -1;
}

const isSpace = (each: string | undefined): boolean => each === ' ' || each === '\n' || each === '\t';
const isLowSurrogate = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text[at] ?? '');
