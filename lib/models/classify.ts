import { APIConnectionError, APIError } from 'openai';
import { type Failure, ModelFailure } from './failure.ts';
import { isRecord } from './json.ts';

/** What a value thrown on the way to or in a reply means. */
export function classify(error: unknown): Failure {
  if (error instanceof ModelFailure) return error.failure;
  if (error instanceof APIConnectionError) return { type: 'unreachable', detail: innermost(error) };
  if (error instanceof APIError) {
    return error.status === undefined
      ? { type: 'stream_error', detail: wordsOf(error.error) }
      : { type: 'status', status: error.status, detail: statusDetail(error, error.status) };
  }
  // The openai package throws this for an event whose data is not JSON.
  if (error instanceof SyntaxError) return { type: 'not_a_model', detail: error.message };
  // All that breaks before a reply is an APIConnectionError; this is the reply's body breaking off.
  return { type: 'incomplete', detail: innermost(error) };
}

/** The server's own words in an error body, whatever its shape (`{message}`, `{error}`, `{detail}`, a string). */
export function wordsOf(body: unknown): string {
  if (typeof body === 'string') return isHtml(body) ? 'an HTML page' : body;
  if (!isRecord(body)) return body === undefined || body === null ? '' : JSON.stringify(body);
  const inner = body.message ?? body.error ?? body.detail;
  return inner === undefined || inner === null ? JSON.stringify(body) : wordsOf(inner);
}

export function isHtml(text: string): boolean {
  return /^\s*<(!doctype|html|head|body)\b/i.test(text);
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
