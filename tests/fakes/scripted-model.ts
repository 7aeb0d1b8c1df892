import type { Prepared } from '../../lib/agent/deps.ts';
import type { WireError } from '../../lib/types/error.ts';
import type { ModelEvent, ModelRequest, ModelTurn, StreamModel } from '../../lib/types/model.ts';
import type { OfferedTool } from '../../lib/types/tools/tool.ts';
import { FENCE, offered } from './rows.ts';

type Turn = ModelEvent[] | ((request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>);

/** A model that says one scripted turn a request and remembers what it was asked. */
export function scriptedModel(...turns: Turn[]): { model: StreamModel; requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  const model: StreamModel = (request, signal) => {
    const turn = turns[requests.length] ?? [failed('script_over', 'The script is over.')];
    requests.push(structuredClone(request));
    return typeof turn === 'function' ? turn(request, signal) : fromArray(turn);
  };
  return { model, requests };
}

async function* fromArray(events: ModelEvent[]): AsyncIterable<ModelEvent> {
  yield* events;
}

/** A turn that says `text`. */
export function says(text: string, turn: Partial<ModelTurn> = {}): ModelEvent[] {
  return [{ type: 'text', text }, ends({ content: text, ...turn })];
}

/** What a run is given to ask: these tools, all of them sent, and a context that nothing fills. */
export function prepared(
  model: StreamModel,
  tools: OfferedTool[] = [],
  fields: Partial<Prepared> = {},
): Prepared {
  return {
    model,
    modelName: 'scripted',
    tools,
    searchTool: { ...offered('search_tools'), name: 'search_tools', serverId: null },
    toolLimit: { count: 128, share: 0.1 },
    callsTools: true,
    contextWindow: 1_000_000,
    fence: FENCE,
    ...fields,
  };
}

/** A turn that calls these tools; each argument is an object, or text as the model wrote it. */
export function calls(...wanted: [name: string, args: object | string][]): ModelEvent[] {
  const toolCalls = wanted.map(([name, args], position) => ({
    id: `call_${position}`,
    name,
    arguments: typeof args === 'string' ? args : JSON.stringify(args),
  }));
  const deltas = toolCalls.map((call, position): ModelEvent => ({
    type: 'call',
    position,
    name: call.name,
    arguments: call.arguments,
  }));
  return [...deltas, ends({ toolCalls })];
}

export function ends(turn: Partial<ModelTurn>): ModelEvent {
  return { type: 'end', turn: { content: '', toolCalls: [], finish: 'stop', ...turn } };
}

export function failed(code: string, message: string, fields: Partial<WireError> = {}): ModelEvent {
  return { type: 'error', error: { code, message, retryable: false, ...fields } };
}

/** Says `text`, then nothing more until it is stopped. */
export function saysThenHangs(text: string): Turn {
  return async function* hang(_request, signal) {
    yield { type: 'text', text };
    await aborted(signal);
    yield failed('cancelled', 'Stopped.');
  };
}

/** Resolves when the signal aborts, at once when it already has. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
