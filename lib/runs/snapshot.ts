import type { Snapshot } from '../protocol.ts';
import type { RunStore } from '../storage/run-store.ts';
import type { AssistantMessage } from '../types/message.ts';
import { callsForPanel, messageForPanel } from './panel-view.ts';

const SNAPSHOT_MESSAGES = 50;

export const emptySnapshot: Snapshot = {
  conversation: null,
  messages: [],
  hasOlder: false,
  toolCalls: [],
  runs: [],
  draft: '',
};

/**
 * What a panel needs to draw a conversation. Inside the conversation's lane.
 * @param live the answer as it stands while a run is live, which is ahead of the disk
 */
export async function readSnapshot(
  store: RunStore,
  id: string,
  live: AssistantMessage | undefined,
): Promise<Snapshot> {
  const conversation = await store.conversation(id);
  const draft = await store.draft(id);
  if (!conversation) return { ...emptySnapshot, draft };
  const { messages, hasOlder } = await store.branch(conversation.leafId, SNAPSHOT_MESSAGES);
  const shown = messages.filter((message) => message.id !== live?.id);
  return {
    conversation,
    messages: [...shown.map(messageForPanel), ...(live ? [structuredClone(messageForPanel(live))] : [])],
    hasOlder,
    toolCalls: callsForPanel(await store.calls(messages)),
    runs: await store.shownRuns(id),
    draft,
  };
}
