import { NEW_CHAT } from '../protocol/chats.ts';
import type { Snapshot } from '../protocol/panel.ts';
import type { AssistantMessage } from '../types/message.ts';
import type { Run } from '../types/run.ts';
import { type Context, liveRun, requestsOf } from './context.ts';
import { callsForPanel, messageForPanel, runForPanel } from './panel-view.ts';
import { asCutOff } from './answer.ts';
import { shownAnswer } from './record.ts';
import { waitingConversation } from './waiting.ts';

const SNAPSHOT_MESSAGES = 50;

const emptySnapshot: Snapshot = {
  conversation: null,
  messages: [],
  hasOlder: false,
  versions: {},
  toolCalls: [],
  runs: [],
  draft: '',
  attachments: [],
  requests: [],
};

/** Reads a panel's view and hands it to `then` before any later event of the conversation is sent. */
export async function giveSnapshot(
  context: Context,
  wanted: string | null,
  then: (snapshot: Snapshot) => void,
): Promise<void> {
  const id = wanted ?? (await firstShown(context));
  if (id === undefined) return then(emptySnapshot);
  await context.lane(id, async () => then(await readSnapshot(context, id)));
}

/** What a panel that opens shows: what waits for the person, the newest conversation, or the new chat that somebody was writing. */
async function firstShown(context: Context): Promise<string | undefined> {
  const { store } = context.deps;
  const waits = waitingConversation(context);
  if (waits !== undefined) return waits;
  const newest = (await store.newestConversation())?.id;
  const writing = (await store.draft(NEW_CHAT)) !== '' || (await store.draftAttachments(NEW_CHAT)).length > 0;
  return writing && (newest === undefined || !liveRun(context, newest)) ? undefined : newest;
}

/** What a panel needs to draw a conversation. Inside the conversation's lane. */
export async function readSnapshot(context: Context, id: string): Promise<Snapshot> {
  const { store } = context.deps;
  const conversation = await store.conversation(id);
  const beside = {
    draft: await store.draft(id),
    attachments: await store.draftAttachments(id),
    requests: requestsOf(context, id),
  };
  if (!conversation) return { ...emptySnapshot, ...beside };
  const live = liveAnswer(context, id);
  const { messages, hasOlder } = await store.branch(conversation.leafId, SNAPSHOT_MESSAGES);
  const others = messages.filter((message) => message.id !== live?.id);
  const shown = live ? [...others, structuredClone(live)] : others;
  return {
    conversation,
    messages: shown.map(messageForPanel),
    hasOlder,
    versions: await store.versions(shown),
    toolCalls: callsForPanel(await store.calls(messages)),
    runs: (await store.shownRuns(conversation)).map((run) => runForPanel(atItsStep(context, run))),
    ...beside,
  };
}

/** In its row a step counts once its answer is whole; who sees the answer stream in is told of that step. */
function atItsStep({ live }: Context, run: Run): Run {
  const state = live.get(run.conversationId)?.state;
  return state?.run.id === run.id ? { ...run, iteration: state.iteration } : run;
}

/** The answer of a live run as it stands: an earlier attempt's remains are `partial` until the new one speaks. */
function liveAnswer({ live }: Context, conversationId: string): AssistantMessage | undefined {
  const state = live.get(conversationId)?.state;
  const shown = state && (shownAnswer(state) ?? state.streaming);
  return shown && shown !== state.streaming ? asCutOff(shown) : shown;
}
