import { batch, signal, type Signal } from '@preact/signals';
import type { TextAppend } from '../../protocol/panel.ts';
import type { AssistantMessage } from '../../types/message.ts';

/** A call whose arguments are still arriving. */
export type CallDraft = { name: string; arguments: string };

/** What a message has streamed so far. Each part changes at most once in a frame that was asked for. */
export type Stream = { text: Signal<string>; reasoning: Signal<string>; calls: Signal<CallDraft[]> };

/** All that came, drawn or not. */
type Received = { text: string; reasoning: string; calls: CallDraft[]; stream: Stream; isDrawn: boolean };

/** Text of messages in flight, apart from the chat so that a delta repaints one text node and nothing else. */
export function createStreams(nextFrame: (paint: () => void) => void) {
  const all = new Map<string, Received>();
  let isAsked = false;

  function paint(): void {
    isAsked = false;
    batch(() => {
      for (const received of all.values()) draw(received);
    });
  }

  function open(message: AssistantMessage): Received {
    const received = all.get(message.id) ?? begin(message);
    all.set(message.id, received);
    return received;
  }

  return {
    /** The stream of a streaming message; made from what the message already holds. */
    of: (message: AssistantMessage): Stream => open(message).stream,
    /** False when the text does not follow on what is here: something was missed. */
    append(append: TextAppend): boolean {
      const received = all.get(append.messageId);
      if (!received || !take(received, append)) return false;
      received.isDrawn = false;
      if (!isAsked) nextFrame(paint);
      isAsked = true;
      return true;
    },
    drop: (messageId: string): void => void all.delete(messageId),
    clear: (): void => all.clear(),
  };
}

function begin({ content: text, reasoning = '', tool_calls = [] }: AssistantMessage): Received {
  const calls = tool_calls.map((call) => ({ name: call.name, arguments: call.arguments }));
  const stream = { text: signal(text), reasoning: signal(reasoning), calls: signal(calls) };
  return { text, reasoning, calls, stream, isDrawn: true };
}

function take(received: Received, { part, at, text }: TextAppend): boolean {
  if (typeof part === 'string') {
    if (received[part].length !== at) return false;
    received[part] += text;
    return true;
  }
  const { position, name } = part;
  const before = received.calls[position] ?? { name: '', arguments: '' };
  if (before.arguments.length !== at) return false;
  const calls = [...received.calls];
  // Calls stream one beside the other, and not always in their order.
  while (calls.length < position) calls.push({ name: '', arguments: '' });
  calls[position] = { name: name || before.name, arguments: before.arguments + text };
  received.calls = calls;
  return true;
}

function draw(received: Received): void {
  const { text, reasoning, calls, stream, isDrawn } = received;
  if (isDrawn) return;
  received.isDrawn = true;
  stream.text.value = text;
  stream.reasoning.value = reasoning;
  stream.calls.value = calls;
}
