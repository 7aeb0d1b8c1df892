import type { WireError } from './types/error.ts';
import { t } from '../locales/texts/shared.ts';

/** An error a user can act on. `message` says what happened, `fix` what to do now. */
export class AppError extends Error {
  readonly code: string;
  readonly detail: string | undefined;
  readonly fix: string | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly redirectedTo: string | undefined;

  constructor(error: Omit<WireError, 'retryable'> & { retryable?: boolean }) {
    super(error.message);
    this.name = 'AppError';
    this.code = error.code;
    this.detail = error.cause;
    this.fix = error.fix;
    this.retryable = error.retryable ?? false;
    this.retryAfterMs = error.retryAfterMs;
    this.redirectedTo = error.redirectedTo;
  }
}

/**
 * Any thrown value as plain data. An unknown error keeps its own words as the cause, under a sentence that
 * says which part of Portside failed.
 */
export function toWire(error: unknown): WireError {
  if (error instanceof AppError) {
    return {
      code: error.code,
      message: error.message,
      retryable: error.retryable,
      ...(error.detail !== undefined && { cause: error.detail }),
      ...(error.fix !== undefined && { fix: error.fix }),
      ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
      ...(error.redirectedTo !== undefined && { redirectedTo: error.redirectedTo }),
    };
  }
  return {
    code: 'unexpected',
    ...t(($) => $.faults.unexpected),
    cause: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
    retryable: true,
  };
}

/** What happened and what to do now, as one text. */
export const sentencesOf = ({ message, fix }: Pick<WireError, 'message' | 'fix'>): string =>
  fix === undefined ? message : `${message} ${fix}`;

/** The other way: what came over a port, as something that can be thrown. */
export function fromWire(error: WireError): AppError {
  return new AppError(error);
}

/** The tool message's content for a call that failed: errors go to the model as JSON. */
export function errorForModel(text: string): string {
  return JSON.stringify({ isError: true, error: text });
}
