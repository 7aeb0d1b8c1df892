import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Ask } from '../types/request.ts';
import { isRecord } from './content/raw.ts';
import type { Raw } from './content/raw.ts';

/**
 * Under this key the `_meta` of a request holds the `Ask` of who made it. As a symbol it never goes over the wire, and
 * no server can forge it; the client keeps it through all rounds of a request.
 */
export const ASK = Symbol('ask');

export type Asks = {
  /**
   * The request that brought this is in flight until the returned function is called. `refused` is told what Portside
   * refused meanwhile by itself, and says whether there may be more.
   */
  start(ask: Ask, refused?: (why: string) => boolean): () => void;
  /**
   * Whom a server's request is for: the request on whose stream it came, if that is still in flight; of what came on
   * none's, the latest that is, and when that ends before the person has answered, another that still is. `ctx`: as the
   * client's request handlers get it.
   */
  of(ctx: unknown): Ask | undefined;
  /**
   * Nobody was asked what a server wanted: of the request on whose stream it came, or else of the latest.
   * @returns whether that goes on
   */
  refuse(owner: Ask | undefined, why: string): boolean;
};

export function createAsks(): Asks {
  const live: { ask: Ask; refused: ((why: string) => boolean) | undefined; over: AbortController }[] = [];
  const askLatest: Ask = async (request, signal) => {
    for (let asked = live.at(-1); asked; asked = live.at(-1)) {
      const { ask, over } = asked;
      try {
        const answer = await ask(request, AbortSignal.any([signal, over.signal]));
        if (answer.action !== 'cancel' || !over.signal.aborted) return answer;
      } catch (error) {
        if (!over.signal.aborted) throw error;
      }
      signal.throwIfAborted();
    }
    return { action: 'cancel' };
  };
  return {
    start(ask, refused) {
      const started = { ask, refused, over: new AbortController() };
      live.push(started);
      return () => {
        live.splice(live.indexOf(started), 1);
        started.over.abort();
      };
    },
    of(ctx) {
      const owner = askIn(isRecord(ctx) && isRecord(ctx['mcpReq']) ? ctx['mcpReq']['_meta'] : undefined);
      if (owner) return live.some(({ ask }) => ask === owner) ? owner : undefined;
      return live.length > 0 ? askLatest : undefined;
    },
    refuse(owner, why) {
      const asked = owner ? live.find(({ ask }) => ask === owner) : live.at(-1);
      return asked?.refused?.(why) ?? false;
    },
  };
}

/** The ask that a request's `_meta` holds. */
export function askIn(meta: unknown): Ask | undefined {
  return isRecord(meta) ? (meta as { [ASK]?: Ask })[ASK] : undefined;
}

/**
 * A message that came on the stream of a request, with the request's ask on what the server asks in it: a request of
 * its own (up to 2025-11-25), or those within a result that says `input_required` (2026-07-28).
 */
export function withAsk(message: JSONRPCMessage, ask: Ask | undefined): JSONRPCMessage {
  if (!ask) return message;
  if ('method' in message) return 'id' in message ? (marked(message, ask) as JSONRPCMessage) : message;
  const result: unknown = 'result' in message ? message.result : undefined;
  if (!isRecord(result) || !isRecord(result['inputRequests'])) return message;
  const entries = Object.entries(result['inputRequests']);
  const inputRequests = Object.fromEntries(entries.map(([key, entry]) => [key, marked(entry, ask)]));
  return { ...message, result: { ...result, inputRequests } } as JSONRPCMessage;
}

function marked(request: unknown, ask: Ask): unknown {
  if (!isRecord(request)) return request;
  const params: Raw = isRecord(request['params']) ? request['params'] : {};
  const meta: Raw = isRecord(params['_meta']) ? params['_meta'] : {};
  return { ...request, params: { ...params, _meta: { ...meta, [ASK]: ask } } };
}
