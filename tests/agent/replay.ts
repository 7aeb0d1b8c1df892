import type { RunInput } from '../../lib/agent/deps.ts';
import { toolMessage } from '../../lib/agent/history.ts';
import { decided } from '../../lib/agent/ledger.ts';
import type { Message } from '../../lib/types/message.ts';
import type { RunEvent } from '../../lib/types/run.ts';
import type { ToolCall } from '../../lib/types/tool.ts';
import { NOW, userMessage } from '../fakes/rows.ts';

/** What a reader that writes every event down has afterwards. */
export type Record = {
  messages: Message[];
  rows: ToolCall[];
  /** What a next run starts with. */
  next: Pick<RunInput, 'history' | 'ledger' | 'iteration' | 'replaces'>;
};

/**
 * Reads a run's events and writes them down as the database does.
 * @param events how many of them before the worker dies; all unless told
 */
export async function replayed(
  run: AsyncIterable<RunEvent>,
  events = Infinity,
  before: Pick<Record, 'messages' | 'rows'> & { iteration: number } = {
    messages: [userMessage('Hello')],
    rows: [],
    iteration: 0,
  },
): Promise<Record & { ended: boolean; seen: number }> {
  let { messages, rows, iteration } = before;
  let seen = 0;
  let ended = false;
  const change = (callId: string, to: (row: ToolCall) => ToolCall) => {
    rows = rows.map((row) => (row.callId === callId ? to(row) : row));
  };
  const put = (message: Message) => {
    messages = [...messages.filter(({ id }) => id !== message.id), message].toSorted(
      (a, b) => a.seq - b.seq || a.sub - b.sub,
    );
  };
  if (events > 0) {
    for await (const event of run) {
      if (event.type === 'message_end') {
        put(event.message);
        rows = [...rows, ...event.calls];
        iteration += event.message.status === 'complete' ? 1 : 0;
      } else if (event.type === 'steered' || event.type === 'summary_end') put(event.message);
      else if (event.type === 'approval_required')
        change(event.callId, (row) => ({ ...row, wait: event.wait }));
      else if (event.type === 'approval_resolved') change(event.callId, (row) => decided(row, event));
      else if (event.type === 'call_start') change(event.callId, (row) => ({ ...row, status: 'running' }));
      else if (event.type === 'call_end') {
        change(event.callId, (row) => ({ ...row, status: event.status, result: event.result }));
        const row = rows.find(({ callId }) => callId === event.callId);
        const seq = messages.find(({ id }) => id === row?.messageId)?.seq ?? 0;
        if (row) put(toolMessage(row, event.result, seq, new Date(NOW).toISOString()));
      }
      ended = event.type === 'run_end';
      seen += 1;
      if (seen === events) break;
    }
  }
  return { messages, rows, ended, seen, next: next(messages, rows, iteration) };
}

/** An unfinished answer at the end is no part of the history; the next one takes its place. */
function next(messages: Message[], rows: ToolCall[], iteration: number): Record['next'] {
  const last = messages.at(-1);
  const broken = last?.role === 'assistant' && last.status !== 'complete' ? last : undefined;
  const history = broken ? messages.slice(0, -1) : messages;
  return { history, ledger: rows, iteration, ...(broken && { replaces: broken.id }) };
}
