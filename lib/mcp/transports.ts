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
  readonly #streams = new Map<RequestId, AbortController>();

  override async send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    const cancelled = cancelledRequest(message);
    if (cancelled !== undefined) {
      this.#streams.get(cancelled)?.abort();
      this.#streams.delete(cancelled);
    }
    if (Array.isArray(message) || !isJSONRPCRequest(message) || message.method !== 'tools/call') {
      return super.send(message, options);
    }
    return this.#sendCall(message.id, message, options);
  }

  /** Stays pending while the reply streams in; the client awaits the reply and only needs the rejection. */
  #sendCall(id: RequestId, message: JSONRPCMessage, options: SendOptions): Promise<void> {
    const stream = new AbortController();
    this.#streams.set(id, stream);
    const signals = [stream.signal, options?.requestSignal].filter((signal) => signal !== undefined);
    return new Promise((_resolve, reject) => {
      const fail = (error: unknown): void => {
        this.#streams.delete(id);
        reject(error);
      };
      super
        .send(message, {
          ...options,
          requestSignal: AbortSignal.any(signals),
          onRequestStreamEnd: () => fail(new StreamLostError('The reply stream ended without a reply.')),
        })
        .catch(fail);
    });
  }
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
