import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

export type Tap = {
  /** Before it goes out. */
  sent?: (message: JSONRPCMessage) => void;
  /** Before the client sees it; a tap that returns `false` keeps it from those after it and from the client. */
  received?: (message: JSONRPCMessage) => boolean | void;
  /** It did not go out, or its reply never came in. */
  failed?: (message: JSONRPCMessage, error: unknown) => void;
};

const tapped = new WeakMap<Transport, Tap[]>();

/**
 * Lets one more see what a transport sends and receives, each message once. To be called before the client connects:
 * the client sets its handler several times, and calls the one before it from the next.
 */
export function tap(transport: Transport, each: Tap): void {
  const taps = tapped.get(transport);
  if (taps) {
    taps.push(each);
    return;
  }
  const all = [each];
  tapped.set(transport, all);
  watchSend(transport, all);
  watchReceive(transport, all);
}

function watchSend(transport: Transport, taps: Tap[]): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    // The client sends no batches; its transports' types allow them.
    const messages: JSONRPCMessage[] = [message].flat();
    for (const one of messages) for (const each of taps) each.sent?.(one);
    const sending = send(message, options);
    sending.catch((error: unknown) => {
      for (const one of messages) for (const each of taps) each.failed?.(one, error);
    });
    return sending;
  };
}

function watchReceive(transport: Transport, taps: Tap[]): void {
  const seen = new WeakSet<JSONRPCMessage>();
  let handler: Transport['onmessage'];
  const watched = (inner: Transport['onmessage']): Transport['onmessage'] =>
    inner &&
    ((message, extra) => {
      if (!seen.has(message)) {
        seen.add(message);
        if (taps.some((each) => each.received?.(message) === false)) return;
      }
      inner(message, extra);
    });
  handler = watched(transport.onmessage);
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => handler,
    set: (next: Transport['onmessage']) => {
      handler = watched(next);
    },
  });
}
