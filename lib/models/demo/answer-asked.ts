import type { Asked, Told } from '../browser/messages.ts';
import { newChunkBase } from '../reply/write-reply.ts';
import { answer, type ChatMessage } from './answer.ts';
import { deltasOf, usageOf } from './chunks.ts';
import type { ModelTool } from './choose.ts';
import { titleAskedFor } from './title.ts';

/** The only model that the demo model's list names. */
export const demoModelName = 'portside-demo';

type ChatRequest = { model: string; messages: ChatMessage[]; tools: ModelTool[] };

/**
 * Answers as a server would whose only model is the demo model, by the streaming part of OpenAI's chat completions API.
 * @param wordDelay milliseconds between two pieces of an answer
 * @throws once aborted
 */
export async function* answerAsDemo(asked: Asked, signal: AbortSignal, wordDelay = 15): AsyncGenerator<Told> {
  if (asked.type === 'list')
    return yield { type: 'models', list: [{ id: demoModelName, object: 'model', owned_by: 'portside' }] };
  let request: ChatRequest;
  try {
    request = chatRequest(asked.body);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return yield { type: 'refused', status: 400, error: { message } };
  }
  for (const chunk of chunksOf(request)) {
    signal.throwIfAborted();
    yield { type: 'chunk', chunk };
    if (wordDelay > 0) await new Promise((done) => setTimeout(done, wordDelay));
  }
}

/** @throws Error that names the part of the request that is not as the API has it */
function chatRequest({ model, messages, tools = [], stream }: Record<string, unknown>): ChatRequest {
  if (!Array.isArray(messages) || messages.length === 0)
    throw new Error('messages: a list with at least one message.');
  if (stream !== true) throw new Error('stream: the demo model only streams; send true.');
  if (!Array.isArray(tools)) throw new Error('tools: a list.');
  return {
    model: typeof model === 'string' ? model : demoModelName,
    messages: messages as ChatMessage[],
    tools: tools.map((tool: { function?: Partial<ModelTool> }) => {
      const { name, description = '', parameters = {} } = tool.function ?? {};
      if (typeof name !== 'string') throw new Error('tools: each needs function.name.');
      return { name, description, parameters };
    }),
  };
}

function chunksOf(request: ChatRequest): object[] {
  const { model, messages, tools } = request;
  const title = titleAskedFor(messages);
  const turn = title === undefined ? answer(messages, tools) : { text: title, calls: [] };
  const base = newChunkBase(model);
  const finish_reason = turn.calls.length > 0 ? 'tool_calls' : 'stop';
  const deltas = deltasOf(turn, () => crypto.randomUUID());
  return [
    ...deltas.map((delta) => ({ ...base, choices: [{ index: 0, delta, finish_reason: null }] })),
    { ...base, choices: [{ index: 0, delta: {}, finish_reason }] },
    { ...base, choices: [], usage: usageOf(JSON.stringify(request), turn) },
  ];
}
