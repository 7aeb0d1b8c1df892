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
import type { WireError } from '../../types/error.ts';
import type { RequestAnswer, ServerRequest } from '../../types/request.ts';
import type { ConversationState } from '../../types/conversation.ts';
import type { WireEntry } from '../../types/wire-log.ts';
import { createPanelPort, type WorkerLink } from '../panel-port.ts';
import { createChatsRevision, createSetupCopy } from '../revisions.ts';

/** What goes on in chats. What was missed of it is read anew. */
function createGoingOn({ send }: WorkerLink, failed: (error: WireError) => void) {
  const goingOn = signal<ReadonlyMap<string, ConversationState>>(new Map());
  const chats = createChatsRevision(() => {
    send('listConversations', {}).then(
      ({ conversations }) =>
        (goingOn.value = new Map(conversations.flatMap(({ id, state }) => (state ? [[id, state]] : [])))),
      (failure: unknown) => failed(toWire(failure)),
    );
  });
  return {
    goingOn,
    revision: chats.revision,
    take(event: ChatsEvent): void {
      chats.take(event);
      if (event.type !== 'conversation_state') return;
      const after = new Map(goingOn.value);
      if (event.state) after.set(event.conversationId, event.state);
      else after.delete(event.conversationId);
      goingOn.value = after;
    },
  };
}

/** The copy of what servers ask in no chat. @param missed called when a change does not follow on what is here */
function createRequestsCopy(missed: () => void) {
  const requests = signal<ServerRequest[]>([]);
  let revision: Revision | null = null;
  let subscription = 0;
  return {
    requests,
    revision: () => revision,
    subscribed: (): number => (subscription += 1),
    take(event: SubscriptionEvent): void {
      if (event.subscription !== subscription) return;
      if (event.type === 'snapshot') {
        ({ revision } = event);
        requests.value = event.snapshot.requests;
      } else if (event.type === 'change' && event.from === revision?.number) {
        revision = { ...revision, number: event.to };
        requests.value = event.rows.requests ?? requests.value;
      } else if (event.type !== 'revision' || event.revision.number !== revision?.number) {
        revision = null;
        missed();
      }
    },
  };
}

/** The options page's state: what is configured, and what servers ask in calls that belong to no chat, live. */
export function createSetup(link: WorkerLink) {
  const error = signal<WireError | null>(null);
  const failed = (failure: WireError): void => void (error.value = failure);
  const copy = createSetupCopy(() => port.subscribe());
  const { goingOn, ...chats } = createGoingOn(link, failed);
  const own = createRequestsCopy(() => port.subscribe());
  let watchedLog: { serverId: number; tell: (entry: WireEntry) => void } | null = null;

  const port = createPanelPort(
    link,
    {
      subscribe: () => {
        const [setup, listed, have] = [copy.revision(), chats.revision(), own.revision()];
        return {
          type: 'subscribe',
          subscription: own.subscribed(),
          conversationId: OWN_CALLS,
          ...(have && { have }),
          ...(setup && { setup }),
          ...(listed && { chats: listed }),
          ...(watchedLog && { logOf: watchedLog.serverId }),
        };
      },
      event: take,
      expects: () => copy.setup.value === null || own.revision() === null,
      has(topic) {
        if (topic === SETUP_TOPIC) return copy.revision() ?? null;
        if (topic === CHATS_TOPIC) return chats.revision() ?? null;
        return topic === OWN_CALLS ? own.revision() : undefined;
      },
      failed,
      reached: () => {
        if (error.value?.code === 'worker_unreachable') error.value = null;
      },
    },
    setTimeout,
  );

  function take(event: PanelEvent): void {
    if (event.type === 'setup' || event.type === 'server_status') copy.take(event);
    else if ('subscription' in event) own.take(event);
    else if (event.type === 'refused') error.value = event.error;
    else if (event.type === 'server_log') {
      if (event.serverId === watchedLog?.serverId) event.entries.forEach(watchedLog.tell);
    } else if (event.type !== 'follow' && !('appId' in event)) chats.take(event);
  }

  const command = ((name: keyof Commands, ...request: never) => {
    port.use();
    return link.send(name, ...request);
  }) as WorkerLink['send'];
  function watchLog(serverId: number, tell: (entry: WireEntry) => void): () => void {
    const watched = { serverId, tell };
    watchedLog = watched;
    port.subscribe();
    return () => {
      if (watchedLog !== watched) return;
      watchedLog = null;
      port.subscribe();
    };
  }

  return {
    /** null until the worker has told it. */
    setup: copy.setup,
    /** What runs, waits or failed in chats since the page was opened; of the newest chats alone once something was missed. A new map at each change. */
    goingOn: goingOn as ReadonlySignal<ReadonlyMap<string, ConversationState>>,
    /** What servers ask in calls and reads that belong to no chat, oldest first. */
    requests: own.requests as ReadonlySignal<ServerRequest[]>,
    /** The user's answer to one of them. @throws AppError */
    answerRequest: (requestId: string, answer: RequestAnswer): Promise<void> =>
      command('answerRequest', { requestId, ...answer }),
    /** Why the page cannot reach the worker; null while it can. */
    error: error as ReadonlySignal<WireError | null>,
    /** Asks the worker and keeps the event port open meanwhile. @throws AppError */
    command,
    /** Has every new line of a server's log told; of one server at a time. Returns the undo. */
    watchLog,
    use: port.use,
  };
}

export type SetupState = ReturnType<typeof createSetup>;
