import { batch, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { toWire } from '../errors.ts';
import { NEW_CHAT } from '../protocol/chats.ts';
import type { Commands } from '../protocol/commands.ts';
import type { PanelEvent, Place, Snapshot } from '../protocol/panel.ts';
import type { Setup } from '../protocol/setup.ts';
import type { WireError } from '../types/error.ts';
import type { RunEvent } from '../types/run.ts';
import type { Conversation } from '../types/setup.ts';
import { conversationOf, emptyChat, reduceChat, type Chat } from './chat.ts';
import { createConnection, type WorkerLink } from './connection.ts';
import type { TextStore } from './kept-answers.ts';
import { takenBack, unread } from './other-chats.ts';
import { reduceSetup } from './setup.ts';
import { createStreams, type Streams } from './streams.ts';

/** What a test or the gallery may replace. */
export type PanelSeams = {
  nextFrame: (paint: () => void) => void;
  newId: () => string;
  now: () => string;
  /** What outlives the page; null: nothing does. */
  store: TextStore | null;
  /** The id of the browser window that the page is in. */
  ownWindow: () => Promise<number>;
  later: (task: () => void, ms: number) => void;
};

/** The conversation a panel shows, live, and its line to the worker. */
export type Watching = {
  chat: Signal<Chat>;
  streams: Streams;
  setup: Signal<Setup | null>;
  /** null for a chat that has not begun. */
  conversationId: Signal<string | null>;
  /** Under which id what is not sent yet is kept. */
  draftId: () => string;
  error: Signal<WireError | null>;
  /** True until the stored draft of the chat shown is here: nothing may be saved over it yet. */
  draftPending: () => boolean;
  /** Counts the snapshots that were taken. */
  snapshots: ReadonlySignal<number>;
  /** Opens the event port; what is asked before goes without it. */
  start: (place: Place) => void;
  /** Opens the event port if it is down. */
  use: () => void;
  /** Whether the panel is before somebody's eyes. */
  setHidden: (isHidden: boolean) => void;
  /** The panel stands before another tab: the worker names the chat of that one. */
  moveTo: (tabId: number) => void;
  /**
   * Shows a conversation, null for a new chat; its draft follows. `isChoice`: the person's, in this panel.
   */
  show: (conversation: Conversation | null, isChoice?: boolean) => void;
  /** Gives the chat that is shown the id under which it begins. */
  adopt: (id: string) => void;
  /** Asks for the snapshot of an adopted chat, once it has begun: reading it must not hold up its run. */
  watchAdopted: () => void;
  /** Asks the worker; a failure becomes `error`, and undefined comes back. */
  command: <K extends keyof Commands>(
    name: K,
    ...request: Parameters<Commands[K]>
  ) => Promise<{ reply: ReturnType<Commands[K]> } | undefined>;
};

/**
 * `page.draft` gets the stored draft once for each chat shown; `page.unsent`, what was queued in this chat and is not sent any more.
 * `page.isStarting`: a run was asked for that has not shown up yet. `page.waiting` gets which requests of servers wait in
 * a conversation whenever it is told as a whole; `page.answered`, each that ends.
 */
export function createWatching(
  link: WorkerLink,
  seams: Pick<PanelSeams, 'nextFrame' | 'now'>,
  page: {
    draft: (text: string) => void;
    unsent: (texts: string[]) => void;
    isStarting: () => boolean;
    waiting: (conversationId: string, requestIds: string[]) => void;
    answered: (requestId: string) => void;
    /** Every event, as it comes. */
    event: (event: PanelEvent) => void;
    /** Another chat than the one shown is to be shown; null: a new one. */
    turn: (conversation: Conversation | null) => void;
  },
): Watching {
  const chat = signal<Chat>(emptyChat);
  const setup = signal<Setup | null>(null);
  const snapshots = signal(0);
  const conversationId = signal<string | null>(null);
  const error = signal<WireError | null>(null);
  const streams = createStreams(seams.nextFrame);
  /** Nobody chose a conversation yet: the worker names the newest. */
  let anyConversation = true;
  let draftWanted = true;
  let place: Place | null = null;
  let isHidden = false;
  /** The person chose what is shown, and the worker was not told yet. */
  let isChoice = false;
  let isAdopted = false;

  const connection = createConnection(link.open, {
    request() {
      const chosen = isChoice && !anyConversation && !isAdopted;
      if (!isAdopted) isChoice = false;
      return {
        type: 'watch',
        conversationId: anyConversation ? null : (conversationId.value ?? NEW_CHAT),
        ...(place && Object.keys(place).length > 0 && { place }),
        ...(chosen && { isChoice: true }),
        ...(isAdopted && { isNew: true }),
        ...(isHidden && { isHidden }),
      };
    },
    event: (event) => batch(() => take(event)),
    isWorking: () =>
      draftWanted || page.isStarting() || chat.value.runs.some((run) => run.status === 'working'),
    failed: (failure) => (error.value = failure),
  });

  function take(event: PanelEvent): void {
    setup.value = reduceSetup(setup.value, event);
    page.event(event);
    if (event.type === 'snapshot') takeSnapshot(event.snapshot);
    else if (event.type === 'follow') follow(event.conversationId);
    else if (event.type === 'conversations_gone') leave(event.ids);
    else if (event.type === 'refused') error.value = event.error;
    else takeChange(event);
  }

  function takeChange(event: PanelEvent): void {
    if (event.type === 'server_request_end') page.answered(event.requestId);
    const about = conversationOf(event);
    if (about === null || (about !== conversationId.value && about !== draftId())) return;
    if (event.type === 'unsent') return page.unsent(event.texts);
    if (event.type === 'run' && event.event.type === 'run_end') settle();
    const before = chat.value;
    chat.value = reduceChat(before, event, seams.now());
    if (event.type === 'run') stream(event.event, chat.value !== before);
  }

  /** What belongs to a chat that has not begun is told under an id of its own. */
  const draftId = (): string => chat.value.conversation?.id ?? NEW_CHAT;

  function follow(id: string): void {
    if (id !== (conversationId.value ?? NEW_CHAT)) page.turn(id === NEW_CHAT ? null : unread(id));
  }

  /** The chat shown was deleted, here or elsewhere. */
  function leave(ids: string[]): void {
    if (conversationId.value !== null && ids.includes(conversationId.value)) page.turn(null);
  }

  function takeSnapshot(snapshot: Snapshot): void {
    const { conversation } = snapshot;
    if (anyConversation) {
      anyConversation = false;
      conversationId.value = conversation?.id ?? null;
      // No chat yet: the draft of the one about to begin is kept under an id of its own.
      if (!conversation) return connection.rewatch();
    }
    // The answer to an earlier watch, overtaken by a later one.
    const late = conversation ? conversation.id !== conversationId.value : chat.value.conversation !== null;
    if (late) {
      // The worker now tells of the other conversation.
      if (conversation) connection.rewatch();
      return;
    }
    streams.clear();
    const unsent = takenBack(chat.value, snapshot);
    const { attachments } = chat.value;
    chat.value = reduceChat(chat.value, { type: 'snapshot', snapshot }, seams.now());
    // A chat that is about to begin: what goes with its first message is kept under another id until then.
    if (!conversation && conversationId.value !== null) chat.value = { ...chat.value, attachments };
    snapshots.value += 1;
    openStreams();
    page.waiting(
      draftId(),
      snapshot.requests.map(({ id }) => id),
    );
    const wanted = draftWanted;
    draftWanted = false;
    if (wanted) page.draft(snapshot.draft);
    else if (unsent.length > 0) page.unsent(unsent);
  }

  /** `changed`: the event changed the chat. A delta does so only when it begins its message, anew or at all. */
  function stream(event: RunEvent, changed: boolean): void {
    if (event.type === 'text_delta' || event.type === 'reasoning_delta' || event.type === 'call_delta') {
      if (changed) streams.drop(event.messageId);
      if (changed) openStreams();
      streams.append(event);
    } else if (event.type === 'iteration_start') openStreams();
    else if (event.type === 'message_end') streams.drop(event.message.id);
  }

  /** So that the first delta finds its stream, drawn or not. */
  function openStreams(): void {
    for (const message of chat.value.messages) {
      if (message.role === 'assistant' && message.status === 'streaming') streams.of(message);
    }
  }

  /** A run that ended leaves no message streaming: what came is kept as partial; of one that said nothing, nothing. */
  function settle(): void {
    streams.flush();
    const messages = chat.value.messages.flatMap((message) => {
      if (message.role !== 'assistant' || message.status !== 'streaming') return [message];
      const { text, reasoning } = streams.of(message);
      streams.drop(message.id);
      const partial = { ...message, status: 'partial' as const, content: text.value };
      if (reasoning.value !== '') partial.reasoning = reasoning.value;
      return partial.content === '' && partial.reasoning === undefined ? [] : [partial];
    });
    chat.value = { ...chat.value, messages };
  }

  /** Says what is watched now, once the panel has started. */
  function watch(id: string | null): void {
    conversationId.value = id;
    if (place) connection.rewatch();
  }

  const use = (): void => {
    if (place) connection.use();
  };

  return {
    chat,
    streams,
    setup,
    conversationId,
    draftId,
    error,
    draftPending: () => draftWanted,
    snapshots,
    start(at) {
      place = at;
      use();
    },
    use,
    setHidden(next) {
      if (next === isHidden) return;
      isHidden = next;
      connection.say({ type: 'visibility', isHidden });
    },
    moveTo(tabId) {
      place = { ...place, tabId };
      anyConversation = true;
      draftWanted = true;
      streams.clear();
      batch(() => {
        chat.value = emptyChat;
        watch(null);
      });
    },
    show(conversation, chosen = true) {
      anyConversation = false;
      draftWanted = true;
      isChoice = chosen;
      streams.clear();
      batch(() => {
        chat.value = { ...emptyChat, conversation };
        error.value = null;
        watch(conversation?.id ?? null);
      });
    },
    adopt(id) {
      draftWanted = false;
      anyConversation = false;
      if (id === conversationId.value) return;
      isChoice = true;
      conversationId.value = id;
      isAdopted = true;
      if (place) connection.rewatch();
    },
    watchAdopted() {
      if (!isAdopted) return;
      isAdopted = false;
      if (place) connection.rewatch();
    },
    async command(name, ...request) {
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
