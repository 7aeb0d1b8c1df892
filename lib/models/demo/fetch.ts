import { isRecord, parseJson } from '../json.ts';
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
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const route = `${init?.method ?? 'GET'} ${pathname}`;
    if (route === 'GET /v1/models') {
      return Response.json({
        object: 'list',
        data: [{ id: demoModelName, object: 'model', owned_by: 'portside' }],
      });
    }
    if (route !== 'POST /v1/chat/completions') return refusal(404, `The demo model has no ${route}.`);
    const body = typeof init?.body === 'string' ? init.body : '';
    try {
      return streamed(body, readRequest(parseJson(body)), wordDelay, init?.signal);
    } catch (error) {
      return refusal(400, error instanceof Error ? error.message : String(error));
    }
  };
}

/** @throws Error that names the part of the request that is not as the API has it */
function readRequest(body: unknown): ChatRequest {
  const { model, messages, tools = [], stream } = isRecord(body) ? body : {};
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

function streamed(
  body: string,
  { model, messages, tools }: ChatRequest,
  wordDelay: number,
  signal: AbortSignal | null | undefined,
): Response {
  const title = titleAskedFor(messages);
  const turn = title === undefined ? answer(messages, tools) : { text: title, calls: [] };
  const newId = (): string => crypto.randomUUID();
  const base = {
    id: `chatcmpl-${newId()}`,
    object: 'chat.completion.chunk',
    created: Math.floor(Date.now() / 1000),
    model,
  };
  const finish_reason = turn.calls.length > 0 ? 'tool_calls' : 'stop';
  const deltas = deltasOf(turn, newId).map((delta) => ({
    choices: [{ index: 0, delta, finish_reason: null }],
  }));
  const ends = [
    { choices: [{ index: 0, delta: {}, finish_reason }] },
    { choices: [], usage: usageOf(body, turn) },
  ];
  const lines = [...deltas, ...ends].map((chunk) => `data: ${JSON.stringify({ ...base, ...chunk })}\n\n`);
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      if (signal?.aborted) return controller.error(signal.reason);
      const line = lines.shift();
      controller.enqueue(encoder.encode(line ?? 'data: [DONE]\n\n'));
      if (line === undefined) return controller.close();
      if (wordDelay > 0) await new Promise((done) => setTimeout(done, wordDelay));
    },
  });
  return new Response(stream, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
}

function refusal(status: number, message: string): Response {
  const error = { message, type: 'invalid_request_error', code: null, param: null };
  return Response.json({ error }, { status });
}
