import * as fileErrors from '../../locales/errors/files.ts';
import { AppError } from '../errors.ts';
import type { ErrorWords } from '../types/error.ts';
import type { FileKind } from './kind.ts';

const unreadable = (words: ErrorWords): AppError => new AppError({ code: 'file_unreadable', ...words });

export const empty = (): AppError => unreadable(fileErrors.empty);

export function broken(kind: FileKind, error: unknown): AppError {
  const cause = error instanceof Error ? error.message : String(error);
  return unreadable({ ...fileErrors.broken(kind), cause });
}

/** Not even its beginning can be read. */
export const unopened = (error: unknown): AppError =>
  unreadable({ ...fileErrors.unopened, cause: error instanceof Error ? error.message : String(error) });

export const locked = (): AppError => unreadable(fileErrors.locked);

export const noText = (pages: number): AppError => unreadable(fileErrors.noText(pages));

export const misnamed = (ending: string): AppError => unreadable(fileErrors.misnamed(ending));

export const tooLarge = (kind: FileKind, size: number, most: number): AppError =>
  new AppError({ code: 'file_too_large', ...fileErrors.tooLarge(kind, size, most) });

export const tooLong = (length: number, most: number): AppError =>
  new AppError({ code: 'file_too_large', ...fileErrors.tooLong(length, most) });

/** What other kinds can be turned into, by the end of the name. */
const ways: [RegExp, string][] = [
  [/\.docx$/i, fileErrors.ways.docx],
  [/\.(docm?|odt|rtf|pages)$/i, fileErrors.ways.document],
  [/\.(xls[xmb]?|ods|numbers)$/i, fileErrors.ways.sheet],
  [/\.(ppt[xm]?|odp|key|epub)$/i, fileErrors.ways.pdf],
  [/\.(zip|gz|tar|7z|rar)$/i, fileErrors.ways.archive],
];

export function unknownKind(name: string): AppError {
  const fix = ways.find(([pattern]) => pattern.test(name))?.[1] ?? fileErrors.ways.any;
  return unreadable({ message: fileErrors.unknownKind, fix });
}
