import type { ContentBlock, Message, RunEvent, ToolCall, ToolResult } from '../types.ts';

/** Characters of a result that a page gets: a port's message holds 64 MiB, and a snapshot has many results. */
const MOST = 200_000;

/** The event without more of a result than a page can show. */
export function eventForPanel(event: RunEvent): RunEvent {
  return event.type === 'call_end' ? { ...event, result: resultForPanel(event.result) } : event;
}

/** The row without more of its result than a page can show. */
export function callForPanel(call: ToolCall): ToolCall {
  return call.result ? { ...call, result: resultForPanel(call.result) } : call;
}

/** A tool message is never shown, its call's result is: the text need not go twice. */
export function messageForPanel(message: Message): Message {
  return message.role === 'tool' ? { ...message, content: '' } : message;
}

/** Cuts the text, and leaves out the blocks and the structured content that no longer fit. */
function resultForPanel(result: ToolResult): ToolResult {
  const whole = sizeOf(result);
  if (whole <= MOST) return result;
  const { blocks, structured, ...rest } = result;
  let left = MOST;
  const text = result.text.slice(0, left);
  left -= text.length;
  const fitting: ContentBlock[] = [];
  for (const block of blocks ?? []) {
    const size = JSON.stringify(block).length;
    if (size > left) continue;
    left -= size;
    fitting.push(block);
  }
  const shown = { ...rest, text, ...(fitting.length > 0 && { blocks: fitting }) };
  const fits = structured !== undefined && JSON.stringify(structured).length <= left;
  const cut = fits ? { ...shown, structured } : shown;
  return { ...cut, omitted: whole - sizeOf(cut) };
}

function sizeOf({ text, blocks, structured }: ToolResult): number {
  return text.length + JSON.stringify(blocks ?? '').length + JSON.stringify(structured ?? '').length;
}
