import OpenAI from 'openai';
import type { PresetId } from '../types/model.ts';
import { bounded } from './bounded.ts';
import { ModelFailure } from './refusals/failure.ts';
import { headersFor } from './request-quirks.ts';

export type ClientOptions = {
  /** Up to and including the version, e.g. `http://127.0.0.1:11434/v1`. */
  baseUrl: string;
  /** Whose headers go with every request; absent: no extra ones. */
  preset?: PresetId;
  apiKey?: string;
  /** The user's own, over all others. They are secrets. */
  headers?: Record<string, string>;
  fetch?: typeof fetch;
};

/** Longer than any wait of ours: the clocks of this room decide, not the package's. */
const NEVER_MS = 2_147_483_647;

/** What the package would tell every server about the user's browser and system. */
const telling = ['Arch', 'Lang', 'OS', 'Package-Version', 'Retry-Count', 'Runtime', 'Runtime-Version'];
const untold = Object.fromEntries(telling.map((name) => [`X-Stainless-${name}`, null]));

/**
 * The openai package, set up for any compatible server: no retries (a failure says whether it is `retryable`, and
 * nothing is sent twice without being asked for), no logging (it would print replies), no account fields from an
 * environment, no Authorization header when there is no key.
 * @throws ModelFailure `bad_url`, `bad_key`
 */
export function createClient({ baseUrl, preset, apiKey, headers, fetch }: ClientOptions): OpenAI {
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new ModelFailure({ type: 'bad_url' });
  }
  const key = apiKey?.trim();
  if (key && !/^[\x21-\x7e]+$/.test(key)) throw new ModelFailure({ type: 'bad_key' });
  return new OpenAI({
    baseURL: url.href,
    // The package insists on a key; the null header below keeps this one from being sent.
    apiKey: key || 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    defaultHeaders: {
      ...untold,
      ...(!key && { Authorization: null }),
      ...(preset && headersFor(preset)),
      ...headers,
    },
    fetch: withoutRedirects(fetch ?? globalThis.fetch),
    maxRetries: 0,
    timeout: NEVER_MS,
    logLevel: 'off',
    // The key belongs to the user whose browser this is; Firefox's event page counts as a browser window.
    dangerouslyAllowBrowser: true,
  });
}

/**
 * A redirect could take the conversation, and all headers but Authorization, to another origin. It is not followed; in
 * a browser it is then opaque: status 0 and no Location (https://fetch.spec.whatwg.org/#concept-filtered-response-opaque-redirect).
 * @throws ModelFailure `redirect`
 */
function withoutRedirects(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, { ...init, redirect: 'manual' });
    const isRedirect = [301, 302, 303, 307, 308].includes(response.status);
    const isAnswer = response.ok && init?.method?.toUpperCase() === 'POST';
    if (!isRedirect && response.type !== 'opaqueredirect') return isAnswer ? response : bounded(response);
    const location = response.headers.get('location');
    await response.body?.cancel();
    throw new ModelFailure({ type: 'redirect', detail: location === null ? '' : `Location: ${location}` });
  };
}
