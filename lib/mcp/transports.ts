import {
  isJSONRPCRequest,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { FetchLike, JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/client';
import type { ConnectionConfig } from './settings.ts';

type SendOptions = Parameters<StreamableHTTPClientTransport['send']>[1];

/** The reply stream of a call ended without a reply: the server or the network is gone. */
export class StreamLostError extends Error {
  override readonly name = 'StreamLostError';
}

/**
 * The client's transport, with two gaps closed for tool calls: a stream that ends without the reply fails the
 * call at once instead of at its timeout, and a cancelled call's stream is closed, which frees its socket
 * before the cancellation is sent (Chromium has six per origin, and servers leave such streams open).
 */
export class CallTransport extends StreamableHTTPClientTransport {
  /** The calls that await their reply, each with a way to close its stream and one to say that it was answered. */
  readonly #calls = new Map<RequestId, { close: () => void; answered: () => void }>();

  constructor(...options: ConstructorParameters<typeof StreamableHTTPClientTransport>) {
    super(...options);
    // The client keeps a handler that is there before its own, and calls it first.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the transport is no EventTarget
    this.onmessage = (message) => {
      if (isReply(message)) this.#calls.get(message.id)?.answered();
    };
  }

  override async send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    const cancelled = cancelledRequest(message);
    if (cancelled !== undefined) this.#calls.get(cancelled)?.close();
    if (Array.isArray(message) || !isJSONRPCRequest(message) || message.method !== 'tools/call') {
      return super.send(message, options);
    }
    return this.#sendCall(message.id, message, options);
  }

  /**
   * Settles with the call: when its reply came, when its stream was closed, or, as a rejection, when there will be
   * none. A reply of plain JSON has no stream whose end would be told.
   */
  #sendCall(id: RequestId, message: JSONRPCMessage, options: SendOptions): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stream = new AbortController();
    const signals = [stream.signal, options?.requestSignal].filter((signal) => signal !== undefined);
    const requestSignal = AbortSignal.any(signals);
    requestSignal.addEventListener('abort', () => resolve(), { once: true });
    this.#calls.set(id, { close: () => stream.abort(), answered: resolve });
    const onRequestStreamEnd = (): void =>
      reject(new StreamLostError('The reply stream ended without a reply.'));
    super.send(message, { ...options, requestSignal, onRequestStreamEnd }).catch(reject);
    return promise.finally(() => this.#calls.delete(id));
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

/** `redirectPolicy: 'follow'` leaves redirects to our fetch, which refuses them all. */
export function createTransport(config: ConnectionConfig, fetch: FetchLike): Transport {
  const options = { fetch, requestInit: { headers: config.headers }, redirectPolicy: 'follow' as const };
  const url = new URL(config.url);
  return config.transport === 'sse' ? new SSEClientTransport(url, options) : new CallTransport(url, options);
}
