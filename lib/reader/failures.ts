import { AppError } from '../errors.ts';
import type { ErrorWords } from '../types/error.ts';
import type { Failure } from '../unreadable.ts';
import { t } from '../../locales/texts/errors.ts';
import { units } from '../../locales/units.ts';

/** What the user is told of what was not read. @param name of the file */
export function errorOf(failure: Failure, name: string): AppError {
  const isLarge = /^(?:tooLarge|tooLong|inflated)$/.test(failure.why);
  return new AppError({ code: isLarge ? 'file_too_large' : 'file_unreadable', ...wordsOf(failure, name) });
}

function wordsOf(failure: Failure, name: string): ErrorWords {
  switch (failure.why) {
    case 'empty':
    case 'unopened':
    case 'locked':
      return t(($) => $.errors.files[failure.why]);
    case 'noText':
      return t(($) => $.errors.files.noText, failure);
    case 'misnamed':
      return t(($) => $.errors.files.misnamed, failure);
    case 'tooLong':
      return t(($) => $.errors.files.tooLong, failure);
    case 'slow':
      return t(($) => $.errors.files.slow, failure);
    case 'tooLarge':
      return tooLarge(failure);
    case 'inflated': {
      const most = units.bytes(failure.most);
      const words = tooLarge({ kind: 'docx', size: 0, most: failure.most });
      return { ...words, cause: t(($) => $.errors.files.inflated, { most }) };
    }
    case 'broken':
      return { ...t(($) => $.errors.files.broken, failure), cause: failure.cause };
    case 'noCanvas':
      return {
        ...t(($) => $.errors.files.broken, { kind: 'picture' }),
        cause: t(($) => $.errors.files.noCanvas),
      };
    default:
      return {
        message: t(($) => $.errors.files.unknownKind),
        fix: t(($) => $.errors.files.ways[wayFor(name)]),
      };
  }
}

const tooLarge = ({
  kind,
  size,
  most,
}: Pick<Extract<Failure, { why: 'tooLarge' }>, 'kind' | 'size' | 'most'>) =>
  t(($) => $.errors.files.tooLarge, { kind, size: units.bytes(size), most: units.bytes(most) });

/** What other kinds can be turned into, by the end of the name. */
const ways: [RegExp, keyof Texts.Errors['errors']['files']['ways']][] = [
  [/\.docx$/i, 'docx'],
  [/\.(docm?|odt|rtf|pages)$/i, 'document'],
  [/\.(xls[xmb]?|ods|numbers)$/i, 'sheet'],
  [/\.(ppt[xm]?|odp|key|epub)$/i, 'pdf'],
  [/\.(zip|gz|tar|7z|rar)$/i, 'archive'],
];

const wayFor = (name: string) => ways.find(([pattern]) => pattern.test(name))?.[1] ?? 'any';
