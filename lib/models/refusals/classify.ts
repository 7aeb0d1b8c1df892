import { APIConnectionError, APIError } from 'openai';
import { type Failure, ModelFailure } from './failure.ts';
import { innerError, wordsOf } from './read-refusal.ts';

/** LM Studio answers with status 200 where it has nothing. */
const NO_SUCH_PATH = /^unexpected endpoint or method/i;

/** What a value thrown on the way to or in a reply means. */
export function classify(error: unknown): Failure {
  if (error instanceof ModelFailure) return error.failure;
  if (error instanceof APIConnectionError && error.cause instanceof ModelFailure) return error.cause.failure;
  if (error instanceof APIConnectionError) return { type: 'unreachable', detail: innermost(error) };
  if (error instanceof APIError && error.status !== undefined) return refusedFailure(error, error.status);
  // All that breaks before a reply is an APIConnectionError; this is the reply's body breaking off.
  return { type: 'incomplete', detail: innermost(error) };
}

/** What an error inside a reply of status 200 means: some servers say which status it would have been (OpenRouter). */
export function failureInReply(body: unknown): Failure {
  const error = innerError(body);
  const status = [error.code, error.status].map(Number).find((code) => code >= 400 && code < 600);
  if (isToolUseFailure(error)) return toolUseFailed(error);
  if (status === undefined && NO_SUCH_PATH.test(wordsOf(body)))
    return { type: 'status', status: 404, detail: wordsOf(body), body };
  if (status === undefined) return { type: 'stream_error', detail: wordsOf(body) };
  return { type: 'status', status, detail: wordsOf(body), body };
}

function refusedFailure(refused: APIError, status: number): Failure {
  const error = innerError(refused.error);
  if (isToolUseFailure(error)) return toolUseFailed(error);
  const retryAfterMs = retryAfterOf(refused.headers, Date.now());
  return {
    type: 'status',
    status,
    detail: statusDetail(refused, status),
    body: refused.error,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function isToolUseFailure(error: Record<string, unknown>): boolean {
  return error.code === 'tool_use_failed';
}

function toolUseFailed(error: Record<string, unknown>): Failure {
  const { failed_generation: generation } = error;
  return { type: 'tool_use_failed', detail: typeof generation === 'string' ? generation : wordsOf(error) };
}

/** A body that is not JSON stands in the message only, behind the status; `(no body)` is the package's, not the server's. */
function statusDetail(error: APIError, status: number): string {
  if (error.error !== undefined) return wordsOf(error.error);
  const text = error.message.replace(`${status} `, '');
  return text === 'status code (no body)' ? '' : wordsOf(text);
}

/** `fetch failed` says nothing; the reason (`ECONNREFUSED`) lies at the end of the chain of causes. */
function innermost(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return innermost(error.cause);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return error.message || code || error.name;
}

/**
 * How long a server asks to wait, in milliseconds and as it says it: `retry-after-ms`, else `Retry-After` as seconds or
 * as a date (RFC 9110, 10.2.3). Undefined when it says nothing readable.
 * @param now milliseconds since the epoch
 */
export function retryAfterOf(headers: Headers | undefined, now: number): number | undefined {
  const ms = amount(headers?.get('retry-after-ms'));
  if (ms !== undefined) return ms;
  const after = headers?.get('retry-after');
  const seconds = amount(after);
  if (seconds !== undefined) return seconds * 1000;
  // Date.parse takes much that is no date; an HTTP date begins with the day's name.
  const date = /^[a-z]{3}/i.test(after ?? '') ? Date.parse(after ?? '') : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function amount(text: string | null | undefined): number | undefined {
  return /^\s*\d+(\.\d+)?\s*$/.test(text ?? '') ? Number(text) : undefined;
}
