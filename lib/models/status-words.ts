import type { WireError } from '../types/error.ts';
import { readRefusal, type Refusal } from './refusal.ts';
import { saysTooLong } from './refusal-words.ts';

/** Code, sentence and fix; not retryable unless it says so. */
export type Words = Pick<WireError, 'code' | 'message' | 'fix'> & { retryable?: boolean };

type Row = (host: string, context: { hasKey: boolean; hasDetail: boolean }) => Words;

/**
 * What an HTTP status of a model server, and the code in its body, mean to a person.
 * @param hasKey whether a key was sent
 */
export function wordsForStatus(
  { status, detail, body }: { status: number; detail: string; body?: unknown },
  host: string,
  hasKey: boolean,
): Words {
  const refusal = readRefusal(status, body);
  const row = rowFor(status, refusal);
  return row(host, { hasKey, hasDetail: detail !== '' });
}

/** What the body says weighs more than the status. */
function rowFor(status: number, refusal: Refusal): Row {
  const known = Object.hasOwn(CODES, refusal.code) ? CODES[refusal.code] : undefined;
  if (known) return known;
  if (status !== 429 && saysTooLong(refusal)) return tooLong;
  return ROWS[status] ?? (status >= 500 ? serverError : rejected);
}

const rejected: Row = (host) => ({
  code: 'model_rejected',
  message: `${host} refused the request.`,
  fix: 'See what it said, then try another model or a new conversation.',
});

const unauthorized: Row = (host, { hasKey }) => ({
  code: 'model_unauthorized',
  message: hasKey ? `${host} did not accept the API key.` : `${host} wants an API key.`,
  fix: 'Enter a valid API key for this provider in Settings, Models.',
});

const payment: Row = (host) => ({
  code: 'model_payment',
  message: `${host} says that the account has no credit left.`,
  fix: 'Waiting does not help: add credit with the provider, or choose another model.',
});

/** Ollama answers an extension's Origin with an empty 403 (https://github.com/ollama/ollama/blob/main/docs/faq.mdx). */
const forbidden: Row = (host, { hasDetail }) => ({
  code: 'model_unauthorized',
  message: `${host} refused access.`,
  fix: hasDetail
    ? 'Check in Settings, Models that the API key may use this model.'
    : 'If this is Ollama, set OLLAMA_ORIGINS=chrome-extension://*,moz-extension://* and restart it; otherwise check the API key in Settings, Models.',
});

const notFound: Row = (host) => ({
  code: 'model_not_found',
  message: `${host} has nothing at this address, or does not have this model.`,
  fix: 'Check the base URL (it usually ends in /v1) and the name of the model in Settings, Models.',
});

const tooLong: Row = (host) => ({
  code: 'model_too_long',
  message: `The conversation is longer than ${host} accepts.`,
  fix: 'Start a new conversation, or choose a model with a larger context.',
});

const rateLimited: Row = (host) => ({
  code: 'model_rate_limited',
  message: `${host} is limiting how much you may ask.`,
  fix: 'Wait a moment and try again; if it goes on, check your quota with the provider.',
  retryable: true,
});

const serverError: Row = (host) => ({
  code: 'model_server_error',
  message: `${host} failed to answer.`,
  fix: 'Try again in a moment; if it keeps happening, look at the model server.',
  retryable: true,
});

const ROWS: Record<number, Row> = {
  401: unauthorized,
  402: payment,
  403: forbidden,
  404: notFound,
  405: notFound,
  408: serverError,
  409: serverError,
  413: tooLong,
  425: serverError,
  429: rateLimited,
};

/** Codes that say more than the status: OpenAI sends 429 for an empty account too. */
const CODES: Record<string, Row> = {
  insufficient_quota: payment,
  billing_hard_limit_reached: payment,
};
