import {
  type AuthProvider,
  type FetchLike,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { elicitIn, withElicit } from '../elicitation/elicitations.ts';
import type { RemoteConfig } from '../settings.ts';
import { t } from '../../../locales/texts/errors.ts';

type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

/** The reply stream of a request ended without a reply: the server or the network is gone. */
export class StreamLostError extends Error {
  override readonly name = 'StreamLostError';
}

/**
 * The server forgot the session between two requests, so that it was started anew, maybe in the middle of this one:
 * Chromium sends a POST a second time by itself when its keep-alive connection closes before the answer begins
 * (net/http/http_network_transaction.cc, HandleIOError).
 */
export class SentTwiceError extends StreamLostError {
  constructor(cause: unknown) {
    super(
      t(($) => $.errors.mcp.sessionForgotten),
      { cause },
    );
  }
}

/** These have their own ways of noticing that they came to nothing. */
const UNWATCHED: ReadonlySet<string> = new Set(['initialize', 'server/discover', 'subscriptions/listen']);

/**
 * The client's transport, with three gaps closed: a stream that ends without the reply fails its request at once instead
 * of at its timeout; a cancelled request's stream is closed, which frees its socket before the cancellation is sent
 * (Chromium has six per origin, and servers leave such streams open); and what the server asks on a request's stream is
 * known to belong to that request.
 */
export class CallTransport extends StreamableHTTPClientTransport {
  /** The requests that await their reply, each with a way to close its stream and one to say that it was answered. */
  readonly #requests = new Map<RequestId, { close: () => void; answered: () => void }>();

  constructor(...options: ConstructorParameters<typeof StreamableHTTPClientTransport>) {
    super(...options);
    // The client keeps a handler that is there before its own, and calls it first.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the transport is no EventTarget
    this.onmessage = (message) => {
      if (isReply(message)) this.#requests.get(message.id)?.answered();
    };
  }

  override async send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    const cancelled = cancelledRequest(message);
    if (cancelled !== undefined) this.#requests.get(cancelled)?.close();
    if (Array.isArray(message) || !isJSONRPCRequest(message) || UNWATCHED.has(message.method)) {
      return super.send(message, options);
    }
    return this.#sendRequest(message, options);
  }

  /**
   * Settles with the request: when its reply came, when its stream was closed, or, as a rejection, when there will be
   * none. A reply of plain JSON has no stream whose end would be told.
   */
  #sendRequest(message: JSONRPCRequest, options: SendOptions): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stream = new AbortController();
    const signals = [stream.signal, options?.requestSignal].filter((signal) => signal !== undefined);
    const requestSignal = AbortSignal.any(signals);
    requestSignal.addEventListener('abort', () => resolve(), { once: true });
    this.#requests.set(message.id, { close: () => stream.abort(), answered: resolve });
    const onRequestStreamEnd = (): void => reject(new StreamLostError(t(($) => $.errors.mcp.noReply)));
    const send = super.send.bind(this.#listeningFor(message));
    send(message, { ...options, requestSignal, onRequestStreamEnd }).catch(reject);
    return promise.finally(() => this.#requests.delete(message.id));
  }

  /** This transport, but for what it does with messages on the stream of one request. */
  #listeningFor(request: JSONRPCRequest): this {
    const elicit = elicitIn(request.params?.['_meta']);
    const onmessage = (message: JSONRPCMessage): void => this.onmessage?.(withElicit(message, elicit));
    return Object.create(this, { onmessage: { value: onmessage } }) as this;
  }
}

function isReply(message: JSONRPCMessage): message is JSONRPCMessage & { id: RequestId } {
  return !('method' in message) && message.id !== undefined;
}

/** The id that a `notifications/cancelled` names. */
function cancelledRequest(message: JSONRPCMessage | JSONRPCMessage[]): RequestId | undefined {
  if (Array.isArray(message) || !('method' in message) || message.method !== 'notifications/cancelled') {
    return undefined;
  }
  const id = message.params?.['requestId'];
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

export type TransportOptions = {
  /** What to speak, which may be other than the settings say. */
  kind: 'streamable-http' | 'sse';
  fetch: FetchLike;
  authProvider: AuthProvider | undefined;
  /** A session of the server that lives on. */
  resume: { sessionId: string; protocolVersion: string } | undefined;
  /** A stream that was cut could not be opened again at once. */
  onStreamFailing: () => void;
};

/** `redirectPolicy: 'follow'` leaves redirects to our fetch, which refuses them all. */
export function createTransport(config: RemoteConfig, options: TransportOptions): Transport {
  const { kind, fetch, authProvider, resume, onStreamFailing } = options;
  const common = {
    fetch,
    requestInit: { headers: config.headers },
    redirectPolicy: 'follow' as const,
    ...(authProvider && { authProvider }),
  };
  const url = new URL(config.url);
  const pauseBefore = createPauses();
  if (kind === 'sse') return new SSEClientTransport(url, common);
  return new CallTransport(url, {
    ...common,
    ...resume,
    onInsufficientScope: 'throw',
    reconnectionScheduler(reconnect, delay, attempt) {
      if (attempt > 0) onStreamFailing();
      const timer = setTimeout(reconnect, pauseBefore(delay));
      return () => clearTimeout(timer);
    },
  });
}

/** A stream that was cut is opened again after so many milliseconds at least and at most, whatever the server asks for. */
const SHORTEST_PAUSE = 1000;
const LONGEST_PAUSE = 60_000;
/** After one that lived shorter than this, in milliseconds, the next pause is twice as long. */
const SHORT_LIFE = 5000;

function createPauses(): (asked: number) => number {
  let pause = 0;
  let openedAt = -Infinity;
  return (asked) => {
    const isShort = performance.now() - openedAt < SHORT_LIFE;
    const least = isShort ? pause * 2 : SHORTEST_PAUSE;
    pause = Math.min(Math.max(asked, least), LONGEST_PAUSE);
    openedAt = performance.now() + pause;
    return pause;
  };
}
