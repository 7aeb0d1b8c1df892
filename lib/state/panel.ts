import { computed, type ReadonlySignal } from '@preact/signals';
import { AppError, toWire } from '../errors.ts';
import { ownWindow } from '../gestures.ts';
import { NEW_CHAT, type Commands, type ListedConversation, type Setup } from '../protocol.ts';
import type { WireError } from '../types/error.ts';
import type { Run } from '../types/run.ts';
import type { ChatChoice, Conversation } from '../types/setup.ts';
import { withOlder, type Chat } from './chat.ts';
import type { WorkerLink } from './connection.ts';
import { createDraft, restAfter } from './draft.ts';
import { createLocalServers, type LocalServers } from './local-servers.ts';
import { liveRun } from './run-status.ts';
import { createStarting, type Starting, type When } from './starting.ts';
import type { Streams } from './streams.ts';
import { createWatching, type PanelSeams, type Watching } from './watching.ts';

/** The person's answer to a waiting call. */
export type CallAnswer = Omit<Parameters<Commands['resolveCall']>[0], 'callId'>;

export type Panel = {
  chat: ReadonlySignal<Chat>;
  streams: Streams;
  /** null until the worker has told it. */
  setup: ReadonlySignal<Setup | null>;
  conversations: ReadonlySignal<ListedConversation[]>;
  /** The conversation shown; null for a chat that has not begun. */
  conversationId: ReadonlySignal<string | null>;
  /** The composer's text. */
  text: ReadonlySignal<string>;
  /** What the last thing asked of the worker failed with. */
  error: ReadonlySignal<WireError | null>;
  /** True from Send until the run shows up: the run bar must not say that an answer is ready. */
  starting: ReadonlySignal<boolean>;
  /** Something is being worked on, or waits for the person. */
  live: ReadonlySignal<boolean>;
  /** The model servers on this computer, for the first run. */
  local: LocalServers;
  /** Asks the worker; a failure becomes `error`, and undefined comes back. */
  command: Watching['command'];
  start: () => void;
  /** The person turned to the panel: opens the event port if it is down. */
  use: () => void;
  type: (text: string) => void;
  saveDraft: () => void;
  /** While a run is live the message is queued, unless `when` says otherwise. */
  send: (when?: When) => Promise<void>;
  /** Retry, Continue: the conversation goes on from where it stands. */
  goOn: () => Promise<void>;
  /** Ends the wait for the next try: asks the model again now. */
  retryNow: () => Promise<void>;
  /** Ends the run. What was queued comes back into the composer. */
  stop: () => Promise<void>;
  /** Shows a conversation; null is a new chat. */
  show: (conversation: Conversation | null) => void;
  loadConversations: () => Promise<void>;
  loadOlder: () => Promise<void>;
  /** What the worker has against edited arguments; null when the answer was taken, or `error` says why not. */
  resolveCall: (callId: string, answer: CallAnswer) => Promise<WireError | null>;
  /** Makes a finished call once more and lets the model go on from its result. */
  runAgain: Starting['runAgain'];
  /** Changes how the chat shown is asked. */
  setChat: (change: Partial<ChatChoice>) => Promise<void>;
  /** False when it has begun meanwhile, or could not be removed. */
  removeQueued: (run: Run) => Promise<boolean>;
  /** Takes a queued message back into the composer, unless it has begun. */
  editQueued: (run: Run) => Promise<void>;
  dismissError: () => void;
};

type Attempt = { conversationId: string; runId: string; message: { id: string; text: string } };

const realSeams: PanelSeams = {
  ownWindow,
  nextFrame: (paint) => requestAnimationFrame(paint),
  newId: () => crypto.randomUUID(),
  now: () => new Date().toISOString(),
};

/** Texts that both belong into the composer, one under the other. */
const joined = (...texts: string[]): string => texts.filter((text) => text !== '').join('\n');

/** The side panel's state. Nothing happens before `start`. `replaced` stands in for the browser's own. */
export function createPanel(link: WorkerLink, replaced: Partial<PanelSeams> = {}): Panel {
  const seams = { ...realSeams, ...replaced };
  const watching = createWatching(link, seams, {
    intent: () => void takeIntent(),
    draft(stored) {
      const typed = draft.text.value;
      if (typed === '') draft.show(stored);
      else draft.type(joined(stored, typed));
    },
    unsent: (texts) => draft.type(joined(draft.text.value, ...texts)),
    isStarting: () => starting.value,
  });
  const { chat, conversations, conversationId, error, command } = watching;
  const { starting, startRun, goOn, runAgain, forget } = createStarting(watching, seams.newId);
  const live = computed(() => starting.value || liveRun(chat.value) !== null);

  const draftId = (): string => chat.value.conversation?.id ?? NEW_CHAT;
  const draft = createDraft((text) => {
    // Until the stored draft is here it would be overwritten; then both are saved together.
    if (!watching.draftPending()) void command('saveDraft', { conversationId: draftId(), text });
  });

  /** The last message that was not accepted; sent again under the same ids, since it may have arrived. */
  let attempt: Attempt | null = null;
  const newAttempt = (id: string, text: string): Attempt => {
    return { conversationId: id, runId: seams.newId(), message: { id: seams.newId(), text } };
  };

  async function send(when?: When): Promise<void> {
    const text = draft.text.value.trim();
    if (text === '' || starting.value) return;
    const id = conversationId.value ?? attempt?.conversationId;
    if (!attempt || attempt.message.text !== text || attempt.conversationId !== id) {
      attempt = newAttempt(conversationId.value ?? seams.newId(), text);
    }
    const savedAs = draftId();
    const sentTo = attempt.conversationId;
    const mine = attempt;
    const asked = when && liveRun(chat.value) ? { ...mine, when } : mine;
    if (!(await startRun(asked))) return;
    if (attempt === mine) attempt = null;
    const rest = conversationId.value === sentTo ? restAfter(text, draft.text.value) : '';
    if (conversationId.value === sentTo) draft.show(rest);
    await command('saveDraft', { conversationId: sentTo, text: rest });
    if (savedAs !== sentTo) await command('saveDraft', { conversationId: savedAs, text: '' });
  }

  async function stop(): Promise<void> {
    const id = conversationId.value;
    if (id === null) return;
    // First, so that the worker puts what was queued after all that is typed.
    draft.flush();
    await command('stopRun', { conversationId: id });
  }

  function show(conversation: Conversation | null): void {
    draft.flush();
    forget();
    draft.show('');
    watching.show(conversation);
  }

  /** What a context menu left to be asked, in a chat of its own. */
  async function takeIntent(): Promise<void> {
    const intent = (await command('takeIntent', { windowId: await seams.ownWindow() }))?.reply;
    if (!intent) return;
    show(null); // its draft stays where it is stored
    const mine = newAttempt(seams.newId(), intent.text);
    attempt = mine;
    if (!(await startRun(mine))) draft.type(intent.text);
    else if (attempt === mine) attempt = null;
  }

  async function loadOlder(): Promise<void> {
    const leafId = chat.value.messages[0]?.parentId;
    const id = conversationId.value;
    if (!leafId || id === null) return;
    const older = await command('olderMessages', { leafId });
    if (older && id === conversationId.value) chat.value = withOlder(chat.value, older.reply);
  }

  async function resolveCall(callId: string, answer: CallAnswer): Promise<WireError | null> {
    watching.use();
    try {
      await link.send('resolveCall', { callId, ...answer });
    } catch (failure) {
      const told = toWire(failure);
      if (failure instanceof AppError && failure.code === 'bad_arguments') return told;
      error.value = told;
    }
    return null;
  }

  async function removeQueued(run: Run): Promise<boolean> {
    return (await command('removeQueued', { runId: run.id }))?.reply === true;
  }

  return {
    chat,
    streams: watching.streams,
    setup: watching.setup,
    conversations,
    conversationId,
    text: draft.text,
    error,
    starting,
    live,
    local: createLocalServers(command),
    command,
    start() {
      watching.use();
      void takeIntent();
    },
    use: watching.use,
    type(text) {
      watching.use();
      draft.type(text);
    },
    saveDraft: draft.flush,
    send,
    goOn,
    async retryNow() {
      const id = conversationId.value;
      if (id !== null) await command('retryNow', { conversationId: id });
    },
    stop,
    show,
    async loadConversations() {
      const listed = await command('listConversations');
      if (listed) conversations.value = listed.reply;
    },
    loadOlder,
    resolveCall,
    runAgain,
    async setChat(change) {
      await command('setChat', { conversationId: draftId(), ...change });
    },
    removeQueued,
    async editQueued(run) {
      if (await removeQueued(run)) draft.type(joined(run.queued?.text ?? '', draft.text.value));
    },
    dismissError: () => (error.value = null),
  };
}
