import { signal, type ReadonlySignal } from '@preact/signals';
import type { Commands, PanelEvent, Setup } from '../protocol.ts';
import type { WireError } from '../types/error.ts';
import { createConnection, type WorkerLink } from './connection.ts';

/** Applies a set-up event; any other leaves the set-up as it is. */
export function reduceSetup(setup: Setup | null, event: PanelEvent): Setup | null {
  if (event.type === 'setup') return event.setup;
  if (event.type === 'server_status' && setup) {
    return { ...setup, statuses: { ...setup.statuses, [event.serverId]: event.status } };
  }
  return setup;
}

export type SetupState = {
  /** null until the worker has told it. */
  setup: ReadonlySignal<Setup | null>;
  /** Why the page cannot reach the worker; null while it can. */
  error: ReadonlySignal<WireError | null>;
  /** Asks the worker and keeps the event port open meanwhile. @throws AppError */
  command: WorkerLink['send'];
  use: () => void;
};

/** The options page's state: what the person set up, live. */
export function createSetup(link: WorkerLink): SetupState {
  const setup = signal<Setup | null>(null);
  const error = signal<WireError | null>(null);
  const connection = createConnection(link.open, {
    request: () => ({ type: 'watch_setup' }),
    event: (event) => {
      setup.value = reduceSetup(setup.value, event);
      if (event.type === 'refused') error.value = event.error;
    },
    isWorking: () => false,
    failed: (failure) => (error.value = failure),
  });
  const command = ((name: keyof Commands, ...request: never) => {
    connection.use();
    return link.send(name, ...request);
  }) as WorkerLink['send'];
  return { setup, error, command, use: connection.use };
}

/** `Servers: n connected, m error`, counted over the enabled ones; `state` is the worst lamp. */
export function serverSummary(setup: Setup | null): {
  connected: number;
  failed: number;
  state: 'connected' | 'connecting' | 'error' | null;
} {
  const states = (setup?.servers ?? [])
    .filter((server) => server.enabled)
    .map((server) => setup?.statuses[server.id]?.state);
  const count = (state: string): number => states.filter((other) => other === state).length;
  const [connected, failed, connecting] = [count('connected'), count('error'), count('connecting')];
  const state = failed ? 'error' : connecting ? 'connecting' : connected ? 'connected' : null;
  return { connected, failed, state };
}

/** An address as a URL; null when it is none. */
export const urlOf = (address: string): URL | null => (URL.canParse(address) ? new URL(address) : null);

/** True when requests to `baseUrl` do not leave this computer. */
export function isLoopback(baseUrl: string): boolean {
  const host = urlOf(baseUrl)?.hostname ?? '';
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}
