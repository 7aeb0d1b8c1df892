import type { Picture } from '../../types/picture.ts';

/** Characters of base64; what the strictest of the large providers takes. */
const MAX_PICTURE = 5 * 1024 * 1024;

/** The kinds of pictures that models take, by how they begin in base64. */
const KINDS: readonly { mimeType: string; begins: RegExp }[] = [
  { mimeType: 'image/png', begins: /^iVBORw0KGgo/ },
  { mimeType: 'image/jpeg', begins: /^\/9j\// },
  { mimeType: 'image/gif', begins: /^R0lGOD(dh|lh)/ },
  // "RIFF", the size, "WEBP"
  { mimeType: 'image/webp', begins: /^UklGR[g-v].{5}XRUJQ/ },
];

/**
 * Of these pictures those that a provider will take, and a line for each of the others: one that is refused would make
 * every later request of the chat fail. A picture is what its bytes say, whatever the server calls it.
 */
export function readPictures(given: Picture[]): { pictures: Picture[]; notes: string[] } {
  const pictures: Picture[] = [];
  const notes: string[] = [];
  for (const picture of given) {
    const data = picture.data.replaceAll(/\s/g, '');
    const kind = KINDS.find(({ begins }) => begins.test(data));
    if (data.length > MAX_PICTURE) notes.push(note('it is larger than 5 MB'));
    else if (!kind || !isBase64(data)) notes.push(note('it is no whole PNG, JPEG, GIF or WebP picture'));
    else pictures.push({ data, mimeType: kind.mimeType });
  }
  return { pictures, notes };
}

function isBase64(data: string): boolean {
  return data.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(data.replace(/={1,2}$/, ''));
}

function note(why: string): string {
  return `(A picture could not be used: ${why}.)`;
}
