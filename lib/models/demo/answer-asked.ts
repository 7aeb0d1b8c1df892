import type { Asked, Told } from '../browser/messages.ts';
import { newChunkBase } from '../reply/write-reply.ts';
import { answer, type ChatMessage, type Turn } from './answer.ts';
import type { ModelTool } from './choose.ts';

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

type Delta = {
  role?: 'assistant';
  content?: string;
  tool_calls?: {
    index: number;
    id?: string;
    type?: 'function';
    function: { name?: string; arguments: string };
  }[];
};

/** The turn as the deltas of a streamed chat completion: word by word, each call's name before its arguments. */
function deltasOf(turn: Turn, newId: () => string): Delta[] {
  const words = turn.text.match(/\s*\S+\s*$|\s*\S+/g) ?? [];
  return [
    { role: 'assistant', content: '' },
    ...words.map((content) => ({ content })),
    ...turn.calls.flatMap((call, index): Delta[] => {
      const json = JSON.stringify(call.arguments);
      const half = Math.ceil(json.length / 2);
      return [
        {
          tool_calls: [
            { index, id: `call_${newId()}`, type: 'function', function: { name: call.name, arguments: '' } },
          ],
        },
        { tool_calls: [{ index, function: { arguments: json.slice(0, half) } }] },
        { tool_calls: [{ index, function: { arguments: json.slice(half) } }] },
      ];
    }),
  ];
}

/** About as many tokens as a real model would count: four characters each. */
function usageOf(request: string, turn: Turn): Record<string, number> {
  const prompt = Math.ceil(request.length / 4);
  const completion = Math.ceil((turn.text.length + JSON.stringify(turn.calls).length) / 4);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

/**
 * What the demo model calls a chat, where it is asked for a title: the first words of the user's message. Undefined for
 * any other question. Pure.
 */
export function titleAskedFor(messages: ChatMessage[]): string | undefined {
  const [system, user] = messages.map(({ content }) => (typeof content === 'string' ? content : ''));
  if (!system?.startsWith('Write a title for the chat')) return undefined;
  const question = /<(external-\w+) from="user">\n([^]*?)\n<\/\1>/.exec(user ?? '')?.[2] ?? '';
  return question
    .replace(/[“”"]/g, '')
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 8)
    .join(' ')
    .replace(/[.?!]$/, '');
}
