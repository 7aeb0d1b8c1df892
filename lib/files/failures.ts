import { AppError } from '../errors.ts';
import type { ErrorWords } from '../types/error.ts';
import type { FileKind } from './kind.ts';
import { t } from '../../locales/texts/errors.ts';
import { units } from '../../locales/units.ts';

const unreadable = (words: ErrorWords): AppError => new AppError({ code: 'file_unreadable', ...words });

export const empty = (): AppError => unreadable(t(($) => $.errors.files.empty));

export function broken(kind: FileKind, error: unknown): AppError {
  const cause = error instanceof Error ? error.message : String(error);
  return unreadable({ ...t(($) => $.errors.files.broken, { kind }), cause });
}

/** Not even its beginning can be read. */
export const unopened = (error: unknown): AppError =>
  unreadable({
    ...t(($) => $.errors.files.unopened),
    cause: error instanceof Error ? error.message : String(error),
  });

export const locked = (): AppError => unreadable(t(($) => $.errors.files.locked));

export const noText = (pages: number): AppError => unreadable(t(($) => $.errors.files.noText, { pages }));

export const misnamed = (ending: string): AppError =>
  unreadable(t(($) => $.errors.files.misnamed, { ending }));

export const tooLarge = (kind: FileKind, size: number, most: number): AppError =>
  new AppError({
    code: 'file_too_large',
    ...t(($) => $.errors.files.tooLarge, { kind, size: units.bytes(size), most: units.bytes(most) }),
  });

export const tooLong = (length: number, most: number): AppError =>
  new AppError({ code: 'file_too_large', ...t(($) => $.errors.files.tooLong, { length, most }) });

/** What other kinds can be turned into, by the end of the name. */
const ways: [RegExp, keyof Texts.Errors['errors']['files']['ways']][] = [
  [/\.docx$/i, 'docx'],
  [/\.(docm?|odt|rtf|pages)$/i, 'document'],
  [/\.(xls[xmb]?|ods|numbers)$/i, 'sheet'],
  [/\.(ppt[xm]?|odp|key|epub)$/i, 'pdf'],
  [/\.(zip|gz|tar|7z|rar)$/i, 'archive'],
];

export function unknownKind(name: string): AppError {
  const way = ways.find(([pattern]) => pattern.test(name))?.[1] ?? 'any';
  return unreadable({
    message: t(($) => $.errors.files.unknownKind),
    fix: t(($) => $.errors.files.ways[way]),
  });
}
