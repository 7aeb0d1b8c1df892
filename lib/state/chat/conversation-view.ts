import { batch, signal, type ReadonlySignal } from '@preact/signals';
import { toWire } from '../../errors.ts';
import { NEW_CHAT } from '../../protocol/chats.ts';
import type { Commands, Reply } from '../../protocol/commands.ts';
import {
  CHATS_TOPIC,
  type ChatsEvent,
  type ChatRows,
  type PanelEvent,
  type Place,
  type Revision,
  SETUP_TOPIC,
  type Snapshot,
  type Subscribe,
  type SubscriptionEvent,
} from '../../protocol/panel.ts';
import type { WireError } from '../../types/error.ts';
import type { Run } from '../../types/run.ts';
import type { Conversation } from '../../types/conversation.ts';
import { type Chat, chatFrom, emptyChat, withRows, unread } from './chat.ts';
import { createAppTools } from '../apps/app-tools.ts';
import { createPanelPort, type WorkerLink } from '../panel-port.ts';
import { createSetupCopy } from '../revisions.ts';
import type { PanelSeams } from '../seams.ts';
import { createStreams } from './streams.ts';

/** What the rest of the panel is told of. */
export type ViewListener = {
  /** Gets the stored draft once for each chat shown. */
  draft: (text: string) => void;
  /** What was queued in this chat and is not sent any more. */
  unsent: (runs: Run[]) => void;
  /** A run was asked for that has not shown up yet. */
  isStarting: () => boolean;
  /** Which requests of servers wait in a conversation. */
  waiting: (conversationId: string, requestIds: string[]) => void;
  /** What changed in the list of chats. */
  chats: (event: ChatsEvent) => void;
  chatsRevision: () => Revision | undefined;
  /** Another chat than the one shown is to be shown; null: a new one. */
  turn: (conversation: Conversation | null) => void;
};

/**
 * The conversation that a panel shows, live, and its line to the worker: a copy and its revision. What the worker tells is
 * applied where it fits what is here; where it does not, something was missed, and the view subscribes anew, which replaces
 * the copy.
 */
export function createConversationView(
  link: WorkerLink,
  seams: Pick<PanelSeams, 'nextFrame' | 'later'>,
  page: ViewListener,
) {
  const chat = signal<Chat>(emptyChat);
  const setup = createSetupCopy(() => port.subscribe());
  const snapshots = signal(0);
  const conversationId = signal<string | null>(null);
  const error = signal<WireError | null>(null);
  const streams = createStreams(seams.nextFrame);
  /** No conversation was chosen yet: the worker names one. */
  let isAny = true;
  let draftWanted = true;
  let place: Place | null = null;
  let isHidden = false;
  let isChosen = false;
  /** The user chose what is shown, and the worker has not answered that yet. */
  let isChoice = false;
  let subscription = 0;
  let isAnswered = false;
  /** Of the copy; null: there is none, or it is known to lack something. */
  let revision: Revision | null = null;
  /** Runs that this page asked for. */
  const own = new Set<string>();
  /** Runs that were queued, and whose message is in the draft since. */
  const takenBack = new Set<string>();

  const appTools = createAppTools((request) => port.say(request));
  const port = createPanelPort(
    link,
    {
      subscribe,
      opened: appTools.opened,
      event: (event) => batch(() => take(event)),
      expects: () =>
        place !== null &&
        (!isAnswered || page.isStarting() || chat.value.runs.some((run) => run.status === 'working')),
      has(topic) {
        if (place === null) return undefined;
        if (topic === SETUP_TOPIC) return setup.revision() ?? null;
        if (topic === CHATS_TOPIC) return page.chatsRevision() ?? null;
        return topic === shownId() ? revision : undefined;
      },
      failed: (failure) => (error.value = failure),
      reached: () => {
        if (error.value?.code === 'worker_unreachable') error.value = null;
      },
    },
    seams.later,
  );

  const shownId = (): string => conversationId.value ?? NEW_CHAT;

  function subscribe(): Subscribe {
    const [known, listed] = [setup.revision(), page.chatsRevision()];
    subscription += 1;
    isAnswered = false;
    return {
      type: 'subscribe',
      subscription,
      conversationId: isAny ? null : shownId(),
      ...(revision && { have: revision }),
      ...(known && { setup: known }),
      ...(listed && { chats: listed }),
      ...(place && Object.keys(place).length > 0 && { place }),
      ...(isChoice && { isChoice }),
      ...(isHidden && { isHidden }),
    };
  }

  /** The copy is not what the worker has: all of it is asked for. */
  function resync(): void {
    revision = null;
    port.subscribe();
  }

  function take(event: PanelEvent): void {
    if ('subscription' in event) return takeUpdate(event);
    if (event.type === 'setup' || event.type === 'server_status') setup.take(event);
    else if (event.type === 'follow') follow(event.conversationId);
    else if (event.type === 'call_app_tool' || event.type === 'cancel_app_tool') appTools.take(event);
    else if (event.type === 'refused') error.value = event.error;
    else if (event.type !== 'server_log') {
      page.chats(event);
      if (event.type === 'conversations_gone') leave(event.ids);
    }
  }

  function takeUpdate(event: SubscriptionEvent): void {
    if (event.subscription !== subscription) return; // the worker tells of something else by now
    if (event.type === 'snapshot') return takeSnapshot(event.conversationId, event.revision, event.snapshot);
    if (event.type === 'revision') return takeRevision(event.revision);
    if (!revision) return; // asked for as a whole
    if (event.type === 'append') {
      if (!streams.append(event)) resync();
    } else if (event.from !== revision.number) resync();
    else {
      revision = { ...revision, number: event.to };
      takeRows(event.rows);
    }
  }

  function takeRevision({ epoch, number }: Revision): void {
    if (revision?.epoch !== epoch || revision.number !== number) return resync();
    isAnswered = true;
    isChoice = false;
  }

  /** Runs that were queued here and are in the draft now, since the run before them was stopped or failed: each one once. */
  function takeBack(runs: Run[] = []): Run[] {
    const known = new Set([...own, ...chat.value.runs.map(({ id }) => id)]);
    const unsent = runs.filter((run) => run.unsent && known.has(run.id) && !takenBack.has(run.id));
    for (const { id } of unsent) takenBack.add(id);
    return unsent;
  }

  function takeRows(rows: ChatRows): void {
    const before = chat.value.runs;
    const after = withRows(chat.value, rows);
    // With what was attached to them: that the draft has it again is told later.
    const unsent = takeBack(rows.runs).map((run) => before.find(({ id }) => id === run.id) ?? run);
    for (const { id } of rows.messages ?? []) streams.drop(id);
    for (const id of rows.removed ?? []) streams.drop(id);
    chat.value = after;
    openStreams();
    if (rows.requests) tellWaiting();
    if (unsent.length > 0) page.unsent(unsent);
  }

  /** What belongs to a chat that has not begun is told under an id of its own. */
  const draftId = (): string => chat.value.conversation?.id ?? NEW_CHAT;

  function follow(id: string): void {
    if (id !== shownId()) page.turn(id === NEW_CHAT ? null : unread(id));
  }

  /** The chat shown was deleted, here or elsewhere. */
  function leave(ids: string[]): void {
    if (conversationId.value !== null && ids.includes(conversationId.value)) page.turn(null);
  }

  function takeSnapshot(id: string, now: Revision, snapshot: Snapshot): void {
    if (isAny) conversationId.value = id === NEW_CHAT ? null : id;
    isAny = false;
    const before = chat.value;
    if (before.conversation && !snapshot.conversation) return leave([before.conversation.id]);
    revision = now;
    isAnswered = true;
    isChoice = false;
    streams.clear();
    const unsent = takeBack(snapshot.runs);
    const { attachments } = before;
    chat.value = chatFrom(snapshot);
    // A chat that is about to begin: what goes with its first message is kept under another id until then.
    if (!snapshot.conversation && conversationId.value !== null) chat.value = { ...chat.value, attachments };
    snapshots.value += 1;
    openStreams();
    tellWaiting();
    const wanted = draftWanted;
    draftWanted = false;
    if (wanted) page.draft(snapshot.draft);
    // Where a later question was sent before the draft was here, that has taken its place.
    const lacking = unsent.filter(({ queued }) => !wanted || !snapshot.draft.includes(queued?.text ?? ''));
    if (lacking.length > 0) page.unsent(lacking);
  }

  const tellWaiting = (): void =>
    page.waiting(
      draftId(),
      chat.value.requests.map(({ id }) => id),
    );

  /** So that the first delta finds its stream, drawn or not. */
  function openStreams(): void {
    for (const message of chat.value.messages) {
      if (message.role === 'assistant' && message.status === 'streaming') streams.of(message);
    }
  }

  /** Something else is shown: there is no copy of it yet. */
  function change(to: Chat, id: string | null): void {
    revision = null;
    draftWanted = true;
    streams.clear();
    batch(() => {
      chat.value = to;
      conversationId.value = id;
    });
    if (place) port.subscribe();
  }

  const use = (): void => {
    if (place) port.use();
  };

  return {
    chat,
    streams,
    setup: setup.setup,
    /** null for a chat that has not begun. */
    conversationId,
    /** Where the panel stands, once it has started. */
    place: (): Place | null => place,
    /** Whether the user has turned to a chat or a tab since the page opened. */
    isChosen: (): boolean => isChosen,
    /** Under which id what is not sent yet is kept. */
    draftId,
    error,
    /** True until the stored draft of the chat shown is here: nothing may be saved over it yet. */
    draftPending: (): boolean => draftWanted,
    /** Counts the snapshots that were taken. */
    snapshots: snapshots as ReadonlySignal<number>,
    /** Opens the event port; what is asked before goes without it. */
    start(at: Place): void {
      place = at;
      use();
    },
    /** Opens the event port if it is down. */
    use,
    /** What the apps on the page offer to the model. */
    appTools,
    /** Whether the user can see the panel. */
    setHidden(next: boolean): void {
      if (next === isHidden) return;
      isHidden = next;
      port.say({ type: 'visibility', isHidden });
    },
    /** The panel stands before another tab: the worker names the chat of that one. */
    moveTo(tabId: number): void {
      place = { ...place, tabId };
      isAny = true;
      isChoice = false;
      isChosen = true;
      change(emptyChat, null);
    },
    /** Shows a conversation, null for a new chat; its draft follows. `chosen`: by the user, in this panel. */
    show(conversation: Conversation | null, chosen = true): void {
      isAny = false;
      isChoice = chosen;
      isChosen ||= chosen;
      error.value = null;
      // A new chat in a new chat: what is attached to it stays in sight.
      const isSame = conversation === null && conversationId.value === null;
      change(isSame ? chat.value : { ...emptyChat, conversation }, conversation?.id ?? null);
    },
    /** Whether the message of a run that was asked for here is in the draft again. */
    isTakenBack: (runId: string): boolean => takenBack.has(runId),
    /** A run was asked for here; the chat that is shown begins with it under this id, if it has not begun. */
    adopt(id: string, runId: string): void {
      own.add(runId);
      isAny = false;
      isChosen = true;
      if (id !== conversationId.value) {
        draftWanted = false;
        isChoice = true;
        conversationId.value = id;
        // Nothing of it is written before this page asks for that: it stands at the beginning.
        const { epoch } = revision ?? setup.revision() ?? {};
        revision = epoch === undefined ? null : { epoch, number: 0 };
        if (place) port.subscribe();
      } else use();
    },
    /** Asks the worker; a failure becomes `error`, and undefined comes back. */
    async command<K extends keyof Commands>(
      name: K,
      ...request: Parameters<Commands[K]>
    ): Promise<{ reply: Reply<K> } | undefined> {
      use();
      try {
        return { reply: await link.send(name, ...request) };
      } catch (failure) {
        error.value = toWire(failure);
        return undefined;
      }
    },
  };
}

export type ConversationView = ReturnType<typeof createConversationView>;
