import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** Never answered: it stays open for as long as the client subscribes (MCP 2026-07-28). */
const LISTEN = 'subscriptions/listen';

type Activity = {
  sent(message: JSONRPCMessage): void;
  received(message: JSONRPCMessage): void;
  /** It is in the middle of saying something. */
  touched(): void;
  stop(): void;
};

/** Tells when nothing was said for `idleMs`, in either direction, while no request waits for its answer. */
export function watchActivity(idleMs: number | null, idle: () => void): Activity {
  const open = new Set<unknown>();
  let timer: NodeJS.Timeout | undefined;
  const touched = (): void => {
    clearTimeout(timer);
    if (idleMs !== null && open.size === 0) timer = setTimeout(idle, idleMs);
  };
  touched();
  return {
    sent(message) {
      if ('method' in message && 'id' in message && message.method !== LISTEN) open.add(message.id);
      if ('method' in message && message.method === 'notifications/cancelled') {
        open.delete(message.params?.['requestId']);
      }
      touched();
    },
    received(message) {
      if (!('method' in message)) open.delete(message.id);
      touched();
    },
    touched,
    stop: () => clearTimeout(timer),
  };
}
