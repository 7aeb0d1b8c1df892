import { computed, type ReadonlySignal } from '@preact/signals';
import { AppError, toWire } from '../errors.ts';
import { ownWindow } from '../gestures.ts';
import type { Commands, ListedConversation, Setup } from '../protocol.ts';
import type { WireError } from '../types/error.ts';
import type { RequestAnswer } from '../types/request.ts';
import type { Run } from '../types/run.ts';
import type { ContentBlock } from '../types/tool.ts';
import type { ChatChange, Conversation } from '../types/setup.ts';
import { withOlder, type Chat } from './chat.ts';
import type { WorkerLink } from './connection.ts';
import { createAttaching, type Attaching } from './attaching.ts';
import { createDraft, restAfter } from './draft.ts';
import { createKeptAnswers, type KeptAnswers } from './kept-answers.ts';
import { createLocalServers, type LocalServers } from './local-servers.ts';
import { createOfferMenu, type OfferMenu } from './offer-menu.ts';
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
  /** What goes with the next message. */
  attaching: Attaching;
  /** Prompts and context, over the composer. */
  menu: OfferMenu;
  /** What is typed into servers' forms. */
  answers: KeptAnswers;
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
  /** The person's answer to a server's request. False when the worker did not take it. */
  answerRequest: (requestId: string, answer: RequestAnswer) => Promise<boolean>;
  /** Reads a resource that a result speaks of. @throws AppError */
  readResource: (resource: { serverId: number; uri: string }) => Promise<ContentBlock[]>;
  /** Makes a finished call once more and lets the model go on from its result. */
  runAgain: Starting['runAgain'];
  /** Changes how the chat shown is asked. */
  setChat: (change: ChatChange) => Promise<void>;
  /** False when it has begun meanwhile, or could not be removed. */
  removeQueued: (run: Run) => Promise<boolean>;
  /** Takes a queued message back into the composer, unless it has begun. */
  editQueued: (run: Run) => Promise<void>;
  dismissError: () => void;
};

type Attempt = {
  conversationId: string;
  runId: string;
  message: { id: string; text: string; attachments?: string[] };
};

const realSeams: PanelSeams = {
  ownWindow,
  nextFrame: (paint) => requestAnimationFrame(paint),
  newId: () => crypto.randomUUID(),
  now: () => new Date().toISOString(),
  store: typeof localStorage === 'undefined' ? null : localStorage,
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
    waiting: (id, requestIds) => answers.retain(id, requestIds),
    answered: (requestId) => answers.forget(requestId),
  });
  const { chat, conversations, conversationId, draftId, error, command } = watching;
  const { starting, startRun, goOn, runAgain, forget } = createStarting(watching, seams.newId);
  const live = computed(() => starting.value || liveRun(chat.value) !== null);

  const draft = createDraft((text) => {
    // Until the stored draft is here it would be overwritten; then both are saved together.
    if (!watching.draftPending()) void command('saveDraft', { conversationId: draftId(), text });
  });

  const attaching = createAttaching(link, watching, seams.newId);
  const menu = createOfferMenu(link, { text: draft.text, type: draft.type, draftId }, attaching, seams.newId);
  const answers = createKeptAnswers(seams.store, draftId);

  /** The last message that was not accepted; sent again under the same ids, since it may have arrived. */
  let attempt: Attempt | null = null;
  const newAttempt = (id: string, text: string, attachments: string[] = []): Attempt => {
    const runId = seams.newId();
    const message = { id: seams.newId(), text, ...(attachments.length > 0 && { attachments }) };
    return { conversationId: id, runId, message };
  };
  const isAttempt = (id: string | undefined, text: string, attachments: string[]): boolean =>
    attempt?.message.text === text &&
    attempt.conversationId === id &&
    (attempt.message.attachments ?? []).join() === attachments.join();

  async function send(when?: When): Promise<void> {
    const text = draft.text.value.trim();
    const attached = chat.value.attachments.map(({ id }) => id);
    if ((text === '' && attached.length === 0) || starting.value) return;
    menu.cancel();
    const id = conversationId.value ?? attempt?.conversationId;
    if (!attempt || !isAttempt(id, text, attached)) {
      attempt = newAttempt(conversationId.value ?? seams.newId(), text, attached);
    }
    const savedAs = draftId();
    const sentTo = attempt.conversationId;
    const mine = attempt;
    const asked = when && liveRun(chat.value) ? { ...mine, when } : mine;
    if (!(await startRun(asked))) return;
    if (attempt === mine) attempt = null;
    const here = conversationId.value === sentTo;
    const rest = here ? restAfter(text, draft.text.value) : '';
    if (here) {
      draft.show(rest);
      menu.forget();
      attaching.sent(attached);
    }
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
    attaching.forget();
    menu.forget();
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

  async function answerRequest(requestId: string, answer: RequestAnswer): Promise<boolean> {
    const taken = (await command('answerRequest', { requestId, ...answer })) !== undefined;
    if (taken) answers.forget(requestId);
    return taken;
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
    attaching,
    menu,
    answers,
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
    answerRequest,
    readResource: (resource) => link.send('readResource', resource),
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
