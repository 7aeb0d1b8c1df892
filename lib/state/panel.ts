import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { SearchHit } from '../protocol/chats.ts';
import type { Place } from '../protocol/panel.ts';
import type { WireError } from '../types/error.ts';
import type { ChatChange, Conversation } from '../types/conversation.ts';
import { type Chat, unread } from './chat/chat.ts';
import type { WorkerLink } from './panel-port.ts';
import { createAttaching } from './composer/attaching.ts';
import { createChangedPages } from './composer/changed-pages.ts';
import { createAnswering } from './chat/answering.ts';
import { createChats } from './history/chats.ts';
import { createDraft, joined, quotation } from './composer/draft.ts';
import { choiceFor, lacksModel } from './composer/choice.ts';
import { createFront, partOf } from './composer/front-page.ts';
import type { PagePart } from '../types/page.ts';
import { createHints } from './hints.ts';
import { createHeldSend } from './composer/held-send.ts';
import { startersOf, type Starter } from './composer/starters.ts';
import { createFinding } from './composer/finding.ts';
import { createHistory } from './history/history.ts';
import { createKeptAnswers } from './composer/kept-answers.ts';
import { createLocalServers } from './settings/local-servers.ts';
import { createMessageActions } from './chat/message-actions.ts';
import { createOfferMenu } from './composer/offer-menu.ts';
import { liveRun } from './chat/run-status.ts';
import { createSearch } from './history/search.ts';
import { createSending } from './composer/sending.ts';
import { createStarting, type When } from './composer/starting.ts';
import { createUndos } from './history/undos.ts';
import { createUnsent } from './composer/unsent.ts';
import { createConversationView } from './chat/conversation-view.ts';
import { realSeams, type PanelSeams } from './seams.ts';

export type Panel = ReturnType<typeof createPanel>;

/** The side panel's state. Nothing happens before `start`. `replaced` stands in for the browser's own. */
export function createPanel(link: WorkerLink, replaced: Partial<PanelSeams> = {}) {
  const seams = { ...realSeams, ...replaced };
  const view = createConversationView(link, seams, {
    draft(stored) {
      attaching.add(chat.value.attachments);
      const kept = sending.isSending(stored) ? '' : stored;
      if (draft.text.value === '') draft.show(kept);
      else sending.putBack(kept);
    },
    unsent(runs) {
      attaching.add(runs.flatMap(({ queued }) => queued?.attachments ?? []));
      const lacking = runs.filter(({ id }) => !sending.isInComposer(id));
      draft.type(joined(draft.text.value, ...lacking.map(({ queued }) => queued?.text ?? '')));
    },
    isStarting: () => starting.value,
    waiting: (id, requestIds) => answers.retain(id, requestIds),
    chats: (event) => history.take(event),
    chatsRevision: () => history.revision(),
    turn: (conversation) => show(conversation, false),
  });
  const { chat, conversationId, draftId, error, command } = view;
  const history = createHistory(command, conversationId);
  const starter = createStarting(view, seams.newId);
  const { starting } = starter;
  const live = computed(() => starting.value || liveRun(chat.value) !== null);

  const draft = createDraft(async (text) => {
    // Until the stored draft is here it would be overwritten; then both are saved together.
    if (view.draftPending()) return true;
    return (await command('saveDraft', { conversationId: draftId(), text })) !== undefined;
  });

  const attaching = createAttaching(link, view, seams);
  const changedPages = createChangedPages(link, view, attaching.attachPage);
  const saved = () => view.setup.value?.prompts ?? [];
  const front = createFront(link, seams.ownWindow);
  const hints = createHints(view.setup, command);
  const chosePart = (part: PagePart): void => hints.offer(part === 'selection' ? 'contextMenu' : 'shortcut');
  const composer = {
    text: draft.text,
    type: draft.type,
    draftId,
    saved,
    starters: () => startersOf(view.setup.value?.settings.starters ?? {}),
    async attachFront() {
      if (attaching.ids().size + attaching.adding.value.length > 0) return;
      const page = await front.look();
      if (page) await attaching.attachPage(partOf(page));
    },
    chosePart,
  };
  const menu = createOfferMenu(link, composer, attaching, seams);
  const answers = createKeptAnswers(seams.store, draftId);
  /** A text that the user is about to save as a prompt, and what has the focus once they did, or did not. */
  const promptDraft = signal<{ text: string; leave: () => void } | null>(null);

  const local = createLocalServers(command);
  const undos = createUndos(seams.later);
  const search = createSearch(command);
  const chats = createChats({ view, undos, show, ...seams });
  const finding = createFinding(view);
  const sending = createSending({
    view,
    starting: starter,
    draft,
    attaching,
    menu,
    unsent: createUnsent(seams.store, seams.now),
    show,
    newId: seams.newId,
  });
  const messages = createMessageActions({
    view,
    startRun: starter.startRun,
    live,
    undos,
    show,
    newId: seams.newId,
  });

  const hasModel = computed(() => choiceFor(view.setup.value, chat.value.conversation) !== null);
  const heldSend = createHeldSend({
    text: draft.text,
    draftId,
    adding: attaching.adding,
    canSend: computed(() => hasModel.value && !starting.value),
    send: sending.send,
  });

  /** Asks what a starter says, of the page in front; before a model is chosen it stays a draft. */
  async function askOfFront({ text }: Starter): Promise<void> {
    const page = front.page.value;
    draft.type(joined(text, draft.text.value));
    const attached = page && attaching.attachPage(partOf(page));
    // Choosing a model says nothing of sending: until there is one it waits for Send.
    if (hasModel.value) heldSend.hold();
    if (page) chosePart(partOf(page).part);
    await attached;
  }

  async function send(when?: When): Promise<void> {
    hints.dismiss();
    if (conversationId.value === null && front.isNone()) hints.offer('keyword');
    await sending.send(when);
  }

  /** Ends the run. What was queued comes back into the composer. */
  async function stop(): Promise<void> {
    const id = conversationId.value;
    if (id === null) return;
    // First, so that the worker puts what was queued after all that is typed.
    draft.flush();
    await command('stopRun', { conversationId: id });
  }

  /** Puts away what belongs to the chat that is shown. */
  function leave(): void {
    sending.leave();
    starter.forget();
    messages.forget();
    menu.forget();
    promptDraft.value = null;
    draft.show('');
    attaching.leave();
  }

  /** Shows a conversation; null is a new chat. */
  function show(conversation: Conversation | null, isChoice = true): void {
    leave();
    if (conversation === null) {
      attaching.forgetFailed();
      lookAgain();
    }
    view.show(conversation, isChoice);
  }

  /** A model server may have been started on this computer since the last look. */
  function lookAgain(): void {
    const setup = view.setup.value;
    if (local.found.value && setup && lacksModel(setup)) void local.look();
  }

  /** Shows a chat at what was found in it. */
  async function showHit(hit: Omit<SearchHit, 'excerpt'>): Promise<void> {
    const { conversationId: id, title } = hit;
    const known = history.rows.value.find((row) => row.id === id);
    if (id !== conversationId.value) show(known ?? unread(id, title));
    await finding.find(hit);
  }

  /** What other entry points left to be asked in this window, one after the other; each in one panel alone. */
  async function takeIntents(): Promise<void> {
    const windowId = await seams.ownWindow();
    await navigator.locks.request(`intents-${windowId}`, async () => {
      for (;;) {
        const intent = (await command('nextIntent', { windowId }))?.reply;
        if (!intent) return;
        const { takeIntent } = await import('./composer/intents.ts');
        const { type } = draft;
        const { sendNew } = sending;
        const starters = view.setup.value?.settings.starters ?? {};
        const deps = { command, showNew: () => show(null), type, sendNew, attaching, menu, starters };
        if (!(await takeIntent(intent, deps))) return;
      }
    });
  }

  return {
    chat: chat as ReadonlySignal<Chat>,
    streams: view.streams,
    /** null until the worker has told it. */
    setup: view.setup,
    /** The conversation shown; null for a chat that has not begun. */
    conversationId: conversationId as ReadonlySignal<string | null>,
    text: draft.text,
    /** What the last thing asked of the worker failed with. */
    error: error as ReadonlySignal<WireError | null>,
    /** True from Send until the run shows up: the run bar must not say that an answer is ready. */
    starting,
    /** Something is being worked on, or waits for the user. */
    live,
    history,
    search,
    messages,
    undos,
    /** The message that was looked for. */
    found: finding.found,
    promptDraft,
    attaching,
    changedPages,
    menu,
    answers,
    local,
    /** Asks the worker; a failure becomes `error`, and undefined comes back. */
    command,
    /** The same, where the caller shows what fails. @throws AppError */
    ask: link.send,
    ...createAnswering(link, view, answers),
    ...chats,
    start(place: Place = {}) {
      view.start(place);
      chats.offerAgain();
      void sending.sendLeft();
      void takeIntents();
    },
    takeIntents,
    setHidden: view.setHidden,
    appTools: view.appTools,
    /** The panel stands before another tab, which has a chat of its own. */
    moveTo(tabId: number) {
      leave();
      view.moveTo(tabId);
    },
    /** The user turned to the panel: opens the event port if it is down. */
    use: view.use,
    type(text: string) {
      view.use();
      composer.type(text);
    },
    saveDraft: draft.flush,
    send,
    heldSend,
    hints,
    front,
    askOfFront,
    /** Puts a text of the chat into the composer, as a quotation. */
    quote: (text: string) => draft.type(`${joined(draft.text.value.trimEnd(), quotation(text))}\n\n`),
    /** Retry, Continue: the conversation goes on from where it stands. */
    goOn: starter.goOn,
    /** Ends the wait for the next try: asks the model again now. */
    async retryNow() {
      const id = conversationId.value;
      if (id !== null) await command('retryNow', { conversationId: id });
    },
    stop,
    show,
    showHit,
    loadOlder: finding.loadOlder,
    runAgain: starter.runAgain,
    compact: starter.compact,
    /** Changes how a chat is asked, the one shown unless told. */
    async setChat(change: ChatChange, id = draftId()) {
      await command('setChat', { conversationId: id, ...change });
    },
    removeQueued: sending.removeQueued,
    editQueued: sending.editQueued,
    editLast: messages.editLast,
    dismissError: () => (error.value = null),
  };
}
