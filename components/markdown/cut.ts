/** From here on a paragraph is cut where nothing is open, and drawn in pieces. */
const SOFT = 400;
/** Here it is cut in any case, which bounds what one piece can cost. */
const HARD = 1600;
/** Characters of a picture that stands in the text itself; a longer one is text. */
const LONGEST_PICTURE = 256 * 1024;
const picture = /!\[[^\]\n]{0,300}\]\(data:image\/[a-z]{3,4};base64,[\w+/]*=*(?:\)|$)/y;

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
    let each = text[at] ?? '';
    if (each === '!') {
      const length = pictureAt(text, at);
      // It may go on.
      if (length > 0 && at + length === text.length) return -1;
      at += length;
      each = text[at] ?? '';
    }
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

/** How long the picture is that begins here, with its data, as far as it has come; 0 for none. */
function pictureAt(text: string, at: number): number {
  picture.lastIndex = at;
  const length = picture.exec(text)?.[0].length ?? 0;
  return length > LONGEST_PICTURE ? 0 : length;
}
