import * as chatErrors from '../../locales/errors/chat.ts';
import { AppError } from '../errors.ts';

/** Of what has to wait for the end of the conversation's run. */
export function runLive(): AppError {
  return new AppError({ code: 'run_live', ...chatErrors.live });
}

export function nothingToCompact(): AppError {
  return new AppError({ code: 'nothing_to_compact', ...chatErrors.nothingToCompact });
}

export function messageGone(): AppError {
  return new AppError({ code: 'no_message', ...chatErrors.noMessage });
}
