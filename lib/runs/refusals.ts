import { AppError } from '../errors.ts';
import { t } from '../../locales/texts/errors.ts';

/** Of what has to wait for the end of the conversation's run. */
export function runLive(): AppError {
  return new AppError({ code: 'run_live', ...t(($) => $.errors.chat.live) });
}

export function nothingToCompact(): AppError {
  return new AppError({ code: 'nothing_to_compact', ...t(($) => $.errors.chat.nothingToCompact) });
}

export function messageGone(): AppError {
  return new AppError({ code: 'no_message', ...t(($) => $.errors.chat.noMessage) });
}
