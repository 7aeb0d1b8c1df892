import { BROWSER_URL, GGUF_URL } from '../../origins.ts';
import { presets } from '../../provider-presets.ts';
import type { WireError } from '../../types/error.ts';
import type { ModelApi, ModelTurn, PresetId } from '../../types/model.ts';
import { type Words, wordsForStatus, wrongApi } from './status-words.ts';
import { t } from '../../../locales/texts/errors.ts';

/** Why a request to a model did not end well, before it is put into words. `detail` is the other side's own. */
export type Failure =
  | { type: 'bad_url' }
  | { type: 'bad_key' }
  | { type: 'unreachable'; detail: string }
  /** On this computer nothing listens there: asking again by itself would not start it. */
  | { type: 'not_running'; detail: string }
  /** `detail`: where it leads, as far as the browser tells. */
  | { type: 'redirect'; detail: string }
  /** An HTTP status, or an error inside a reply that says which it would have been. `body`: see `readRefusal`. */
  | { type: 'status'; status: number; detail: string; body?: unknown; retryAfterMs?: number }
  /** A reply of status 200 that is no chat completion: HTML, other JSON, garbage. */
  | { type: 'not_a_model'; detail: string }
  /** A reply of status 200 by chat completions where responses were asked for, or the other way round. */
  | { type: 'wrong_api'; detail: string }
  /** A reply of status 200 in an API that is neither. `detail`: its name. */
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
export type Asked = {
  baseUrl: string;
  preset?: PresetId;
  api?: ModelApi;
  apiKey?: string;
  headers?: Record<string, string>;
};

/** Puts a failure into words: who, what happened, what to do. The raw cause never holds a secret. */
export function describeFailure(failure: Failure, asked: Asked): WireError {
  const words = wordsFor(failure, asked);
  const cause = causeOf(failure, asked);
  const retryAfterMs = failure.type === 'status' ? failure.retryAfterMs : undefined;
  return {
    ...words,
    ...(cause !== '' && { cause }),
    retryable: words.retryable ?? false,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function wordsFor(failure: Failure, { baseUrl, preset, api = 'chat', apiKey }: Asked): Words {
  const host = hostOf(baseUrl);
  if (failure.type === 'status') return wordsForStatus(failure, { host, api, hasKey: Boolean(apiKey) });
  if (failure.type === 'wrong_api') return wrongApi(host, { api });
  if (failure.type === 'not_running') {
    const name = presets.find(({ id, local }) => local && id === preset)?.name;
    return {
      code: 'model_not_running',
      ...t(($) => $.errors.models.notRunning, { host, name: name ?? t(($) => $.errors.models.someServer) }),
    };
  }
  if (failure.type === 'empty') {
    return failure.finish === 'stop' && failure.thought ? onlyThought(host) : EMPTY[failure.finish](host);
  }
  return WORDS[failure.type](host, 'ms' in failure ? failure.ms : 'limit' in failure ? failure.limit : 0);
}

const WORDS: Record<
  Exclude<Failure['type'], 'status' | 'wrong_api' | 'empty' | 'not_running'>,
  (host: string, amount: number) => Words
> = {
  bad_url: (host) => ({ code: 'model_bad_url', ...t(($) => $.errors.models.badUrl, { host }) }),
  bad_key: (host) => ({ code: 'model_unauthorized', ...t(($) => $.errors.models.badKey, { host }) }),
  unreachable: (host) => ({
    code: 'model_unreachable',
    ...t(($) => $.errors.models.unreachable, { host }),
    retryable: true,
  }),
  redirect: (host) => ({ code: 'model_redirect', ...t(($) => $.errors.models.redirect, { host }) }),
  not_a_model: (host) => ({ code: 'model_bad_reply', ...t(($) => $.errors.models.notAModel, { host }) }),
  other_api: (host) => ({ code: 'model_other_api', ...t(($) => $.errors.models.otherApi, { host }) }),
  stream_error: (host) => ({
    code: 'model_failed',
    ...t(($) => $.errors.models.failedMidway, { host }),
    retryable: true,
  }),
  tool_use_failed: (host) => ({
    code: 'model_tool_use_failed',
    ...t(($) => $.errors.models.badCall, { host }),
  }),
  too_many_calls: (host, limit) => ({
    code: 'model_too_many_calls',
    ...t(($) => $.errors.models.tooManyCalls, { host, limit }),
  }),
  incomplete: (host) => ({
    code: 'model_incomplete',
    ...t(($) => $.errors.models.incomplete, { host }),
    retryable: true,
  }),
  timeout: (host, ms) => ({
    code: 'model_timeout',
    ...t(($) => $.errors.models.timeout, { host, seconds: ms / 1000 }),
    retryable: true,
  }),
  cancelled: (host) => ({ code: 'cancelled', ...t(($) => $.errors.models.stopped, { host }) }),
};

const EMPTY: Record<ModelTurn['finish'], (host: string) => Words> = {
  stop: (host) => ({ code: 'model_empty', ...t(($) => $.errors.models.empty, { host }), retryable: true }),
  length: (host) => ({ code: 'model_empty', ...t(($) => $.errors.models.outputLimit, { host }) }),
  filtered: (host) => ({ code: 'model_filtered', ...t(($) => $.errors.models.filtered, { host }) }),
};

const onlyThought = (host: string): Words => ({
  code: 'model_empty',
  ...t(($) => $.errors.models.onlyThought, { host }),
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

/** What to call the other side: its host, or what was typed where a URL should be; of a model in it the browser. */
export function hostOf(baseUrl: string): string {
  return [BROWSER_URL, GGUF_URL].includes(baseUrl) ? browserName() : URL.parse(baseUrl)?.host || baseUrl;
}

type Brands = { userAgentData?: { brands: { brand: string }[] } };

/** Chromium is named by all that are made of it, and one name is made up, lest sites rely on the list. */
function browserName(): string {
  const { brands = [] } = (navigator as Brands).userAgentData ?? {};
  return brands.find(({ brand }) => !/^Chromium$|not.*brand/i.test(brand))?.brand ?? 'Chromium';
}
