import type { TextAppend } from '../protocol/panel.ts';
import type { AssistantMessage } from '../types/message.ts';
import type { RunEvent } from '../types/run.ts';

/** A piece of the answer that streams in: shown at once, written down from time to time. */
export type Delta = Extract<RunEvent, { type: 'text_delta' | 'reasoning_delta' | 'call_delta' }>;

export function isDelta(event: RunEvent): event is Delta {
  return event.type === 'text_delta' || event.type === 'reasoning_delta' || event.type === 'call_delta';
}

/**
 * Adds what has streamed in. Calls are for a panel that opens meanwhile, never to be executed.
 * @returns what was added, and where
 */
export function appendDelta(answer: AssistantMessage, delta: Delta): TextAppend {
  const append = { type: 'append', messageId: answer.id } as const;
  if (delta.type === 'call_delta') {
    const { position, name, arguments: text } = delta;
    const calls = (answer.tool_calls ??= []);
    while (calls.length < position) calls.push({ id: '', name: '', arguments: '' });
    const before = calls[position]?.arguments ?? '';
    calls[position] = { id: '', name, arguments: before + text };
    return { ...append, part: { position, name }, at: before.length, text };
  }
  const { text } = delta;
  if (delta.type === 'text_delta') {
    answer.content += text;
    return { ...append, part: 'text', at: answer.content.length - text.length, text };
  }
  const before = answer.reasoning ?? '';
  answer.reasoning = before + text;
  return { ...append, part: 'reasoning', at: before.length, text };
}

export function saysSomething({ content, reasoning, tool_calls: calls }: AssistantMessage): boolean {
  return content !== '' || reasoning !== undefined || calls !== undefined;
}

/** What was left of an answer, as it is shown until a new one has something to say. */
export const asCutOff = (answer: AssistantMessage): AssistantMessage =>
  answer.status === 'streaming' ? { ...answer, status: 'partial' } : answer;

/** An answer that is still open when its run ends: what was said is kept, half-streamed calls are not. */
export function asPartial(answer: AssistantMessage): AssistantMessage | undefined {
  const message: AssistantMessage = { ...answer, status: 'partial' };
  delete message.tool_calls;
  return saysSomething(message) ? message : undefined;
}
