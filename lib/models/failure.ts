import type { WireError } from '../types/error.ts';
import type { ModelTurn } from '../types/model.ts';
import { wordsForStatus } from './status-words.ts';
import type { Words } from './status-words.ts';

/** Why a request to a model did not end well, before it is put into words. `detail` is the other side's own. */
export type Failure =
  | { type: 'bad_url' }
  | { type: 'bad_key' }
  | { type: 'unreachable'; detail: string }
  /** `detail`: where it leads, as far as the browser tells. */
  | { type: 'redirect'; detail: string }
  /** An HTTP status, or an error inside a reply that says which it would have been. `body`: see `readRefusal`. */
  | { type: 'status'; status: number; detail: string; body?: unknown; retryAfterMs?: number }
  /** A reply of status 200 that is no chat completion: HTML, other JSON, garbage. */
  | { type: 'not_a_model'; detail: string }
  /** A reply of status 200 in an API that is not chat completions. `detail`: its name. */
  | { type: 'other_api'; detail: string }
  /** An `{"error": …}` inside a reply of status 200. */
  | { type: 'stream_error'; detail: string }
  /** The server could not read the call that the model wrote (Groq). `detail`: what it wrote. */
  | { type: 'tool_use_failed'; detail: string }
  | { type: 'too_many_calls'; limit: number }
  | { type: 'incomplete'; detail: string }
  /** `thought`: it reasoned, and left it at that. */
  | { type: 'empty'; finish: ModelTurn['finish']; thought: boolean }
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

/** Who was asked. The secrets are here to be struck out of what others said. */
export type Asked = { baseUrl: string; apiKey?: string; headers?: Record<string, string> };

/** Puts a failure into words: who, what happened, what to do. The raw cause never holds a secret. */
export function describeFailure(failure: Failure, asked: Asked): WireError {
  const words = wordsFor(failure, hostOf(asked.baseUrl), Boolean(asked.apiKey));
  const cause = causeOf(failure, asked);
  const retryAfterMs = failure.type === 'status' ? failure.retryAfterMs : undefined;
  return {
    ...words,
    ...(cause !== '' && { cause }),
    retryable: words.retryable ?? false,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function wordsFor(failure: Failure, host: string, hasKey: boolean): Words {
  if (failure.type === 'status') return wordsForStatus(failure, host, hasKey);
  if (failure.type === 'empty') {
    return failure.finish === 'stop' && failure.thought ? onlyThought(host) : EMPTY[failure.finish](host);
  }
  return WORDS[failure.type](host, 'ms' in failure ? failure.ms : 'limit' in failure ? failure.limit : 0);
}

const WORDS: Record<Exclude<Failure['type'], 'status' | 'empty'>, (host: string, amount: number) => Words> = {
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
  redirect: (host) => ({
    code: 'model_redirect',
    message: `${host} redirects to another address, which Portside does not follow: your messages and key go nowhere else.`,
    fix: 'Enter the address that it leads to as the base URL in Settings, Models, if you trust it; https:// in place of http:// is often enough.',
  }),
  not_a_model: (host) => ({
    code: 'model_bad_reply',
    message: `${host} answered, but not as a chat model does.`,
    fix: 'Check the base URL in Settings, Models; it usually ends in /v1.',
  }),
  other_api: (host) => ({
    code: 'model_other_api',
    message: `${host} answered in an API that Portside does not speak.`,
    fix: 'Enter the base URL of its OpenAI-compatible API in Settings, Models; it usually ends in /v1.',
  }),
  stream_error: (host) => ({
    code: 'model_failed',
    message: `${host} reported an error while it was answering.`,
    fix: 'Try again; if it keeps happening, choose another model.',
    retryable: true,
  }),
  tool_use_failed: (host) => ({
    code: 'model_tool_use_failed',
    message: `The model at ${host} wrote a tool call that its server could not read.`,
    fix: 'Try again; if it keeps happening, choose another model or switch some tools off.',
  }),
  too_many_calls: (host, limit) => ({
    code: 'model_too_many_calls',
    message: `The model at ${host} wanted more than ${limit} tool calls at once, so none was made.`,
    fix: 'Ask for less at a time, or choose another model.',
  }),
  incomplete: (host) => ({
    code: 'model_incomplete',
    message: `The answer from ${host} broke off before it was finished.`,
    fix: 'Try again.',
    retryable: true,
  }),
  timeout: (host, ms) => ({
    code: 'model_timeout',
    message: `${host} sent nothing of an answer for ${ms / 1000} s, so Portside stopped waiting.`,
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

const onlyThought = (host: string): Words => ({
  code: 'model_empty',
  message: `The model at ${host} thought, but did not answer.`,
  fix: 'Try again; if it keeps happening, lower the reasoning effort or choose another model.',
  retryable: true,
});

/** Headers hold plain words too (`application/json`, `1`); secrets are longer than most. */
const SHORTEST_SECRET = 8;

function causeOf(failure: Failure, asked: Asked): string {
  const detail = 'detail' in failure ? failure.detail : '';
  return toldLine(
    failure.type === 'status' ? `HTTP ${failure.status}${detail && `, ${detail}`}` : detail,
    asked,
  );
}

/** What the other side said as one line of at most 300 characters. Secrets go before it is cut, lest half of one stay. */
export function toldLine(words: string, { apiKey = '', headers = {} }: Asked): string {
  const long = Object.values(headers).filter((value) => value.length >= SHORTEST_SECRET);
  const secrets = [apiKey, ...long].map((secret) => secret.trim()).filter((secret) => secret !== '');
  const told = secrets.reduce((text, secret) => text.replaceAll(secret, '•••'), words);
  const line = told.replaceAll(/\s+/g, ' ').trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

/** What to call the other side: its host, or what was typed where a URL should be. */
export function hostOf(baseUrl: string): string {
  return URL.parse(baseUrl)?.host || baseUrl;
}
