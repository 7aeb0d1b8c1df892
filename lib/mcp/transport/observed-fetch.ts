import { type FetchLike, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';
import { AppError } from '../../errors.ts';
import { limitBody, type TooLargeError } from './body-limit.ts';
import { isRecord } from '../../json.ts';
import type { OriginLimits } from './origin-limits.ts';
import { t } from '../../../locales/texts/errors.ts';

/** What the network last said on one connection; the client's own errors often lose it. */
export type Observation =
  | { type: 'redirect'; to?: string }
  | { type: 'no_answer'; error: unknown }
  | {
      type: 'answer';
      status: number;
      contentType: string;
      retryAfterMs?: number;
    };

export type Wire = {
  fetch: FetchLike;
  last: () => Observation | undefined;
  /** How long the first answer took, in milliseconds. */
  answeredInMs: () => number | undefined;
  /** The last time that the server sent more than is read. */
  exceeded: () => TooLargeError | undefined;
  /** Whether the origin has room for an optional stream. */
  mayStream: () => boolean;
  /** It had none when that was asked last. */
  isCrowdedOut: () => boolean;
};

/** Milliseconds within which a server has to take an answer: each holds a connection. */
const ANSWER_MS = 2000;

/** Request Timeout, Too Early, Too Many Requests: the same may be answered well a little later. */
const BUSY: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether the server asks for a retry later; 503 only with `Retry-After`. */
export function asksToRetryLater({ status, retryAfterMs }: Observation & { type: 'answer' }): boolean {
  return BUSY.has(status) || (status === 503 && retryAfterMs !== undefined);
}

/** Thrown instead of following: a redirect would carry the headers' secrets to another place. */
export class RedirectError extends Error {
  override readonly name = 'RedirectError';
}

/**
 * A fetch for one connection: refuses redirects and answers without end, and remembers what came back. Over SSE, a POST
 * that was refused throws an SdkHttpError, of which that transport would keep only the words; with `signsIn` not at 401,
 * which it handles. `limits` hold for the streams of `origin`.
 */
export function observeFetch(
  fetchLike: FetchLike,
  kind: 'streamable-http' | 'sse',
  signsIn: boolean,
  { limits, origin }: { limits: OriginLimits; origin: string },
): Wire {
  let last: Observation | undefined;
  let answeredInMs: number | undefined;
  let exceeded: TooLargeError | undefined;
  let streams = 0;
  let isCrowdedOut = false;

  /** One that replaces another takes no more than that did. */
  const mayStream = (): boolean => {
    isCrowdedOut = streams === 0 && !limits.hasRoomForStream(origin, true);
    return !isCrowdedOut;
  };
  /** As the server would refuse it; undefined when there is room. @throws AppError `server_crowded` when there can be no connection without it */
  const withoutRoom = (init: RequestInit | undefined): Response | undefined => {
    if (kind === 'streamable-http') {
      const isOptional = init?.method === 'GET' && !new Headers(init.headers).has('last-event-id');
      return isOptional && !mayStream() ? new Response(null, { status: 405 }) : undefined;
    }
    if (limits.hasRoomForStream(origin, false)) return undefined;
    const error = new AppError({
      code: 'server_crowded',
      ...t(($) => $.errors.mcp.noConnection, { origin }),
      retryable: true,
    });
    last = { type: 'no_answer', error };
    throw error;
  };
  const startStream = (): (() => void) => {
    const closed = limits.openStream(origin);
    streams++;
    return () => {
      streams--;
      closed();
    };
  };
  return {
    last: () => last,
    mayStream,
    isCrowdedOut: () => isCrowdedOut,
    answeredInMs: () => answeredInMs,
    exceeded: () => exceeded,
    async fetch(url, init) {
      const isPost = init?.method === 'POST';
      const isStream = opensStream(init);
      const refused = isStream ? withoutRoom(init) : undefined;
      if (refused) return refused;
      const ended = isStream ? startStream() : () => undefined;
      // The GET of Streamable HTTP is optional for servers: how it fares says nothing about the connection.
      const note = (seen: Observation): void => {
        if (isPost || kind === 'sse') last = seen;
      };
      const start = performance.now();
      const signal = signalOf(init);
      const asked = { ...init, redirect: 'manual' as const, ...(signal && { signal }) };
      const response = await fetchLike(url, asked).catch((error: unknown) => {
        ended();
        // Our own abort says nothing about the network.
        if (!signal?.aborted) note({ type: 'no_answer', error });
        throw error;
      });
      answeredInMs ??= Math.round(performance.now() - start);
      if (isRedirect(response)) {
        ended();
        const to = locationOf(response, url);
        note({ type: 'redirect', ...(to !== undefined && { to }) });
        throw new RedirectError(t(($) => $.errors.mcp.redirect));
      }
      const { status, headers } = response;
      const contentType = headers.get('content-type') ?? '';
      const seen = { type: 'answer', status, contentType, ...retryAfter(headers) } as const;
      note(seen);
      const limited = limitBody(
        isStream ? whenOver(response, ended) : response,
        (error) => (exceeded = error),
      );
      noteBearer(limited, init?.headers);
      // As a refusal of HTTP it would have the client shake hands at once, which is what the server cannot take.
      if (asksToRetryLater(seen) && methodOf(init) === 'server/discover')
        throw new Error(await limited.text());
      const isRefusal = isPost && !response.ok && kind === 'sse';
      if (isRefusal && !(signsIn && response.status === 401)) throw await refusal(limited);
      return limited;
    },
  };
}

/** Of what is not reached by HTTP. */
export const noWire: Wire = {
  fetch: () => Promise.reject(new TypeError()),
  last: () => undefined,
  answeredInMs: () => undefined,
  exceeded: () => undefined,
  mayStream: () => true,
  isCrowdedOut: () => false,
};

const bearers = new WeakMap<Response, string>();

/** Notes with which bearer token, if any, a request was made that got this answer: a 401 speaks of that one. */
export function noteBearer(response: Response, headers: HeadersInit | undefined): void {
  bearers.set(response, /^Bearer (.+)$/.exec(new Headers(headers).get('authorization') ?? '')?.[1] ?? '');
}

/** The bearer token of the request that got this answer; empty where it had none, undefined where that is not known. */
export function bearerOf(response: Response): string | undefined {
  return bearers.get(response);
}

/** The method that a request names beside its body (2026-07-28, basic/transports). */
function methodOf(init: RequestInit | undefined): string | null {
  return new Headers(init?.headers).get('mcp-method');
}

/** The request's own; of an answer to what the server asked, it is over in time too. */
function signalOf({ signal, body }: RequestInit = {}): AbortSignal | undefined {
  const given = signal ?? undefined;
  if (typeof body !== 'string' || !isAnswer(JSON.parse(body))) return given;
  return AbortSignal.any([AbortSignal.timeout(ANSWER_MS), ...(given ? [given] : [])]);
}

function isAnswer(message: unknown): boolean {
  return isRecord(message) && 'jsonrpc' in message && !('method' in message);
}

/** A stream that may stay open for as long as the server is connected. */
function opensStream(init: RequestInit | undefined): boolean {
  if (init?.method === 'POST') return methodOf(init) === 'subscriptions/listen';
  return new Headers(init?.headers).get('accept')?.includes('text/event-stream') ?? false;
}

/** The response; `over` is called when its body has ended, whichever side ended it. */
function whenOver(response: Response, over: () => void): Response {
  if (!response.ok || !response.body) {
    over();
    return response;
  }
  const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
  // How it ended is for the reader, who gets the same error.
  void response.body.pipeTo(writable).then(over, over);
  const { status, statusText, headers } = response;
  return new Response(readable, { status, statusText, headers });
}

/** Thirty years. */
const MOST_SECONDS = 1_000_000_000;

/** `Retry-After`, in seconds or as a date (RFC 9110, 10.2.3). */
function retryAfter(headers: Headers): { retryAfterMs?: number } {
  const after = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(after)) return { retryAfterMs: Math.min(Number(after), MOST_SECONDS) * 1000 };
  const at = after.endsWith(' GMT') ? Date.parse(after) : NaN;
  return Number.isNaN(at) ? {} : { retryAfterMs: Math.max(at - Date.now(), 0) };
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
