import { AppError } from '../../../lib/errors.ts';
import type { ErrorWords } from '../../../lib/types/error.ts';
import type { FrontPart } from '../../../lib/types/page.ts';
import { t } from '../../../locales/texts/errors.ts';

export const unreadable = (code: string, words: ErrorWords): AppError =>
  new AppError({ code, retryable: !/^page_(closed|private)$/.test(code), ...words });

export const nothingToRead = (part: FrontPart): AppError =>
  unreadable(
    'nothing_read',
    t(($) => $.errors.page.nothing[part]),
  );

export const tabClosed = (): AppError =>
  unreadable(
    'page_closed',
    t(($) => $.errors.page.closed),
  );

export const tabGone = (): AppError =>
  unreadable(
    'page_gone',
    t(($) => $.errors.page.gone),
  );

/** For a tab that neither Portside nor a model may look into. */
export const privateTab = (): AppError =>
  unreadable(
    'page_private',
    t(($) => $.errors.page.ofUser),
  );
