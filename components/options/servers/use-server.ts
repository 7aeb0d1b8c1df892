import { signal } from '@preact/signals';
import { fromWire } from '../../../lib/errors.ts';
import type { Outcome } from '../../../lib/protocol/servers.ts';
import type { Server } from '../../../lib/types/server.ts';
import { useSetupState } from '../options-context.ts';
import { useAction } from '../form/use-action.ts';
import { useGranted } from '../form/use-granted.ts';

/** Where a server is asked; null for a program on this computer. */
export const addressOf = (server: Server): string | null =>
  server.transport === 'stdio' ? null : server.url;

/** Switching one server on and off, and connecting it anew. Call them in a click: the browser may have to ask. */
export function useServer(server: Server) {
  const { command } = useSetupState();
  const { id } = server;
  const address = addressOf(server);
  const [on, off, anew] = [useGranted(address), useAction(), useGranted(address)];
  const clear = (): void => [on, off, anew].forEach((action) => action.clear());
  const enable = (enabled: boolean): void => {
    clear();
    if (enabled) return on.run(async () => requireOk(await command('connect', { id })));
    on.stop();
    off.run(() => command('disconnect', { id }));
  };
  return {
    enable,
    reconnect(): void {
      clear();
      anew.run(async () => requireOk(await command('reconnectServer', { id })));
    },
    isReconnecting: anew.busy,
    /** Why the last of them failed. What a connected server went through is in its status too. */
    error: off.error ?? on.error ?? anew.error,
  };
}

/** @throws AppError why it did not end well */
function requireOk({ error }: Outcome): void {
  if (error) throw fromWire(error);
}

/** The server whose form was saved last: the list says in words how it is doing. */
export const savedServer = signal<number | null>(null);
