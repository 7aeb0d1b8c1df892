import { signal, type ReadonlySignal } from '@preact/signals';
import { OWN_CALLS } from '../protocol/chats.ts';
import type { Commands } from '../protocol/commands.ts';
import type { PanelEvent } from '../protocol/panel.ts';
import type { Setup } from '../protocol/setup.ts';
import type { WireError } from '../types/error.ts';
import type { RequestAnswer, ServerRequest } from '../types/request.ts';
import type { ConversationState } from '../types/setup.ts';
import type { WireEntry } from '../types/wire-log.ts';
import { createConnection, type WorkerLink } from './connection.ts';

/** Applies a set-up event; any other leaves the set-up as it is. */
export function reduceSetup(setup: Setup | null, event: PanelEvent): Setup | null {
  if (event.type === 'setup') return event.setup;
  if (event.type === 'server_status' && setup) {
    return { ...setup, statuses: { ...setup.statuses, [event.serverId]: event.status } };
  }
  return setup;
}

function reduceGoingOn(
  before: ReadonlyMap<string, ConversationState>,
  { conversationId, state }: Extract<PanelEvent, { type: 'conversation_state' }>,
): ReadonlyMap<string, ConversationState> {
  const after = new Map(before);
  if (state) after.set(conversationId, state);
  else after.delete(conversationId);
  return after;
}

/** What servers ask in calls that belong to no chat. */
export function reduceRequests(before: ServerRequest[], event: PanelEvent): ServerRequest[] {
  if (event.type === 'server_request') {
    const { request } = event;
    const isKnown = before.some(({ id }) => id === request.id);
    return isKnown || request.conversationId !== OWN_CALLS ? before : [...before, request];
  }
  if (event.type !== 'server_request_end') return before;
  return before.filter(({ id }) => id !== event.requestId);
}

export type SetupState = {
  /** null until the worker has told it. */
  setup: ReadonlySignal<Setup | null>;
  /** What began, waits or failed in chats since the page is open; another object whenever that changes. */
  goingOn: ReadonlySignal<ReadonlyMap<string, ConversationState>>;
  /** What servers ask in calls and reads that belong to no chat, oldest first. */
  requests: ReadonlySignal<ServerRequest[]>;
  /** The person's answer to one of them. @throws AppError */
  answerRequest: (requestId: string, answer: RequestAnswer) => Promise<void>;
  /** Why the page cannot reach the worker; null while it can. */
  error: ReadonlySignal<WireError | null>;
  /** Asks the worker and keeps the event port open meanwhile. @throws AppError */
  command: WorkerLink['send'];
  /** Has every new line of a server's log told; of one server at a time. Returns the undo. */
  watchLog: (serverId: number, tell: (entry: WireEntry) => void) => () => void;
  use: () => void;
};

/** The options page's state: what the person set up, live. */
export function createSetup(link: WorkerLink): SetupState {
  const setup = signal<Setup | null>(null);
  const goingOn = signal<ReadonlyMap<string, ConversationState>>(new Map());
  const requests = signal<ServerRequest[]>([]);
  const error = signal<WireError | null>(null);
  let watchedLog: { serverId: number; tell: (entry: WireEntry) => void } | null = null;
  const connection = createConnection(link.open, {
    request: () => ({ type: 'watch_setup', ...(watchedLog && { logOf: watchedLog.serverId }) }),
    event: (event) => {
      setup.value = reduceSetup(setup.value, event);
      if (event.type === 'conversation_state') goingOn.value = reduceGoingOn(goingOn.value, event);
      requests.value = reduceRequests(requests.value, event);
      if (event.type === 'refused') error.value = event.error;
      if (event.type === 'server_log' && event.serverId === watchedLog?.serverId)
        event.entries.forEach(watchedLog.tell);
    },
    isWorking: () => setup.value === null,
    failed: (failure) => (error.value = failure),
  });
  const command = ((name: keyof Commands, ...request: never) => {
    connection.use();
    return link.send(name, ...request);
  }) as WorkerLink['send'];
  function watchLog(serverId: number, tell: (entry: WireEntry) => void): () => void {
    const own = { serverId, tell };
    watchedLog = own;
    connection.rewatch();
    return () => {
      if (watchedLog !== own) return;
      watchedLog = null;
      connection.rewatch();
    };
  }

  return {
    setup,
    goingOn,
    requests,
    answerRequest: (requestId, answer) => command('answerRequest', { requestId, ...answer }),
    error,
    command,
    watchLog,
    use: connection.use,
  };
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
