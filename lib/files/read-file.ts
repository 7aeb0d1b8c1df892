import { Unreadable } from '../unreadable.ts';
import { type FileContent, type FileKind, type FileReader, kindOf } from './kind.ts';
import { MOST_CHARACTERS, readText } from './text.ts';

/** Bytes of a file of each kind. Characters take up to four bytes each; the others shrink before they are sent. */
const MOST_BYTES: Record<FileKind, number> = {
  text: 4 * MOST_CHARACTERS,
  picture: 50_000_000,
  pdf: 50_000_000,
  docx: 20_000_000,
};

/** Bytes that tell what a file is. */
const HEAD = 64 * 1024;

/** Endings of what is not read as text: a file with one that holds text is not what the user thinks. */
const NO_TEXT = /\.(png|jpe?g|gif|webp|pdf|docx)$/i;

/** What has a format; a text is decoded wherever it is. */
export type Readers = Record<Exclude<FileKind, 'text'>, FileReader>;

/** What a model can read of a file: its text, or the picture that it is. @throws Unreadable */
export async function readFile(file: File, readers: Readers): Promise<FileContent> {
  if (file.size === 0) throw new Unreadable({ why: 'empty' });
  const kind = kindOf(file, await head(file));
  if (!kind) throw new Unreadable({ why: 'unknownKind' });
  const [, ending] = (kind === 'text' && NO_TEXT.exec(file.name)) || [];
  if (ending !== undefined) throw new Unreadable({ why: 'misnamed', ending: ending.toLowerCase() });
  if (file.size > MOST_BYTES[kind])
    throw new Unreadable({ why: 'tooLarge', kind, size: file.size, most: MOST_BYTES[kind] });
  return kind === 'text' ? readText(file) : readers[kind](file);
}

async function head(file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
  } catch {
    throw new Unreadable({ why: 'unopened' });
  }
}
