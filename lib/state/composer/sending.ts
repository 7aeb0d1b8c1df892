import type { Request } from '../../protocol/commands.ts';
import type { Place } from '../../protocol/panel.ts';
import type { NewMessage } from '../../protocol/runs.ts';
import { isTyped } from '../../types/attachment.ts';
import { liveRun } from '../chat/run-status.ts';
import { joined, restAfter, type Draft } from './draft.ts';
import type { Conversation } from '../../types/conversation.ts';
import type { Run } from '../../types/run.ts';
import type { Attaching } from './attaching.ts';
import type { OfferMenu } from './offer-menu.ts';
import { unread } from '../chat/chat.ts';
import type { Starting, When } from './starting.ts';
import type { Sent, Unsent } from './unsent.ts';
import type { ConversationView } from '../chat/conversation-view.ts';

type Attempt = { conversationId: string; runId: string; message: NewMessage };

/** What is on its way, and the draft that it was. `isLeft`: another chat was turned to, with the rest of the draft saved. */
type Pending = { was: Was; savedAs: string; sentTo: string; isLeft: boolean };
type Was = NonNullable<Request<'saveDraft'>['sent']>;

type Deps = {
  view: ConversationView;
  starting: Starting;
  draft: Draft;
  attaching: Attaching;
  menu: OfferMenu;
  unsent: Unsent;
  show: (conversation: Conversation) => void;
  newId: () => string;
};

/** Sending what was written. The text stays in the composer until the worker has taken it. */
export function createSending(deps: Deps) {
  const { view, starting, draft, attaching, menu, unsent, newId } = deps;
  const { chat, conversationId, draftId, command } = view;
  /** The last message that was not accepted; sent again under the same ids, since it may have arrived. */
  let attempt: Attempt | null = null;
  let pending: Pending | null = null;
  const newAttempt = (id: string, text: string, attachments: string[] = []): Attempt => {
    const runId = newId();
    const message = { id: newId(), text, ...(attachments.length > 0 && { attachments }) };
    return { conversationId: id, runId, message };
  };
  const isAttempt = (id: string | undefined, text: string, attachments: string[]): boolean =>
    attempt?.message.text === text &&
    !view.isTakenBack(attempt.runId) &&
    attempt.conversationId === id &&
    (attempt.message.attachments ?? []).join() === attachments.join();

  const isSending = (text: string): boolean =>
    pending?.savedAs === draftId() &&
    text.trim() === pending.was.text &&
    !view.isTakenBack(pending.was.runId);

  function putBack(text: string): void {
    const typed = draft.text.value;
    draft.type(isSending(typed) ? joined(typed, text) : joined(text, typed));
  }

  async function send(when?: When): Promise<void> {
    const text = draft.text.value.trim();
    const attached = attaching.toSend();
    const prompts = chat.value.attachments.filter(isTyped);
    // A prompt's chip alone has nothing to say. It outlives its text, which an undo or a paste may bring back.
    if ((text === '' && attached.length <= prompts.length) || starting.starting.value) return;
    menu.cancel();
    const id = conversationId.value ?? attempt?.conversationId;
    if (!attempt || !isAttempt(id, text, attached)) {
      attempt = newAttempt(conversationId.value ?? newId(), text, attached);
    }
    const savedAs = draftId();
    const sentTo = attempt.conversationId;
    const mine = attempt;
    const known = draft.saved();
    const saved = known !== '' && known !== text && { draft: known };
    const asked = {
      ...mine,
      ...(when && liveRun(chat.value) && { when }),
      ...saved,
    };
    const taking = starting.startRun(asked); // first: the worker begins meanwhile
    unsent.put({ request: asked, savedAs }, view.place()?.windowId);
    const was = { runId: mine.runId, text, ...saved };
    const sent = { was, savedAs, sentTo, isLeft: false };
    pending = sent;
    draft.show(draft.text.value); // no draft any more, unless it is not taken
    const taken = await taking;
    const settle = (): void => {
      if (pending === sent) pending = null;
    };
    const isBack = view.isTakenBack(mine.runId); // another panel has stopped what it was queued behind
    if (!taken || isBack) settle();
    if (!taken && !isBack) {
      if (sent.isLeft) attaching.add(prompts);
      putBack(sent.isLeft ? text : '');
    }
    unsent.drop(asked.runId);
    if (!taken || isBack) return;
    if (attempt === mine) attempt = null;
    const here = conversationId.value === sentTo && !sent.isLeft;
    const rest = here ? restAfter(text, draft.text.value) : '';
    if (here) {
      draft.show(rest);
      menu.forget();
      attaching.sent(attached, savedAs, sentTo);
    }
    // What is typed while the stored draft is not here is saved together with that.
    await forget(sent, view.draftPending() ? '' : rest);
    settle(); // no stored draft is it any more
  }

  /** What a page that closed has left. Its draft may be shown here, or come yet. */
  async function sendAgain({ request, savedAs }: Sent, place: Place): Promise<void> {
    const { conversationId: sentTo, runId, message, draft: saved } = request;
    const text = message?.text ?? '';
    const was = { runId, text, ...(saved !== undefined && { draft: saved }) };
    const sent = { was, savedAs, sentTo, isLeft: false };
    pending ??= sent;
    const taken = await command('startRun', { ...request, place });
    const isHere = draftId() === savedAs;
    const returned = { conversationId: savedAs, text, returned: true } as const;
    if (taken || isHere || (await command('saveDraft', returned))) unsent.drop(runId);
    if (taken) {
      if (isHere) draft.show(restAfter(text, draft.text.value));
      await forget(sent);
    }
    if (pending === sent) pending = null;
    if (!taken && isHere) putBack(text);
    if (taken && !view.isChosen()) deps.show(unread(sentTo));
  }

  /** It was sent, with this rest of the draft. */
  async function forget({ was, savedAs, sentTo }: Pending, rest = ''): Promise<void> {
    await command('saveDraft', { conversationId: sentTo, text: rest, sent: was });
    if (savedAs !== sentTo) await command('saveDraft', { conversationId: savedAs, text: '', sent: was });
  }

  /** False when it has begun meanwhile, or could not be removed. */
  const removeQueued = async ({ id }: Run): Promise<boolean> =>
    (await command('removeQueued', { runId: id }))?.reply === true;

  return {
    /** Sends what is in the composer. While a run is live it is queued, unless `when` says otherwise. */
    send,
    /** Leaves the chat shown: its draft is saved, but for what is being sent, which comes back only if it was not taken. */
    leave(): void {
      const typed = draft.text.value.trimStart();
      if (pending?.savedAs !== draftId() || !typed.startsWith(pending.was.text)) return draft.flush();
      pending.isLeft = true;
      draft.show('');
      const { was, savedAs, sentTo } = pending;
      const rest = restAfter(was.text, typed);
      void command('saveDraft', { conversationId: savedAs, text: '', sent: was });
      if (rest !== '') void command('saveDraft', { conversationId: sentTo, text: rest });
    },
    isSending,
    /** Puts a text before what is typed, or behind what is being sent, which goes from the front of the composer. */
    putBack,
    /** Whether what this run was asked for with is in the composer still. */
    isInComposer: (runId: string): boolean =>
      attempt?.runId === runId && draft.text.value.trimStart().startsWith(attempt.message.text),
    /** Sends what is in no composer, as the first message of a new chat. False when the worker did not take it. */
    async sendNew(mine: Attempt): Promise<boolean> {
      attempt = mine;
      const taken = await starting.startRun(mine);
      if (taken && attempt === mine) attempt = null;
      return taken;
    },
    /** Sends what pages that closed have left, under its own ids: it may have arrived. */
    async sendLeft(): Promise<void> {
      const place = view.place() ?? {};
      for (const left of unsent.left(place.windowId)) await sendAgain(left, place);
    },
    removeQueued,
    /** Takes a queued message back into the composer, unless it has begun. */
    async editQueued(run: Run): Promise<void> {
      const typed = draft.text.value;
      const { text = '', attachments = [] } = run.queued ?? {};
      if (!(await removeQueued(run))) return;
      const id = run.conversationId;
      // Another chat was turned to meanwhile. This one's draft has its attachments.
      if (id !== draftId())
        return void (await command('saveDraft', { conversationId: id, text: joined(text, typed) }));
      attaching.add(attachments);
      draft.type(joined(text, draft.text.value));
    },
  };
}

export type Sending = ReturnType<typeof createSending>;
