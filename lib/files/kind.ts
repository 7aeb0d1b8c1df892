import type { Picture } from '../types/picture.ts';

/** How a file is read. */
export const KINDS = ['text', 'picture', 'pdf', 'docx'] as const;
export type FileKind = (typeof KINDS)[number];

/**
 * Tells by its first bytes what a file is, since a name may say anything; undefined for what Portside can't read. Of
 * pictures the browser knows more kinds than have a signature here: it is asked to draw whatever calls itself one.
 */
export function kindOf({ name, type }: Pick<File, 'name' | 'type'>, head: Uint8Array): FileKind | undefined {
  const begins = latin(head.subarray(0, 1024));
  if (begins.includes('%PDF-')) return 'pdf';
  if (begins.startsWith('PK\u0003\u0004')) return isWord(name, head) ? 'docx' : undefined;
  if (/^(\u0089PNG\r\n|\u00ff\u00d8\u00ff|GIF8|RIFF[^]{4}WEBP)/.test(begins)) return 'picture';
  if (isText(head)) return 'text';
  return type.startsWith('image/') ? 'picture' : undefined;
}

/** A zip archive whose parts are those of a text document. */
const isWord = (name: string, head: Uint8Array): boolean =>
  latin(head).includes('word/') || /\.do[ct][xm]$/i.test(name);

/** UTF-16 by its byte order mark; in all else no byte of a text is 0, and few are controls. */
function isText(head: Uint8Array): boolean {
  if (encodingByMark(head)?.startsWith('utf-16')) return true;
  const controls = head.reduce((count, byte) => count + Number(isControl(byte)), 0);
  return !head.includes(0) && controls <= head.length / 100;
}

/** Other than tab, line ends, form feed, and the escape that colours a terminal's log. */
const isControl = (byte: number): boolean => byte < 32 && !(byte >= 9 && byte <= 13) && byte !== 27;

/** The encoding that a byte order mark names (WHATWG Encoding, 6.1). */
export function encodingByMark([first, second, third]: Uint8Array):
  | 'utf-8'
  | 'utf-16le'
  | 'utf-16be'
  | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

const latin = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
};

/** What a model gets of a file. A picture comes without text, all else without pictures. */
export type FileContent = { text: string; pictures?: Picture[]; mimeType: string };

/** @throws Unreadable */
export type FileReader = (file: File) => Promise<FileContent>;
