import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { answer, type ChatMessage, type Turn } from './answer.ts';
import type { ModelTool } from './choose.ts';
import { deltasOf, usageOf } from './chunks.ts';
import { titleAskedFor } from './title.ts';

/** The name of the demo model, as `/v1/models` lists it. */
export const demoModelName = 'portside-demo';

/** `baseUrl` is up to and including the version. `requests` are the bodies received, oldest first, but for those that ask for a title. */
export type DemoModel = { baseUrl: string; requests: unknown[]; stop: () => Promise<void> };

type ChatRequest = { model: string; messages: ChatMessage[]; tools: ModelTool[] };

/**
 * Starts the demo model, a local server that speaks the streaming part of OpenAI's chat completions API.
 * @param wordDelay milliseconds between two pieces of an answer
 */
export async function startDemoModel({ wordDelay = 15 } = {}): Promise<DemoModel> {
  const requests: unknown[] = [];
  const server = createServer((request, response) => {
    handle(request, response, wordDelay, requests).catch((error: unknown) => {
      if (!response.headersSent)
        sendError(response, 400, error instanceof Error ? error.message : String(error));
      else response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  wordDelay: number,
  requests: unknown[],
): Promise<void> {
  const route = `${request.method} ${new URL(request.url ?? '/', 'http://localhost').pathname}`;
  if (route === 'GET /v1/models') {
    sendJson(response, 200, {
      object: 'list',
      data: [{ id: demoModelName, object: 'model', owned_by: 'portside' }],
    });
  } else if (route === 'POST /v1/chat/completions') {
    const body = await readBody(request);
    const parsed: unknown = JSON.parse(body);
    const chat = readRequest(parsed);
    const title = titleAskedFor(chat.messages);
    // Nobody waits for a title, nor counts it.
    if (title === undefined) requests.push(parsed);
    const turn = title === undefined ? answer(chat.messages, chat.tools) : { text: title, calls: [] };
    await streamTurn(response, body, chat.model, turn, wordDelay);
  } else {
    sendError(response, 404, `The demo model has no ${route}.`);
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** @throws Error that names the part of the request that is not as the API has it */
function readRequest(body: unknown): ChatRequest {
  const { model, messages, tools = [], stream } = (body ?? {}) as Record<string, unknown>;
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

async function streamTurn(
  response: ServerResponse,
  request: string,
  model: string,
  turn: Turn,
  wordDelay: number,
): Promise<void> {
  const base = {
    id: `chatcmpl-${randomUUID()}`,
    object: 'chat.completion.chunk',
    created: unixSeconds(),
    model,
  };
  const send = (chunk: object) => response.write(`data: ${JSON.stringify({ ...base, ...chunk })}\n\n`);
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
  });
  for (const delta of deltasOf(turn, randomUUID)) {
    if (response.destroyed) return;
    send({ choices: [{ index: 0, delta, finish_reason: null }] });
    if (wordDelay > 0) await sleep(wordDelay);
  }
  const finish_reason = turn.calls.length > 0 ? 'tool_calls' : 'stop';
  send({ choices: [{ index: 0, delta: {}, finish_reason }] });
  send({ choices: [], usage: usageOf(request, turn) });
  response.end('data: [DONE]\n\n');
}

function unixSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function sendError(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, { error: { message, type: 'invalid_request_error', code: null, param: null } });
}
