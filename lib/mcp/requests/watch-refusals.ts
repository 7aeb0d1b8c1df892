import { ProtocolErrorCode } from '@modelcontextprotocol/client';
import type { RequestId, Transport } from '@modelcontextprotocol/client';
import type { Ask } from '../../types/request.ts';
import { askIn } from '../asks.ts';
import * as mcpErrors from '../../../locales/errors/mcp.ts';
import { isRecord } from '../content/raw.ts';
import type { Line } from '../line.ts';
import { tap } from '../log/tap.ts';
import { createCallQueue } from '../queue.ts';

/** What servers ask of the person, as requests of their own. */
const ASKING: ReadonlySet<string> = new Set(['elicitation/create', 'sampling/createMessage']);

/** What is sent in answer to a server's own request when Portside refuses it by itself; a person's no is another. */
const REFUSED: ReadonlySet<number> = new Set([
  ProtocolErrorCode.InvalidParams,
  ProtocolErrorCode.InternalError,
]);

/** More questions of one server wait for no answer; whatever else it asks gets none. */
const MOST_OPEN = 50;

/** So many answers go out at a time: each is a request of its own, which a cancel or another call would wait behind. */
const MOST_ANSWERS = 2;

/** An answer that the server does not take for so long leaves its place to the next, in milliseconds. */
const PLACE_MS = 2000;

/**
 * Keeps what a server asks from holding up everything else, and tells who made a request what was refused of the
 * server's own requests meanwhile.
 * @returns whether the server's last word to the request that brought this ask was a question (2026-07-28)
 */
export function watchRefusals({ transport, asks }: Pick<Line, 'transport' | 'asks'>): (ask: Ask) => boolean {
  const open = new Map<RequestId, Ask | undefined>();
  const asking = new WeakSet<Ask>();
  tap(transport, {
    received(message) {
      if ('method' in message) {
        if (!('id' in message) || !ASKING.has(message.method)) return true;
        const owner = ownerOf(message);
        const isTaken = open.size < MOST_OPEN && !open.has(message.id);
        if (isTaken) open.set(message.id, owner);
        else asks.refuse(owner, mcpErrors.tooManyAsked(MOST_OPEN));
        return isTaken;
      }
      if ('result' in message && isRecord(message.result['inputRequests'])) {
        const owner = ownerOf(Object.values(message.result['inputRequests'])[0]);
        if (owner) asking.add(owner);
      }
      return true;
    },
    sent(message) {
      if ('method' in message) {
        const owner = ownerOf(message);
        if (owner) asking.delete(owner);
      } else if (message.id !== undefined && open.has(message.id)) {
        const owner = open.get(message.id);
        open.delete(message.id);
        if ('error' in message && REFUSED.has(message.error.code)) asks.refuse(owner, message.error.message);
      }
    },
  });
  inTurn(transport);
  return (ask) => asking.has(ask);
}

function inTurn(transport: Transport): void {
  const answers = createCallQueue(() => MOST_ANSWERS);
  const { signal } = new AbortController();
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    if ('method' in message) return send(message, options);
    const { sent } = await answers.run('', signal, async () => {
      const sending = send(message, options);
      await Promise.race([sending, new Promise((resolve) => setTimeout(resolve, PLACE_MS))]);
      return { sent: sending };
    });
    return sent;
  };
}

function ownerOf(request: unknown): Ask | undefined {
  return isRecord(request) && isRecord(request['params']) ? askIn(request['params']['_meta']) : undefined;
}
