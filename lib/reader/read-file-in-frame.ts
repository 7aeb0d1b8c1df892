import type { FileContent } from '../files/kind.ts';
import { readFile as readWith } from '../files/read-file.ts';
import { Unreadable } from '../unreadable.ts';
import { errorOf } from './failures.ts';
import { readInFrame } from './frame.ts';

/**
 * What a model can read of a file: its text, or the picture that it is.
 * @throws AppError `file_unreadable`, `file_too_large`; whatever `signal` is aborted with
 */
export async function readFile(file: File, signal: AbortSignal): Promise<FileContent> {
  const inFrame = async (found: File): Promise<FileContent> => {
    const outcome = await readInFrame({ type: 'file', file: found }, signal);
    if (!outcome.ok) throw new Unreadable(outcome.failure);
    const { text, pictures, mimeType = 'text/plain' } = outcome.content;
    return { text, mimeType, ...(pictures && { pictures }) };
  };
  try {
    return await readWith(file, { picture: inFrame, pdf: inFrame, docx: inFrame });
  } catch (error) {
    throw error instanceof Unreadable ? errorOf(error.failure, file.name) : error;
  }
}
