import { isRecord, toJson } from '../../json.ts';
import { t } from '../../../locales/texts/errors.ts';
import { PARAM_PATTERNS } from './refusal-patterns.ts';

/** What an error body says, as far as it can be made out. */
export type Refusal = {
  /** Request parameters it names, as dotted paths (`stream_options.include_usage`, `tools[0].function.name`). */
  params: string[];
  /** The server's own code or type, lower case; empty when it gives none. */
  code: string;
  /** The server's own words. */
  message: string;
};

/**
 * Reads the body of an HTTP error, or of an error inside a stream: OpenAI's `{error: {message, param, code}}`,
 * FastAPI's `{detail: [{loc, msg, type}]}`, Mistral's of the latter inside `message`, Google's list of one.
 * @param status the HTTP status; parameters are looked for in the words only where a request was found wrong
 */
export function readRefusal(status: number, body: unknown): Refusal {
  const error = innerError(body);
  const problems = problemsOf(error);
  const message = wordsOf(body);
  const stated = [...namesOf(error.param), ...problems.flatMap(({ loc }) => pathOf(loc))];
  const guessed = stated.length === 0 && (status === 400 || status === 422) ? paramsInWords(message) : [];
  const code = [error.code, error.type, problems[0]?.type, error.status].find(
    (value) => typeof value === 'string' && value !== '',
  );
  return {
    params: [...new Set([...stated, ...guessed])],
    code: String(code ?? '')
      .slice(0, LONGEST_CODE)
      .toLowerCase(),
    message,
  };
}

/** Characters that are read of what a server says: its words are searched for many others. */
const LONGEST_WORDS = 5_000;
const LONGEST_CODE = 200;
const MOST_PROBLEMS = 100;

/** The server's own words in an error body, whatever its shape (`{message}`, `{error}`, `{detail}`, a string). */
export const wordsOf = (body: unknown): string => wordsIn(body).slice(0, LONGEST_WORDS);

function wordsIn(body: unknown): string {
  if (typeof body === 'string') return isHtml(body) ? t(($) => $.errors.models.replies.html) : body;
  if (Array.isArray(body) && body.length === 1 && isRecord(body[0]) && body[0].error) return wordsIn(body[0]);
  if (!isRecord(body)) return body === undefined || body === null ? '' : (toJson(body) ?? '');
  const inner = body.message ?? body.error ?? body.detail;
  return inner === undefined || inner === null ? (toJson(body) ?? '') : wordsIn(inner);
}

export function isHtml(text: string): boolean {
  return /^\s*<(!doctype|html|head|body)\b/i.test(text);
}

/** The record that holds `code` and `param`. */
export function innerError(body: unknown): Record<string, unknown> {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (!isRecord(first)) return {};
  return isRecord(first.error) ? first.error : first;
}

function problemsOf(error: Record<string, unknown>): Record<string, unknown>[] {
  const nested = isRecord(error.message) ? error.message.detail : undefined;
  const list = Array.isArray(error.detail) ? error.detail : nested;
  return Array.isArray(list) ? list.slice(0, MOST_PROBLEMS).filter(isRecord) : [];
}

function namesOf(param: unknown): string[] {
  return typeof param === 'string' && param !== '' ? [param] : [];
}

/** `["body", "messages", 0, "name"]` as `messages[0].name`. */
function pathOf(loc: unknown): string[] {
  if (!Array.isArray(loc)) return [];
  const path = loc
    .filter((step, at) => !(at === 0 && step === 'body'))
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('');
  return namesOf(path.replace(/^\./, ''));
}

/** Parameters that only the sentence names. */
function paramsInWords(message: string): string[] {
  const text = message.slice(0, 2000);
  return PARAM_PATTERNS.flatMap((pattern) => [...text.matchAll(pattern)].flatMap(([, name]) => name ?? []));
}
