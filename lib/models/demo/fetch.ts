import { eventLine, eventStream, newChunkBase, readRequest, refusal } from '../reply/write-reply.ts';
import { answer, type ChatMessage } from './answer.ts';
import { deltasOf, usageOf } from './chunks.ts';
import type { ModelTool } from './choose.ts';
import { titleAskedFor } from './title.ts';

/** The only model that the demo model's list names. */
export const demoModelName = 'portside-demo';

type ChatRequest = { model: string; messages: ChatMessage[]; tools: ModelTool[] };

/**
 * Answers requests as a server would whose only model is the demo model, by the streaming part of OpenAI's chat
 * completions API. Nothing goes over a network, whatever the address.
 * @param wordDelay milliseconds between two pieces of an answer
 */
export function createDemoFetch({ wordDelay = 15 } = {}): typeof fetch {
  return async (input, init) => {
    const asked = readRequest(input, init);
    if (asked.type === 'list') {
      return Response.json({
        object: 'list',
        data: [{ id: demoModelName, object: 'model', owned_by: 'portside' }],
      });
    }
    if (asked.type === 'unknown') return refusal(404, { message: `The demo model has no ${asked.route}.` });
    try {
      return eventStream(linesOf(chatRequest(asked.body), wordDelay, init?.signal));
    } catch (error) {
      return refusal(400, { message: error instanceof Error ? error.message : String(error) });
    }
  };
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

async function* linesOf(
  request: ChatRequest,
  wordDelay: number,
  signal: AbortSignal | null | undefined,
): AsyncGenerator<string> {
  const { model, messages, tools } = request;
  const title = titleAskedFor(messages);
  const turn = title === undefined ? answer(messages, tools) : { text: title, calls: [] };
  const base = newChunkBase(model);
  const finish_reason = turn.calls.length > 0 ? 'tool_calls' : 'stop';
  const deltas = deltasOf(turn, () => crypto.randomUUID()).map((delta) => ({
    choices: [{ index: 0, delta, finish_reason: null }],
  }));
  const ends = [
    { choices: [{ index: 0, delta: {}, finish_reason }] },
    { choices: [], usage: usageOf(JSON.stringify(request), turn) },
  ];
  for (const chunk of [...deltas, ...ends]) {
    if (signal?.aborted) throw signal.reason;
    yield eventLine({ ...base, ...chunk });
    if (wordDelay > 0) await new Promise((done) => setTimeout(done, wordDelay));
  }
  yield eventLine('[DONE]');
}
