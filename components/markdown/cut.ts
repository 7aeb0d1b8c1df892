/** From here on a paragraph is cut where nothing is open, and drawn in pieces. */
export const SOFT = 400;
/** Here it is cut in any case, which bounds what one piece can cost. */
const HARD = 1600;
/** Characters of a picture that stands in the text itself; a longer one is text. */
const LONGEST_PICTURE = 256 * 1024;
const picture = /!\[[^\]\n]{0,300}\]\(data:image\/[a-z]{3,4};base64,[\w+/]*=*(?:\)|$)/y;

/**
 * Where to cut the beginning off a long paragraph so that both parts read as the whole did, or -1: before a word, since a
 * mark at the beginning of a part could start another block. Depends only on what stands before the cut and the character
 * after it.
 */
export function cutAt(text: string): number {
  if (text.length <= SOFT) return -1;
  const count = { '*': 0, _: 0, '~': 0, '`': 0, $: 0, '[': 0, '<': 0, '(': 0 };
  let word = -1;
  for (let at = 0; at < text.length; at++) {
    let each = text[at] ?? '';
    if (each === '!') {
      const length = pictureAt(text, at);
      // It may go on.
      if (length > 0 && at + length === text.length) return -1;
      at += length;
      each = text[at] ?? '';
    }
    if (at >= HARD) return word > 0 ? word : at - (/[\udc00-\udfff]/.test(each) ? 1 : 0);
    if (at >= SOFT && /\s/.test(text[at - 1] ?? '') && /\p{L}/u.test(each)) {
      if (Object.values(count).every((open) => open === 0)) return at;
      word = at;
    }
    if (each === '\\') at += 1;
    else if (each === '>') count['<'] = 0;
    else if (each === ']') count['['] = Math.max(0, count['['] - 1);
    else if (each === ')') count['('] = Math.max(0, count['('] - 1);
    else if (each === '[' || each === '<' || each === '(') count[each] += 1;
    else if (each in count) count[each as '*'] ^= 1;
  }
  return -1;
}

/** How long the picture is that begins here, with its data, as far as it has come; 0 for none. */
function pictureAt(text: string, at: number): number {
  picture.lastIndex = at;
  const length = picture.exec(text)?.[0].length ?? 0;
  return length > LONGEST_PICTURE ? 0 : length;
}
