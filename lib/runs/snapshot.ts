import type { Snapshot } from '../protocol.ts';
import type { RunStore } from '../storage/run-store.ts';
import type { AssistantMessage } from '../types.ts';
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
 * @param streaming the answer as it stands while a run is live, which is ahead of the disk
 */
export async function readSnapshot(
  store: RunStore,
  id: string,
  streaming: AssistantMessage | undefined,
): Promise<Snapshot> {
  const conversation = await store.conversation(id);
  const draft = await store.draft(id);
  if (!conversation) return { ...emptySnapshot, draft };
  const { messages, hasOlder } = await store.messages(id, SNAPSHOT_MESSAGES);
  const shown = messages.filter((message) => message.id !== streaming?.id);
  const runs = await store.runs(id);
  // A queued run that was removed never began: it is not how the conversation stands.
  const ended = runs.findLast(({ status, queuedText }) => status === 'ended' && queuedText === undefined);
  return {
    conversation,
    messages: [...shown.map(messageForPanel), ...(streaming ? [structuredClone(streaming)] : [])],
    hasOlder,
    toolCalls: callsForPanel(await store.calls(messages)),
    runs: runs.filter((run) => run.status !== 'ended' || run === ended),
    draft,
  };
}
