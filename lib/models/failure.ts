import { AppError, toWire } from '../errors.ts';
import type { ModelTurn, WireError } from '../types.ts';
import { type Words, wordsForStatus } from './status-words.ts';

/** Why a request to a model did not end well, before it is put into words. `detail` is the other side's own. */
export type Failure =
  | { type: 'bad_url' }
  | { type: 'bad_key' }
  | { type: 'unreachable'; detail: string }
  | { type: 'status'; status: number; detail: string }
  /** A reply of status 200 that is no chat completion: HTML, other JSON, garbage. */
  | { type: 'not_a_model'; detail: string }
  /** An `{"error": …}` inside a reply of status 200. */
  | { type: 'stream_error'; detail: string }
  | { type: 'incomplete'; detail: string }
  | { type: 'empty'; finish: ModelTurn['finish'] }
  | { type: 'timeout'; ms: number }
  | { type: 'cancelled' };

/** Thrown inside this room only; it carries a failure to the one place that puts it into words. */
export class ModelFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.type);
    this.failure = failure;
  }
}

/** Who was asked. `apiKey` is here to be struck out of what others said. */
export type Asked = { baseUrl: string; apiKey?: string };

/** Puts a failure into words: who, what happened, what to do. The raw cause never holds the API key. */
export function describeFailure(failure: Failure, asked: Asked): WireError {
  const host = hostOf(asked.baseUrl);
  const words =
    failure.type === 'status'
      ? wordsForStatus(failure, host, Boolean(asked.apiKey))
      : failure.type === 'empty'
        ? EMPTY[failure.finish](host)
        : WORDS[failure.type](host, 'ms' in failure ? failure.ms : 0);
  const cause = causeOf(failure, asked.apiKey);
  return toWire(new AppError({ ...words, ...(cause !== '' && { cause }) }));
}

const WORDS: Record<Exclude<Failure['type'], 'status' | 'empty'>, (host: string, ms: number) => Words> = {
  bad_url: (host) => ({
    code: 'model_bad_url',
    message: `“${host}” is not an address that a model can be reached at.`,
    fix: 'Enter a base URL that begins with http:// or https://, such as http://127.0.0.1:11434/v1, and put no password in it.',
  }),
  bad_key: (host) => ({
    code: 'model_unauthorized',
    message: `The API key for ${host} holds characters that cannot be sent.`,
    fix: 'Copy the key again and enter it in Settings, Models.',
  }),
  unreachable: (host) => ({
    code: 'model_unreachable',
    message: `Portside could not reach ${host}.`,
    fix: 'Check your connection, that the model server is running, and the base URL in Settings, Models.',
    retryable: true,
  }),
  not_a_model: (host) => ({
    code: 'model_bad_reply',
    message: `${host} answered, but not as a chat model does.`,
    fix: 'Check the base URL in Settings, Models; it usually ends in /v1.',
  }),
  stream_error: (host) => ({
    code: 'model_failed',
    message: `${host} reported an error while it was answering.`,
    fix: 'Try again; if it keeps happening, choose another model.',
    retryable: true,
  }),
  incomplete: (host) => ({
    code: 'model_incomplete',
    message: `The answer from ${host} broke off before it was finished.`,
    fix: 'Try again.',
    retryable: true,
  }),
  timeout: (host, ms) => ({
    code: 'model_timeout',
    message: `${host} sent nothing for ${ms / 1000} s, so Portside stopped waiting.`,
    fix: 'Try again; if the model is slow to load, wait until it is ready.',
    retryable: true,
  }),
  cancelled: (host) => ({ code: 'cancelled', message: `The request to ${host} was stopped.` }),
};

const EMPTY: Record<ModelTurn['finish'], (host: string) => Words> = {
  stop: (host) => ({
    code: 'model_empty',
    message: `The model at ${host} gave an empty answer.`,
    fix: 'Try again, or choose another model.',
    retryable: true,
  }),
  length: (host) => ({
    code: 'model_empty',
    message: `The model at ${host} reached its output limit before it said anything.`,
    fix: 'Ask for something shorter, or raise the model’s output limit.',
  }),
  filtered: (host) => ({
    code: 'model_filtered',
    message: `The content filter of ${host} withheld the answer.`,
    fix: 'Put the question differently, or choose another model.',
  }),
};

/** One line of at most 300 characters. The key goes before the text is cut, lest half of it stay. */
function causeOf(failure: Failure, apiKey: string | undefined): string {
  const detail = 'detail' in failure ? failure.detail : '';
  const cause = failure.type === 'status' ? `HTTP ${failure.status}${detail && `, ${detail}`}` : detail;
  const key = apiKey?.trim();
  const line = (key ? cause.replaceAll(key, '•••') : cause).replaceAll(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

/** What to call the other side: its host, or what was typed where a URL should be. */
function hostOf(baseUrl: string): string {
  return URL.parse(baseUrl)?.host || baseUrl;
}
