import { NEW_CHAT } from '../protocol/chats.ts';
import { type ConversationChange, emptySnapshot, type Snapshot } from '../protocol/panel.ts';
import { idle } from '../types/run.ts';
import type { Conversation } from '../types/conversation.ts';
import { atItsStep, type Context, liveRun, requestsOf } from './context.ts';
import { callsForPanel, messageForPanel, messagesForPanel, runForPanel } from './panel-view.ts';
import { liveAnswer } from './record.ts';
import { waitingConversation } from './waiting.ts';

const SNAPSHOT_MESSAGES = 50;

/** A conversation as it stood at a revision, and all that happened to it while it was read. */
export type Answer = { number: number; snapshot: Snapshot; since: ConversationChange[] };

/**
 * Reads what a panel shows and hands it to `then`, in the same moment in which it is up to date. It waits for nothing
 * but the database: rows that were committed while it was read are in `since`, be they in the snapshot or not, since a
 * row that is told twice changes nothing.
 */
export async function giveSnapshot(
  context: Context,
  id: string,
  then: (answer: Answer) => void,
): Promise<void> {
  const { feed } = context;
  for (;;) {
    const number = feed.number(id);
    const snapshot = await readSnapshot(context, id);
    const since = feed.since(id, number);
    // What was taken back meanwhile is in the draft already: it must not be told beside it.
    const isTakenBack = since?.some(({ rows }) => rows.runs?.some(({ unsent }) => unsent));
    if (since && !isTakenBack)
      return then({ number, snapshot, since: [...since, ...streamingNow(context, id)] });
  }
}

/** What was missed since `number`, up to this moment; undefined when only a snapshot can tell it. */
export function missedSince(context: Context, id: string, number: number): ConversationChange[] | undefined {
  const since = context.feed.since(id, number);
  return since && [...since, ...streamingNow(context, id)];
}

/** The answer that streams in, with all that has come by now. */
function streamingNow({ feed, live }: Context, id: string): ConversationChange[] {
  const state = live.get(id)?.state;
  const answer = state && liveAnswer(state);
  if (!answer) return [];
  const number = feed.number(id);
  const messages = [messageForPanel(structuredClone(answer))];
  return [{ type: 'change', from: number, to: number, rows: { messages } }];
}

/** What a panel that opens shows: what waits for the user, the newest conversation, or the new chat that was being written. */
export async function firstShown(context: Context): Promise<string> {
  const { store } = context.deps;
  const waits = waitingConversation(context);
  if (waits !== undefined) return waits;
  const newest = (await store.newestConversation())?.id;
  const writing = (await store.draft(NEW_CHAT)) !== '' || (await store.draftAttachments(NEW_CHAT)).length > 0;
  return newest === undefined || (writing && !liveRun(context, newest)) ? NEW_CHAT : newest;
}

async function readSnapshot(context: Context, id: string): Promise<Snapshot> {
  const { store, openedTabs } = context.deps;
  const conversation = await store.conversation(id);
  const chat = conversation ? await readChat(context, conversation) : emptySnapshot;
  return {
    ...chat,
    attachments: await store.draftAttachments(id),
    tabs: await openedTabs(id),
    // Last, so that nothing is in it that was sent or queued while the rest was read.
    draft: await store.draft(id),
    requests: requestsOf(context, id),
  };
}

async function readChat(context: Context, conversation: Conversation): Promise<Snapshot> {
  const { id } = conversation;
  const { store } = context.deps;
  const { messages, hasOlder } = await store.branch(conversation.leafId, SNAPSHOT_MESSAGES);
  const state = context.live.get(id)?.state;
  const live = state && liveAnswer(state);
  const others = messages.filter((message) => message.id !== live?.id);
  const shown = live ? [...others, structuredClone(live)] : others;
  return {
    ...emptySnapshot,
    conversation,
    messages: messagesForPanel(shown),
    hasOlder,
    versions: await store.versions(shown),
    toolCalls: callsForPanel(await store.calls(messages)),
    runs: (await store.shownRuns(conversation, shown)).map((run) => runForPanel(atItsStep(context, run))),
    activity: state?.activity ?? idle,
  };
}
