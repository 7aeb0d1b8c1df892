import { signal, type ReadonlySignal } from '@preact/signals';
import { toWire } from '../../errors.ts';
import { OWN_CALLS } from '../../protocol/chats.ts';
import type { Commands } from '../../protocol/commands.ts';
import {
  CHATS_TOPIC,
  type ChatsEvent,
  type PanelEvent,
  type Revision,
  SETUP_TOPIC,
  type SubscriptionEvent,
} from '../../protocol/panel.ts';
import type { Setup } from '../../protocol/setup.ts';
import type { WireError } from '../../types/error.ts';
import type { RequestAnswer, ServerRequest } from '../../types/request.ts';
import type { ConversationState } from '../../types/conversation.ts';
import type { WireEntry } from '../../types/wire-log.ts';
import { createPanelPort, type WorkerLink } from '../panel-port.ts';

/** A page's copy of the configuration, and its revision. */
export type SetupCopy = {
  /** null until the worker has told it. */
  setup: ReadonlySignal<Setup | null>;
  revision: () => Revision | undefined;
  take: (event: Extract<PanelEvent, { type: 'setup' | 'server_status' }>) => void;
};

/** @param missed called when a change does not follow on what is here: all of it is to be asked for */
export function createSetupCopy(missed: () => void): SetupCopy {
  const setup = signal<Setup | null>(null);
  let revision: Revision | undefined;
  return {
    setup,
    revision: () => revision,
    take(event) {
      const before = setup.value;
      if (event.type === 'setup') {
        ({ revision, setup: setup.value } = event);
        return;
      }
      if (!before || !revision) return; // all of it is on its way
      if (follows(event.revision, revision)) {
        const statuses = { ...before.statuses, [event.serverId]: event.status };
        revision = event.revision;
        setup.value = { ...before, statuses };
      } else {
        revision = undefined;
        missed();
      }
    },
  };
}

/** How far a page has come with the list of chats. @param missed called when it was not told of every change */
export function createChatsRevision(missed: () => void) {
  let revision: Revision | undefined;
  return {
    revision: () => revision,
    take(event: ChatsEvent): void {
      const before = revision;
      ({ revision } = event);
      if (before && (event.type === 'chats' || !follows(revision, before))) missed();
    },
  };
}

/** Nothing came between the two. */
const follows = (next: Revision, before: Revision): boolean =>
  next.epoch === before.epoch && next.number === before.number + 1;

function reduceGoingOn(
  before: ReadonlyMap<string, ConversationState>,
  { conversationId, state }: Extract<PanelEvent, { type: 'conversation_state' }>,
): ReadonlyMap<string, ConversationState> {
  const after = new Map(before);
  if (state) after.set(conversationId, state);
  else after.delete(conversationId);
  return after;
}

export type SetupState = {
  /** null until the worker has told it. */
  setup: ReadonlySignal<Setup | null>;
  /** What began, waits or failed in chats since the page is open, or in the newest ones when some of it was missed; another object whenever that changes. */
  goingOn: ReadonlySignal<ReadonlyMap<string, ConversationState>>;
  /** What servers ask in calls and reads that belong to no chat, oldest first. */
  requests: ReadonlySignal<ServerRequest[]>;
  /** The user's answer to one of them. @throws AppError */
  answerRequest: (requestId: string, answer: RequestAnswer) => Promise<void>;
  /** Why the page cannot reach the worker; null while it can. */
  error: ReadonlySignal<WireError | null>;
  /** Asks the worker and keeps the event port open meanwhile. @throws AppError */
  command: WorkerLink['send'];
  /** Has every new line of a server's log told; of one server at a time. Returns the undo. */
  watchLog: (serverId: number, tell: (entry: WireEntry) => void) => () => void;
  use: () => void;
};

/** The options page's state: what is configured, and what servers ask in calls that belong to no chat, live. */
export function createSetup(
  link: WorkerLink,
  later: (task: () => void, ms: number) => void = setTimeout,
): SetupState {
  const copy = createSetupCopy(() => port.subscribe());
  const chats = createChatsRevision(() => void readGoingOn());
  const goingOn = signal<ReadonlyMap<string, ConversationState>>(new Map());
  const requests = signal<ServerRequest[]>([]);
  const error = signal<WireError | null>(null);
  let watchedLog: { serverId: number; tell: (entry: WireEntry) => void } | null = null;
  let subscription = 0;
  let revision: Revision | null = null;

  const port = createPanelPort(
    link,
    {
      subscribe: () => {
        subscription += 1;
        const [setup, listed] = [copy.revision(), chats.revision()];
        return {
          type: 'subscribe',
          subscription,
          conversationId: OWN_CALLS,
          ...(revision && { have: revision }),
          ...(setup && { setup }),
          ...(listed && { chats: listed }),
          ...(watchedLog && { logOf: watchedLog.serverId }),
        };
      },
      event: take,
      expects: () => copy.setup.value === null || revision === null,
      has(topic) {
        if (topic === SETUP_TOPIC) return copy.revision() ?? null;
        if (topic === CHATS_TOPIC) return chats.revision() ?? null;
        return topic === OWN_CALLS ? revision : undefined;
      },
      failed: (failure) => (error.value = failure),
      reached: () => {
        if (error.value?.code === 'worker_unreachable') error.value = null;
      },
    },
    later,
  );

  function take(event: PanelEvent): void {
    if (event.type === 'setup' || event.type === 'server_status') copy.take(event);
    else if ('subscription' in event) takeUpdate(event);
    else if (event.type === 'refused') error.value = event.error;
    else if (event.type === 'server_log') {
      if (event.serverId === watchedLog?.serverId) event.entries.forEach(watchedLog.tell);
    } else if (event.type !== 'follow' && !('appId' in event)) {
      chats.take(event);
      if (event.type === 'conversation_state') goingOn.value = reduceGoingOn(goingOn.value, event);
    }
  }

  /** What was missed of it is read anew. */
  async function readGoingOn(): Promise<void> {
    try {
      const { conversations } = await link.send('listConversations', {});
      goingOn.value = new Map(conversations.flatMap(({ id, state }) => (state ? [[id, state]] : [])));
    } catch (failure) {
      error.value = toWire(failure);
    }
  }

  function takeUpdate(event: SubscriptionEvent): void {
    if (event.subscription !== subscription) return;
    if (event.type === 'snapshot') {
      ({ revision } = event);
      requests.value = event.snapshot.requests;
    } else if (event.type === 'change' && event.from === revision?.number) {
      revision = { ...revision, number: event.to };
      requests.value = event.rows.requests ?? requests.value;
    } else if (event.type !== 'revision' || event.revision.number !== revision?.number) {
      revision = null;
      port.subscribe();
    }
  }

  const command = ((name: keyof Commands, ...request: never) => {
    port.use();
    return link.send(name, ...request);
  }) as WorkerLink['send'];
  function watchLog(serverId: number, tell: (entry: WireEntry) => void): () => void {
    const own = { serverId, tell };
    watchedLog = own;
    port.subscribe();
    return () => {
      if (watchedLog !== own) return;
      watchedLog = null;
      port.subscribe();
    };
  }

  return {
    setup: copy.setup,
    goingOn,
    requests,
    answerRequest: (requestId, answer) => command('answerRequest', { requestId, ...answer }),
    error,
    command,
    watchLog,
    use: port.use,
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
