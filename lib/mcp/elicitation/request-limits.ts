import {
  type JSONRPCRequest,
  ProtocolErrorCode,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/client';
import { createQueue } from '../../async.ts';
import type { Elicit } from '../../types/request.ts';
import { type Elicitations, elicitIn } from './elicitations.ts';
import { isRecord } from '../../json.ts';
import { tap } from '../log/tap.ts';
import { t } from '../../../locales/texts/errors.ts';

/** What servers ask of the user, as requests of their own. */
const ELICITATIONS: ReadonlySet<string> = new Set(['elicitation/create', 'sampling/createMessage']);

/** What is sent in answer to a server's own request when Portside refuses it by itself; the user's decline is another. */
const REFUSED: ReadonlySet<number> = new Set([
  ProtocolErrorCode.InvalidParams,
  ProtocolErrorCode.InternalError,
]);

/** Elicitations of one server that may be open at a time, and other requests of it. */
const MOST_OPEN = 50;

/** Answers that go out at a time: each is a request of its own, which a cancel or a call would wait behind. */
const MOST_ANSWERS = 1;

/**
 * Limits a server's own requests, so that they hold up nothing else, and tells the caller of a request which of them
 * were refused meanwhile. To be called before the client connects.
 * @returns whether the server's last word to the request of this `Elicit` was `input_required` (2026-07-28)
 */
export function limitRequests(transport: Transport, elicitations: Elicitations): (elicit: Elicit) => boolean {
  const open = new Map<RequestId, Elicit | undefined>();
  /** What the client answers at once, such as a ping. */
  const others: typeof open = new Map();
  const asking = new WeakSet<Elicit>();
  /** Requests that ended because of what their server asks, which it may go on with on their streams. */
  const endless = new WeakSet<Elicit>();
  const isTaken = (request: JSONRPCRequest): boolean => {
    const { id } = request;
    const owner = ownerOf(request);
    const isElicitation = ELICITATIONS.has(request.method);
    const waiting = isElicitation ? open : others;
    const hasPlace = waiting.size < MOST_OPEN && !waiting.has(id) && !(owner && endless.has(owner));
    if (hasPlace) waiting.set(id, owner);
    else if (isElicitation) refuse(id, owner);
    return hasPlace;
  };
  /** An elicitation too many is answered while the request that it came in goes on. */
  const refuse = (id: RequestId, owner: Elicit | undefined): void => {
    const why = t(($) => $.errors.mcp.tooManyAsked, { most: MOST_OPEN });
    if (!goesOn(owner, why) || open.has(id)) return;
    const error = { code: ProtocolErrorCode.InvalidParams, message: why };
    // Whether it arrives is the server's concern.
    transport.send({ jsonrpc: '2.0', id, error }).catch(() => undefined);
  };
  const goesOn = (owner: Elicit | undefined, why: string): boolean => {
    const goes = elicitations.refuse(owner, why);
    if (owner && !goes) endless.add(owner);
    return goes;
  };
  tap(transport, {
    received(message) {
      if ('method' in message) {
        // What the server takes back gets no answer.
        const back = message.method === 'notifications/cancelled' && message.params?.['requestId'];
        for (const waiting of [open, others]) waiting.delete(back as RequestId);
        withKnownFormats(message);
        return !('id' in message) || isTaken(message);
      }
      if ('result' in message && isRecord(message.result['inputRequests'])) {
        const requests = Object.values(message.result['inputRequests']);
        requests.forEach(withKnownFormats);
        const owner = ownerOf(requests[0]);
        if (owner) asking.add(owner);
      }
      return true;
    },
    sent(message) {
      if ('method' in message) {
        const owner = ownerOf(message);
        if (owner) asking.delete(owner);
      } else if (message.id !== undefined && !others.delete(message.id) && open.has(message.id)) {
        const owner = open.get(message.id);
        open.delete(message.id);
        if ('error' in message && REFUSED.has(message.error.code)) goesOn(owner, message.error.message);
      }
    },
  });
  inTurn(transport);
  return (elicit) => asking.has(elicit);
}

function inTurn(transport: Transport): void {
  const answers = createQueue(() => MOST_ANSWERS);
  const over = new AbortController();
  const { onclose } = transport;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the transport is no EventTarget
  transport.onclose = () => {
    over.abort();
    onclose?.();
  };
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    if ('method' in message) return send(message, options);
    return answers.run('', over.signal, () => send(message, options));
  };
}

/** Those that forms have (MCP 2025-11-25, client/elicitation, "Requested Schema"). */
const FORMATS: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time']);

/** Takes any other format out of a form: the client would refuse the whole, but JSON Schema has it ignored (2020-12, validation, 7.1). */
function withKnownFormats(request: unknown): void {
  const params = fieldOf(request, 'params');
  const properties = fieldOf(fieldOf(params, 'requestedSchema'), 'properties');
  if (!isRecord(properties)) return;
  for (const field of Object.values(properties)) {
    if (isRecord(field) && 'format' in field && !FORMATS.has(field['format'])) delete field['format'];
  }
}

const fieldOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);

function ownerOf(request: unknown): Elicit | undefined {
  return isRecord(request) && isRecord(request['params']) ? elicitIn(request['params']['_meta']) : undefined;
}
