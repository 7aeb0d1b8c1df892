import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { Elicit } from '../../types/request.ts';
import { isRecord, recordOf } from '../../json.ts';
import type { Raw } from '../content/raw.ts';

/**
 * Under this key the `_meta` of a request holds the `Elicit` of its caller. As a symbol it never goes over the wire, and
 * no server can forge it; the client keeps it through all rounds of a request.
 */
export const ELICIT = Symbol('elicit');

export function createElicitations() {
  const live: { elicit: Elicit; refused: ((why: string) => boolean) | undefined; over: AbortController }[] =
    [];
  const elicitLatest: Elicit = async (request, signal) => {
    for (let latest = live.at(-1); latest; latest = live.at(-1)) {
      const { elicit, over } = latest;
      try {
        const answer = await elicit(request, AbortSignal.any([signal, over.signal]));
        if (answer.action !== 'cancel' || !over.signal.aborted) return answer;
      } catch (error) {
        if (!over.signal.aborted) throw error;
      }
      signal.throwIfAborted();
    }
    return { action: 'cancel' };
  };
  return {
    /**
     * A request is in flight until the returned function is called. `refused` is told why Portside refused an elicitation
     * meanwhile, and says whether there may be more.
     */
    start(elicit: Elicit, refused?: (why: string) => boolean): () => void {
      const started = { elicit, refused, over: new AbortController() };
      live.push(started);
      return () => {
        live.splice(live.indexOf(started), 1);
        started.over.abort();
      };
    },
    /**
     * To which request an elicitation belongs: the one on whose stream it came, if that is still in flight, with which it
     * ends; without such a stream the latest, and when that ends before the user has answered, another. `ctx`: as the
     * client's request handlers get it.
     */
    of(ctx: unknown): Elicit | undefined {
      const owner = elicitIn(isRecord(ctx) && isRecord(ctx['mcpReq']) ? ctx['mcpReq']['_meta'] : undefined);
      if (owner) {
        const over = live.find(({ elicit }) => elicit === owner)?.over.signal;
        return over && ((request, signal) => owner(request, AbortSignal.any([signal, over])));
      }
      return live.length > 0 ? elicitLatest : undefined;
    },
    /**
     * Portside refused an elicitation, of its owner or else of the latest request.
     * @returns whether that request goes on
     */
    refuse(owner: Elicit | undefined, why: string): boolean {
      const request = owner ? live.find(({ elicit }) => elicit === owner) : live.at(-1);
      return request?.refused?.(why) ?? false;
    },
  };
}

export type Elicitations = ReturnType<typeof createElicitations>;

/** The `Elicit` that a request's `_meta` holds. */
export function elicitIn(meta: unknown): Elicit | undefined {
  return isRecord(meta) ? (meta as { [ELICIT]?: Elicit })[ELICIT] : undefined;
}

/**
 * A message that came on the stream of a request, with the request's `Elicit` on each elicitation in it: a request of
 * its own (up to 2025-11-25), or those within a result that says `input_required` (2026-07-28).
 */
export function withElicit(message: JSONRPCMessage, elicit: Elicit | undefined): JSONRPCMessage {
  if (!elicit) return message;
  if ('method' in message) return 'id' in message ? (marked(message, elicit) as JSONRPCMessage) : message;
  const result: unknown = 'result' in message ? message.result : undefined;
  if (!isRecord(result) || !isRecord(result['inputRequests'])) return message;
  const entries = Object.entries(result['inputRequests']);
  const inputRequests = Object.fromEntries(entries.map(([key, entry]) => [key, marked(entry, elicit)]));
  return { ...message, result: { ...result, inputRequests } } as JSONRPCMessage;
}

function marked(request: unknown, elicit: Elicit): unknown {
  if (!isRecord(request)) return request;
  const params: Raw = recordOf(request['params']);
  const meta: Raw = recordOf(params['_meta']);
  return { ...request, params: { ...params, _meta: { ...meta, [ELICIT]: elicit } } };
}
