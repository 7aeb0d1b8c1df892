import type { RunInput } from '../../lib/agent/deps.ts';
import { appendDelta, isDelta } from '../../lib/runs/answer.ts';
import { loadRun } from '../../lib/runs/load.ts';
import { record } from '../../lib/runs/record.ts';
import type { RunState } from '../../lib/runs/live-run.ts';
import { newConversation, newRun } from '../../lib/runs/rows.ts';
import { type Chat, emptyChat, withRows } from '../../lib/state/chat/chat.ts';
import type { RunStore } from '../../lib/storage/chats/run-store.ts';
import type { RunEvent } from '../../lib/types/run.ts';
import { NOW, userMessage } from '../fakes/rows.ts';

/** What is on disk of a conversation and of the run that goes on in it. */
type Written = Pick<RunState, 'conversation' | 'run'> & { chat: Chat };

const AT = new Date(NOW).toISOString();

function justSent(): Written {
  const message = userMessage('Hello');
  const choice = { providerId: null, model: null, settings: {} };
  const conversation = {
    ...newConversation('c1', { text: message.content }, choice, AT),
    leafId: message.id,
  };
  const run = { ...newRun('r1', conversation, AT), leafId: message.id };
  return { conversation, run, chat: withRows(emptyChat, { messages: [message] }) };
}

/**
 * Reads a run's events and writes them down as the worker does.
 * @param events how many of them before the worker dies; all unless told
 * @returns what is written by then, and what a next run starts with
 */
export async function replayed(
  run: AsyncIterable<RunEvent>,
  events = Infinity,
  before: Written = justSent(),
): Promise<Written & { next: RunInput; ended: boolean }> {
  const { state } = await load(before);
  let { chat } = before;
  let [seen, ended] = [0, false];
  if (events > 0) {
    for await (const event of run) {
      if (!isDelta(event)) {
        const { message, calls } = record(state, event, AT) ?? {};
        chat = withRows(chat, {
          ...(message && { messages: [message] }),
          ...(calls && { toolCalls: calls }),
        });
      } else if (state.streaming) appendDelta(state.streaming, event);
      ended = event.type === 'run_end';
      seen += 1;
      if (seen === events) break;
    }
  }
  const written = { conversation: state.conversation, run: state.run, chat };
  return { ...written, ended, next: (await load(written)).input };
}

/** What goes on from there. */
function load({ conversation, run, chat }: Written) {
  const store: Partial<RunStore> = {
    history: async () => chat.messages,
    streaming: async () => undefined,
    calls: async ([message]) =>
      Object.values(chat.calls).filter(({ messageId }) => messageId === message?.id),
  };
  return loadRun(store as RunStore, conversation, run, NOW);
}
