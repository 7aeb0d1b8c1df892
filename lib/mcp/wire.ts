import { SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import type { FetchLike } from '@modelcontextprotocol/client';
import { limitBody } from './body-limit.ts';
import type { TooLargeError } from './body-limit.ts';

/** What the network last said on one connection; the client's own errors often lose it. */
export type Observation =
  | { type: 'redirect'; to?: string }
  | { type: 'no_answer'; error: unknown }
  | { type: 'answer'; status: number; contentType: string };

export type Wire = {
  fetch: FetchLike;
  last: () => Observation | undefined;
  /** How long the first answer took, in milliseconds. */
  answeredInMs: () => number | undefined;
  /** The last time that the server sent more than is read. */
  exceeded: () => TooLargeError | undefined;
};

/** Thrown instead of following: a redirect would carry the headers' secrets to another place. */
export class RedirectError extends Error {
  override readonly name = 'RedirectError';
}

/**
 * A fetch for one connection: refuses redirects and answers without end, and remembers what came back. Over SSE, a POST
 * that was refused throws an SdkHttpError, which that transport by itself reduces to words; `signsIn`: but for 401,
 * which it knows how to deal with.
 */
export function watchWire(fetchLike: FetchLike, kind: 'streamable-http' | 'sse', signsIn: boolean): Wire {
  let last: Observation | undefined;
  let answeredInMs: number | undefined;
  let exceeded: TooLargeError | undefined;
  return {
    last: () => last,
    answeredInMs: () => answeredInMs,
    exceeded: () => exceeded,
    async fetch(url, init) {
      const isPost = init?.method === 'POST';
      // The GET of Streamable HTTP is optional for servers: how it fares says nothing about the connection.
      const note = (seen: Observation): void => {
        if (isPost || kind === 'sse') last = seen;
      };
      const start = performance.now();
      const response = await fetchLike(url, { ...init, redirect: 'manual' }).catch((error: unknown) => {
        // Our own abort says nothing about the network.
        if (!init?.signal?.aborted) note({ type: 'no_answer', error });
        throw error;
      });
      answeredInMs ??= Math.round(performance.now() - start);
      if (isRedirect(response)) {
        const to = locationOf(response, url);
        note({ type: 'redirect', ...(to !== undefined && { to }) });
        throw new RedirectError('The server answered with a redirect.');
      }
      const contentType = response.headers.get('content-type') ?? '';
      note({ type: 'answer', status: response.status, contentType });
      const limited = limitBody(response, (error) => (exceeded = error));
      const isRefusal = isPost && !response.ok && kind === 'sse';
      if (isRefusal && !(signsIn && response.status === 401)) throw await refusal(limited);
      return limited;
    },
  };
}

/** In a browser a redirect that is not followed is opaque: status 0 and no Location. */
function isRedirect(response: Response): boolean {
  return response.type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(response.status);
}

function locationOf(response: Response, base: string | URL): string | undefined {
  const location = response.headers.get('location');
  return location !== null && URL.canParse(location, base) ? new URL(location, base).href : undefined;
}

async function refusal(response: Response): Promise<SdkHttpError> {
  const { status, statusText } = response;
  const text = await response.text();
  return new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, `HTTP ${status}`, {
    status,
    statusText,
    text,
  });
}

/**
 * Where an address finally leads, asked without headers, cookies or referrer; undefined when that cannot be
 * seen (in a browser: the target's origin is not granted) or takes longer than `timeoutMs`.
 */
export async function finalAddress(
  url: string,
  fetchLike: FetchLike,
  timeoutMs: number,
): Promise<string | undefined> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), timeoutMs);
  try {
    const response = await fetchLike(url, {
      redirect: 'follow',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      signal: stop.signal,
    });
    return response.url || undefined;
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
    // A GET to an MCP address may open a stream; nobody wants its body.
    stop.abort();
  }
}
