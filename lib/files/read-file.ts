import type { FileContent } from './kind.ts';
import { empty, misnamed, tooLarge, unknownKind, unopened } from './failures.ts';
import { kindOf, type FileKind } from './kind.ts';
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

/** The ends of names of what Portside reads otherwise: what is called that and holds text is not what the user thinks. */
const NO_TEXT = /\.(png|jpe?g|gif|webp|pdf|docx)$/i;

/**
 * What a model can read of a file: its text, or the picture that it is. Nothing leaves the page; the libraries for PDF
 * and DOCX are loaded when the first such file comes.
 * @throws AppError `file_unreadable`, `file_too_large`; whatever `signal` is aborted with
 */
export async function readFile(file: File, signal: AbortSignal): Promise<FileContent> {
  if (file.size === 0) throw empty();
  const kind = kindOf(file, await head(file));
  if (!kind) throw unknownKind(file.name);
  const [, ending] = (kind === 'text' && NO_TEXT.exec(file.name)) || [];
  if (ending !== undefined) throw misnamed(ending.toLowerCase());
  if (file.size > MOST_BYTES[kind]) throw tooLarge(kind, file.size, MOST_BYTES[kind]);
  signal.throwIfAborted();
  const content = await readers[kind](file, signal);
  signal.throwIfAborted();
  return content;
}

async function head(file: File): Promise<Uint8Array> {
  try {
    return new Uint8Array(await file.slice(0, HEAD).arrayBuffer());
  } catch (error) {
    throw unopened(error);
  }
}

const readers: Record<FileKind, (file: File, signal: AbortSignal) => Promise<FileContent>> = {
  text: readText,
  picture: async (file) => (await import('./picture.ts')).readPicture(file),
  pdf: async (file, signal) => (await import('./pdf.ts')).readPdf(file, signal),
  docx: async (file) => (await import('./docx.ts')).readDocx(file),
};
