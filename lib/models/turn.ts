import type { ModelEvent, ModelTurn, Usage } from '../types.ts';
import { isRecord } from './json.ts';
import { createReasoningChannel } from './reasoning.ts';
import { createCallAccumulator } from './tool-calls.ts';

/** One assistant turn in the making. Pure: chunks in, events out. */
export type TurnAccumulator = {
  /** Takes one chunk of a stream, or a whole completion (`message` in place of `delta`). */
  push: (chunk: unknown) => ModelEvent[];
  /** True once the model said why it stopped, or came as a whole. */
  finished: () => boolean;
  turn: () => ModelTurn;
};

export function createTurnAccumulator(newId: () => string): TurnAccumulator {
  const calls = createCallAccumulator(newId);
  const reasoning = createReasoningChannel();
  let content = '';
  let usage: Usage | undefined;
  let finished = false;
  let finish: ModelTurn['finish'] = 'stop';

  const takeDelta = (delta: Record<string, unknown>): ModelEvent[] => {
    const thought = reasoning.push(delta);
    const text = textOf(delta.content) + textOf(delta.refusal);
    content += text;
    return [
      ...(thought === '' ? [] : [{ type: 'reasoning' as const, text: thought }]),
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...calls.push(delta.tool_calls).map((fragment) => ({ type: 'call' as const, ...fragment })),
    ];
  };

  return {
    push(chunk) {
      if (!isRecord(chunk)) return [];
      usage = readUsage(chunk.usage) ?? usage;
      const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
      if (!isRecord(choice)) return [];
      if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') {
        finished = true;
        finish = readFinish(choice.finish_reason);
      }
      if (isRecord(choice.delta)) return takeDelta(choice.delta);
      if (!isRecord(choice.message)) return [];
      finished = true;
      return takeDelta(choice.message);
    },
    finished: () => finished,
    turn() {
      const raw = reasoning.raw();
      return {
        content,
        toolCalls: calls.calls(),
        finish,
        ...(raw && { reasoning: reasoning.text(), raw }),
        ...(usage && { usage }),
      };
    },
  };
}

/** Whether there are calls decides what follows, not the reason's name: servers say `stop` or `tool_calls` for either. */
function readFinish(reason: string): ModelTurn['finish'] {
  if (reason === 'length' || reason === 'max_tokens') return 'length';
  return reason === 'content_filter' ? 'filtered' : 'stop';
}

/** Text, or the text parts of a list (Mistral's thinking models). */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => (isRecord(part) && typeof part.text === 'string' ? part.text : ''))
    .join('');
}

function readUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details } = value;
  if (typeof input !== 'number' || typeof output !== 'number') return undefined;
  const cached = isRecord(details) ? details.cached_tokens : undefined;
  return {
    inputTokens: input,
    outputTokens: output,
    ...(typeof cached === 'number' && { cachedTokens: cached }),
  };
}
