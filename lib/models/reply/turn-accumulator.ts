import type { Usage } from '../../types/message.ts';
import type { ModelTurn } from '../../types/model.ts';
import { MAX_CALLS } from '../../types/tools/tool-call.ts';
import type { OfferedTool } from '../../types/tools/tool.ts';
import { failureInReply } from '../refusals/classify.ts';
import { createEventQueue } from './event-queue.ts';
import type { Failure } from '../refusals/failure.ts';
import { type Finish, readFinish } from './finish.ts';
import { isRecord, listOf, recordOf, textsIn, toJson } from '../../json.ts';
import { DONE } from './framing.ts';
import { ownCallsIn } from './leaked-calls.ts';
import { createReplyText } from './reply-text.ts';
import { createCallAccumulator } from './tool-calls.ts';

/** Characters of one answer; a server that says more is in a loop. */
const MAX_SIZE = 16 * 1024 * 1024;
/** Hosts that an answer cites, and characters of one. */
const MOST_CITED = 20;
const LONGEST_HOST = 255;
const NONE: string[] = [];

/**
 * One assistant turn in the making. Pure: chunks in, events out; it throws for nothing that is JSON.
 * @param tools those that were offered, for names with junk behind them
 * @param leaksInto of a model whose calls may leak into the text: the request that it was sent, as JSON
 * @param kept characters of what is kept of the reply besides
 */
export function createTurnAccumulator(
  newId: () => string,
  tools: OfferedTool[],
  leaksInto?: () => string,
  kept: () => number = () => 0,
) {
  const calls = createCallAccumulator(newId, new Set(tools.map(({ name }) => name)));
  const said = createEventQueue();
  const speech = createReplyText(leaksInto ? tools : [], said);
  const end = createEnd();
  const cited = new Set<string>();
  let usage: Usage | undefined;
  let position: number | undefined;
  let callSize = 0;
  let detailSize = 0;
  let passedOver = false;

  const takeCalls = (deltas: unknown[]): void => {
    // Names, ids and what else they bring is kept too.
    if (deltas.length > 0) callSize += toJson(deltas)?.length ?? 0;
    for (const fragment of calls.push(deltas)) said.call(fragment);
    if (calls.tooMany()) end.fail({ type: 'too_many_calls', limit: MAX_CALLS });
  };
  const takeCited = (part: unknown): void => {
    for (const host of citedIn(part)) if (cited.size < MOST_CITED) cited.add(host);
  };
  const takeDelta = (delta: Record<string, unknown>): void => {
    speech.push(delta);
    if (delta.reasoning_details !== undefined) detailSize += toJson(delta.reasoning_details)?.length ?? 0;
    takeCalls(callsIn(delta));
  };
  const size = () => speech.size() + callSize + detailSize + kept();
  const isFull = () => size() > MAX_SIZE;

  return {
    /** Takes one chunk of a stream, `DONE`, or a whole completion (`message` in place of `delta`). */
    push(chunk: unknown): void {
      // An answer whose end went by under another index is not whole.
      if (chunk === DONE && !passedOver) end.finish();
      if (!isRecord(chunk)) return;
      const choices: unknown[] = listOf(chunk.choices);
      position ??= indexOf(choices[0]);
      const choice = choices.find((one) => isRecord(one) && (indexOf(one) ?? position) === position);
      usage = usageOf(chunk, choice) ?? usage;
      takeCited(chunk);
      if (!isRecord(choice)) {
        passedOver ||= choices.length > 0;
        return;
      }
      takeCited(choice.delta);
      takeCited(choice.message);
      if (choice.error) end.fail(failureInReply(choice));
      end.take(choice.finish_reason);
      if (isRecord(choice.delta)) return takeDelta(choice.delta);
      // After deltas a whole message says the same again.
      if (!isRecord(choice.message) || speech.hasText() || calls.count() > 0) return;
      end.finish();
      takeDelta(choice.message);
    },
    /** What was said since the last time, in as few events as it takes: readers pay for each. */
    take: said.take,
    /** True once the model said why it stopped, its server that this was all, or the answer came as a whole. */
    finished: (): boolean => end.finished() || isFull(),
    /** Characters of text, thought, calls and what else is kept so far: it grows with every piece of the answer. */
    size,
    /** True once the answer is too long; it is then cut off. */
    isFull,
    /** What a chunk showed to be wrong with the turn: nothing of it may be executed. */
    problem: end.problem,
    /** No more chunks come; what was held back is said. `whole`: the reply came to its proper end. */
    end(whole: boolean): void {
      const mayCall = whole && end.problem() === undefined && end.reason() === 'stop' && !isFull();
      const isAlone = mayCall && calls.count() === 0;
      let isOwn: ReturnType<typeof ownCallsIn> | undefined;
      // The request is read once, however many blocks there are.
      const leaked = speech.end(
        (block) => isAlone && (isOwn ??= ownCallsIn(speech.content(), leaksInto?.() ?? ''))(block),
      );
      takeCalls(leaked.map((call) => ({ function: call })));
    },
    /** The turn; complete after `end`. */
    turn(): ModelTurn {
      const raw = speech.raw();
      return {
        content: speech.content(),
        toolCalls: calls.calls(),
        finish: isFull() ? 'length' : finishOf(end.reason(), calls.count() > 0),
        ...(speech.reasoning() !== '' && { reasoning: speech.reasoning() }),
        ...(raw && { raw }),
        ...(cited.size > 0 && { cited: [...cited] }),
        ...(usage && { usage }),
      };
    },
  };
}

/** Whose pages a model’s provider searched for it, as its answer tells: OpenAI, OpenRouter; Perplexity, xAI; Groq. */
function citedIn(part: unknown): string[] {
  if (!isRecord(part)) return NONE;
  const { annotations, citations, search_results: results, executed_tools: tools } = part;
  if (!annotations && !citations && !results && !tools) return NONE; // as in nearly every chunk
  return textsIn([annotations, citations, results, tools]).flatMap(
    ({ text }) => URL.parse(text)?.host.slice(0, LONGEST_HOST) || [],
  );
}

/** How the turn ends, as far as it was said. */
function createEnd() {
  let finished = false;
  let reason: Finish = 'stop';
  let problem: Failure | undefined;
  const fail = (failure: Failure): void => void (problem ??= failure);
  return {
    take(given: unknown): void {
      // Some servers write out that there is none.
      if (typeof given !== 'string' || /^(null|none)?$/i.test(given)) return;
      const read = readFinish(given);
      const detail = `finish_reason: ${given}`;
      if (read === 'cut') fail({ type: 'incomplete', detail });
      if (read === 'misread') fail({ type: 'tool_use_failed', detail });
      finished = true;
      // A server that says why it cut the answer, and then that it stopped, has cut it.
      if (reason === 'stop') reason = read;
    },
    finish: () => void (finished = true),
    fail,
    finished: () => finished,
    reason: () => reason,
    problem: () => problem,
  };
}

/**
 * The calls of a delta, or the one that TGI sends without a list; `function_call` is what they were before there could
 * be several, some servers send both.
 */
function callsIn({ tool_calls: calls, function_call: only }: Record<string, unknown>): unknown[] {
  if (Array.isArray(calls)) return calls;
  if (isRecord(calls) && isRecord(calls.function)) return [calls];
  return isRecord(only) ? [{ index: 0, function: only }] : [];
}

/** Of several answers at once the first is the answer. */
function indexOf(choice: unknown): number | undefined {
  return isRecord(choice) && typeof choice.index === 'number' ? choice.index : undefined;
}

/** Calls before an unknown reason may be cut off; a text is whatever it is. */
function finishOf(reason: Finish, hasCalls: boolean): ModelTurn['finish'] {
  if (reason === 'length' || reason === 'filtered') return reason;
  return reason === 'unknown' && hasCalls ? 'length' : 'stop';
}

/**
 * The tokens of a chunk, where it tells them: `usage` on the chunk (OpenAI), on the choice (Moonshot) or under `x_groq`;
 * cached ones also as DeepSeek, Moonshot and Anthropic name them. Of the latter's own fields the input is what was not cached.
 */
function usageOf(chunk: Record<string, unknown>, choice: unknown): Usage | undefined {
  const groq = isRecord(chunk.x_groq) ? chunk.x_groq.usage : undefined;
  return readUsage(chunk.usage) ?? readUsage(isRecord(choice) ? choice.usage : undefined) ?? readUsage(groq);
}

function readUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const cached = amount(value.cache_read_input_tokens);
  const written = amount(value.cache_creation_input_tokens) ?? 0;
  const prompt = amount(value.prompt_tokens);
  const uncached = amount(value.input_tokens);
  const input = prompt ?? (uncached === undefined ? undefined : uncached + (cached ?? 0) + written);
  const output = amount(value.completion_tokens) ?? amount(value.output_tokens);
  if (input === undefined || output === undefined) return undefined;
  const details = recordOf(value.prompt_tokens_details);
  const cachedTokens =
    amount(details.cached_tokens) ??
    amount(value.prompt_cache_hit_tokens) ??
    amount(value.cached_tokens) ??
    cached;
  return { inputTokens: input, outputTokens: output, ...(cachedTokens !== undefined && { cachedTokens }) };
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined;
}
