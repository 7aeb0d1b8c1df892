import type { Usage } from '../types/message.ts';
import type { ModelEvent, ModelTurn } from '../types/model.ts';
import type { OfferedTool } from '../types/tool.ts';
import { failureInReply } from './classify.ts';
import type { Failure } from './failure.ts';
import { isRecord } from './json.ts';
import { createLeakedCalls } from './leaked-calls.ts';
import { createReasoningChannel } from './reasoning.ts';
import { DONE } from './reply.ts';
import { createThinkSplitter, type Split } from './think-tags.ts';
import { createCallAccumulator, MAX_CALLS } from './tool-calls.ts';
import { usageOf } from './usage.ts';

/** One assistant turn in the making. Pure: chunks in, events out; it throws for nothing that is JSON. */
export type TurnAccumulator = {
  /** Takes one chunk of a stream, `DONE`, or a whole completion (`message` in place of `delta`). */
  push: (chunk: unknown) => void;
  /** What was said since the last time, in as few events as it takes: readers pay for each. */
  take: () => ModelEvent[];
  /** True once the model said why it stopped, its server that this was all, or the answer came as a whole. */
  finished: () => boolean;
  /** What a chunk showed to be wrong with the turn: nothing of it may be executed. */
  problem: () => Failure | undefined;
  /** No more chunks come; what was held back is said. `whole`: the reply came to its proper end. */
  end: (whole: boolean) => void;
  /** The turn; complete after `end`. */
  turn: () => ModelTurn;
};

/** Reasons of servers that broke off: OpenRouter, vLLM, DeepSeek. */
const BROKEN_OFF = new Set(['error', 'abort', 'insufficient_system_resource']);

/** @param tools those that were offered, for calls that leaked into the text */
export function createTurnAccumulator(newId: () => string, tools: OfferedTool[]): TurnAccumulator {
  const calls = createCallAccumulator(newId);
  const reasoning = createReasoningChannel();
  const thinking = createThinkSplitter();
  const leaked = createLeakedCalls(tools);
  let events: ModelEvent[] = [];
  let content = '';
  let usage: Usage | undefined;
  let begun = false;
  let finished = false;
  let finish: ModelTurn['finish'] = 'stop';
  let problem: Failure | undefined;

  const say = (type: 'text' | 'reasoning', text: string): void => {
    if (text === '') return;
    const last = events.at(-1);
    if (last?.type === type) last.text += text;
    else events.push({ type, text });
  };
  const sayText = (text: string): void => {
    content += text;
    say('text', text);
  };
  const takeContent = ({ thought, text }: Split): void => {
    say('reasoning', reasoning.pushThought(thought));
    sayText(leaked.push(text));
  };
  const takeCalls = (deltas: unknown): void => {
    for (const fragment of calls.push(deltas)) {
      const last = events.at(-1);
      if (last?.type === 'call' && last.position === fragment.position) {
        last.name = fragment.name;
        last.arguments += fragment.arguments;
      } else {
        events.push({ type: 'call', ...fragment });
      }
    }
    if (calls.tooMany()) problem ??= { type: 'too_many_calls', limit: MAX_CALLS };
  };

  const takeDelta = (delta: Record<string, unknown>): void => {
    const text = textOf(delta.content) + textOf(delta.refusal);
    begun ||= text !== '';
    say('reasoning', reasoning.push(delta));
    if (Array.isArray(delta.content)) say('reasoning', reasoning.pushThought(thoughtIn(delta.content)));
    takeContent(thinking.push(text));
    if (delta.tool_calls !== undefined) takeCalls(delta.tool_calls);
  };

  const takeReason = (reason: unknown): void => {
    if (typeof reason !== 'string' || reason === '') return;
    if (BROKEN_OFF.has(reason)) problem ??= { type: 'incomplete', detail: `finish_reason: ${reason}` };
    finished = true;
    finish = readFinish(reason);
  };

  return {
    push(chunk) {
      if (chunk === DONE) finished = true;
      if (!isRecord(chunk)) return;
      const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
      usage = usageOf(chunk, choice) ?? usage;
      if (!isRecord(choice)) return;
      if (choice.error) problem ??= failureInReply(choice);
      takeReason(choice.finish_reason);
      if (isRecord(choice.delta)) return takeDelta(choice.delta);
      // After deltas a whole message says the same again.
      if (!isRecord(choice.message) || begun || calls.count() > 0) return;
      finished = true;
      takeDelta(choice.message);
    },
    take() {
      const taken = events;
      events = [];
      return taken;
    },
    finished: () => finished,
    problem: () => problem,
    end(whole) {
      takeContent(thinking.end());
      const recover = whole && problem === undefined && finish === 'stop' && calls.count() === 0;
      const rest = leaked.end(recover);
      sayText(rest.text);
      takeCalls(rest.calls.map((call) => ({ function: call })));
    },
    turn() {
      const raw = reasoning.raw();
      return {
        content,
        toolCalls: calls.calls(),
        finish,
        ...(reasoning.text() !== '' && { reasoning: reasoning.text() }),
        ...(raw && { raw }),
        ...(usage && { usage }),
      };
    },
  };
}

/** Whether there are calls decides what follows, not the reason's name: servers say `stop` or `tool_calls` for either. */
function readFinish(reason: string): ModelTurn['finish'] {
  if (reason === 'length' || reason === 'max_tokens') return 'length';
  return /^(content_filter|safety)/i.test(reason) ? 'filtered' : 'stop';
}

/** Text, or the text parts of a list (Mistral's thinking models). */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => (isRecord(part) && typeof part.text === 'string' ? part.text : ''))
    .join('');
}

/** The thoughts among the parts of a list (Mistral). */
function thoughtIn(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => (isRecord(part) ? textOf(part.thinking) : '')).join('');
}
