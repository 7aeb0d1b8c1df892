import type { FileContent } from '../files/kind.ts';

/**
 * What a model can read of a file. What reads it is fetched when it is needed.
 * @throws AppError `file_unreadable`, `file_too_large`; whatever `signal` is aborted with
 */
export async function readFile(file: File, signal: AbortSignal): Promise<FileContent> {
  const { readFile: inFrame } = await import('../reader/read-file-in-frame.ts');
  return inFrame(file, signal);
}
