import type { WireError } from '../../types/error.ts';
import type { ModelApi } from '../../types/model.ts';
import { API_NAMES } from '../../provider-presets.ts';
import { readRefusal, type Refusal } from './read-refusal.ts';
import { NO_ENDPOINT, saysTooLong } from './refusal-patterns.ts';
import { t } from '../../../locales/texts/errors.ts';

/** Code, sentence and fix; not retryable unless it says so. */
export type Words = Pick<WireError, 'code' | 'message' | 'fix'> & { retryable?: boolean };

type Context = { api: ModelApi; hasKey: boolean; hasDetail: boolean };
type Row = (host: string, context: Context) => Words;

/** What an HTTP status of a model server, and the code in its body, mean to a user. */
export function wordsForStatus(
  { status, detail, body }: { status: number; detail: string; body?: unknown },
  { host, ...asked }: { host: string } & Omit<Context, 'hasDetail'>,
): Words {
  const refusal = readRefusal(status, body);
  const row = rowFor(status, { ...refusal, message: refusal.message || detail });
  return row(host, { ...asked, hasDetail: detail !== '' });
}

/** What the body says weighs more than the status. */
function rowFor(status: number, refusal: Refusal): Row {
  const known = Object.hasOwn(CODES, refusal.code) ? CODES[refusal.code] : undefined;
  if (known) return known;
  if (status !== 429 && saysTooLong(refusal)) return tooLong;
  if (status === 405 || (status === 404 && saysNoEndpoint(refusal))) return wrongApi;
  return ROWS[status] ?? (status >= 500 ? serverError : rejected);
}

/** A server that does not have the model says so in much the same words. */
function saysNoEndpoint({ code, message }: Refusal): boolean {
  const words = `${code} ${message}`;
  return message === '' || (NO_ENDPOINT.test(words) && !/model/i.test(words));
}

/** There is no such API at this address. */
export const wrongApi = (
  host: string,
  { api }: { api: ModelApi },
): Pick<Words, 'code' | 'message' | 'fix'> => ({
  code: 'model_wrong_api',
  ...t(($) => $.errors.models.wrongApi, {
    host,
    api: API_NAMES[api],
    other: API_NAMES[api === 'chat' ? 'responses' : 'chat'],
  }),
});

const rejected: Row = (host) => ({ code: 'model_rejected', ...t(($) => $.errors.models.rejected, { host }) });

const unauthorized: Row = (host, { hasKey }) => ({
  code: 'model_unauthorized',
  ...t(($) => $.errors.models.unauthorized, { host, hasKey }),
});

const payment: Row = (host) => ({ code: 'model_payment', ...t(($) => $.errors.models.payment, { host }) });

/** Ollama answers an extension's Origin with an empty 403 (https://github.com/ollama/ollama/blob/main/docs/faq.mdx). */
const forbidden: Row = (host, { hasDetail }) => ({
  code: 'model_unauthorized',
  ...t(($) => $.errors.models.forbidden, { host, hasDetail }),
});

const notFound: Row = (host) => ({
  code: 'model_not_found',
  ...t(($) => $.errors.models.notFound, { host }),
});

const tooLong: Row = (host) => ({ code: 'model_too_long', ...t(($) => $.errors.models.tooLong, { host }) });

const rateLimited: Row = (host) => ({
  code: 'model_rate_limited',
  ...t(($) => $.errors.models.rateLimited, { host }),
  retryable: true,
});

const serverError: Row = (host) => ({
  code: 'model_server_error',
  ...t(($) => $.errors.models.serverError, { host }),
  retryable: true,
});

const ROWS: Record<number, Row> = {
  401: unauthorized,
  402: payment,
  403: forbidden,
  404: notFound,
  408: serverError,
  409: serverError,
  413: tooLong,
  425: serverError,
  429: rateLimited,
};

const noBrowserModel: Row = () => ({
  code: 'browser_model_unavailable',
  ...t(($) => $.errors.models.browserUnavailable),
});

const notDownloaded: Row = () => ({
  code: 'browser_model_not_downloaded',
  ...t(($) => $.errors.models.browserNotDownloaded),
});

const noWeights: Row = () => ({ code: 'gguf_missing', ...t(($) => $.errors.models.ggufMissing) });

const badWeights: Row = () => ({ code: 'gguf_unusable', ...t(($) => $.errors.models.ggufUnusable) });

/** Codes that say more than the status: OpenAI sends 429 for an empty account too. */
const CODES: Record<string, Row> = {
  insufficient_quota: payment,
  billing_hard_limit_reached: payment,
  browser_model_unavailable: noBrowserModel,
  browser_model_not_downloaded: notDownloaded,
  gguf_missing: noWeights,
  gguf_unusable: badWeights,
};
