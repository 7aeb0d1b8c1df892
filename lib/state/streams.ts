import { batch, signal, type Signal } from '@preact/signals';
import type { AssistantMessage } from '../types/message.ts';
import type { RunEvent } from '../types/run.ts';

/** A call whose arguments are still arriving. */
export type CallDraft = { name: string; arguments: string };

/** What a message has streamed so far. Each part changes at most once in a frame that was asked for. */
export type Stream = { text: Signal<string>; reasoning: Signal<string>; calls: Signal<CallDraft[]> };

export type StreamDelta = Extract<RunEvent, { type: 'text_delta' | 'reasoning_delta' | 'call_delta' }>;

export type Streams = {
  /** The stream of a streaming message; made from what the message already holds. */
  of: (message: AssistantMessage) => Stream;
  append: (delta: StreamDelta) => void;
  /** Shows at once what waits for the next frame. */
  flush: () => void;
  drop: (messageId: string) => void;
  clear: () => void;
};

/** Text of messages in flight, apart from the chat so that a delta repaints one text node and nothing else. */
export function createStreams(nextFrame: (paint: () => void) => void): Streams {
  const streams = new Map<string, Stream>();
  let waiting: StreamDelta[] = [];

  function flush(): void {
    const deltas = waiting;
    waiting = [];
    batch(() => {
      for (const delta of deltas) apply(streams.get(delta.messageId), delta);
    });
  }

  return {
    of(message) {
      const stream = streams.get(message.id) ?? begin(message);
      streams.set(message.id, stream);
      return stream;
    },
    append(delta) {
      if (waiting.length === 0) nextFrame(flush);
      waiting.push(delta);
    },
    flush,
    drop(messageId) {
      streams.delete(messageId);
      waiting = waiting.filter((delta) => delta.messageId !== messageId);
    },
    clear() {
      streams.clear();
      waiting = [];
    },
  };
}

function begin(message: AssistantMessage): Stream {
  return {
    text: signal(message.content),
    reasoning: signal(message.reasoning ?? ''),
    calls: signal((message.tool_calls ?? []).map((call) => ({ name: call.name, arguments: call.arguments }))),
  };
}

function apply(stream: Stream | undefined, delta: StreamDelta): void {
  if (!stream) return;
  if (delta.type === 'text_delta') stream.text.value += delta.text;
  else if (delta.type === 'reasoning_delta') stream.reasoning.value += delta.text;
  else {
    const calls = [...stream.calls.value];
    // Calls stream one beside the other; what was said of an earlier one may not have reached this page.
    while (calls.length <= delta.position) calls.push({ name: '', arguments: '' });
    const before = calls[delta.position];
    calls[delta.position] = {
      name: delta.name || (before?.name ?? ''),
      arguments: (before?.arguments ?? '') + delta.arguments,
    };
    stream.calls.value = calls;
  }
}
