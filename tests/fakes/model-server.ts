import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ModelApi } from '../../lib/types/model.ts';
import { TITLE_INSTRUCTIONS } from '../../lib/agent/title.ts';
import { asChatBody, asResponseBody, createResponsesWriter } from './responses-wire.ts';

/**
 * An OpenAI-compatible server over real HTTP that says what a test scripted, by chat completions or by responses:
 *
 *     const server = await startModelServer();
 *     const pause = gate();
 *     server.script(
 *       stream(text('Let me ', 'see.'), call({ id: 'c1', name: 'echo', arguments: '{"message":"hi"}', pieces: 3 })),
 *       stream(text('It '), pause, text('said hi.'), usage(12, 4)),
 *     );
 *     await pause.reached; // 'It ' is out; now kill something, then pause.open()
 */
export type ModelServer = {
  /** The base URL, ending in /v1. */
  url: string;
  /** Chat completion requests, in order of arrival; those for a chat's title are apart. */
  requests: RecordedRequest[];
  titleRequests: RecordedRequest[];
  /** Answers requests for a title. Without it they are answered with nothing, so that chats keep the title they have. */
  titles: (reply: Scripted) => void;
  /** Appends replies: one for each coming request. A request beyond the script is answered with status 500. */
  script: (...replies: Scripted[]) => void;
  /** Answers every request for which nothing is scripted. */
  otherwise: (reply: Scripted) => void;
  /** The request at this index of `requests`, once it has arrived. */
  waitForRequest: (index: number) => Promise<RecordedRequest>;
  close: () => Promise<void>;
};

export type RecordedRequest = {
  api: ModelApi;
  /** As a chat completion, whichever was asked for. */
  body: ChatRequest;
  /** As it came. */
  sent: Record<string, unknown>;
  headers: IncomingMessage['headers'];
  /** Milliseconds since the epoch, of the arrival. */
  time: number;
  /** True when the client hung up before the reply ended; settled once `closed` is. */
  aborted: boolean;
  /** Resolves when the reply ended or the client hung up. */
  closed: Promise<void>;
};

/** What tests read of a request's body. */
export type ChatRequest = {
  model: string;
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  messages: {
    role: string;
    content: string | null;
    tool_calls?: { id: string; type: string; function: { name: string; arguments: string } }[];
    tool_call_id?: string;
  }[];
  tools?: { type: string; function: { name: string; description: string; parameters: unknown } }[];
};

export type Scripted = Reply | ((request: RecordedRequest, index: number) => Reply | Promise<Reply>);
export type Reply =
  | { type: 'stream'; parts: Part[] }
  | { type: 'answer'; status: number; body: string; headers: Record<string, string> }
  | { type: 'hang' };
export type Part =
  | { type: 'bytes'; bytes: string | Uint8Array }
  | Gate
  /** The socket is destroyed. */
  | { type: 'hang_up' }
  /** The reply ends here, without `[DONE]`. */
  | { type: 'end' };
export type Gate = {
  type: 'gate';
  reached: Promise<void>;
  reach: () => void;
  opened: Promise<void>;
  open: () => void;
};

// ── Replies ───────────────────────────────────────────────────────────────────────────────────────────

/** An event stream. Unless the parts say otherwise it ends with finish_reason `stop` or `tool_calls` and `[DONE]`. */
export function stream(...parts: (Part | Part[])[]): Reply {
  const flat = parts.flat();
  const said = flat.map((part) => (part.type === 'bytes' ? String(part.bytes) : '')).join('');
  if (!said.includes('"finish_reason":"')) {
    flat.push(...finish(said.includes('"tool_calls":') ? 'tool_calls' : 'stop'));
  }
  return { type: 'stream', parts: [...flat, raw('data: [DONE]\n\n')] };
}

/** Any other answer; an object is sent as JSON. */
export function answer(status: number, body: unknown = '', headers: Record<string, string> = {}): Reply {
  const isText = typeof body === 'string';
  const contentType = isText ? 'text/plain' : 'application/json';
  return {
    type: 'answer',
    status,
    body: isText ? body : JSON.stringify(body),
    headers: { 'content-type': contentType, ...headers },
  };
}

/** Takes the request and never answers. */
export function hang(): Reply {
  return { type: 'hang' };
}

// ── Parts of a stream ─────────────────────────────────────────────────────────────────────────────────

/** One chunk for each piece of text. */
export function text(...pieces: string[]): Part[] {
  return pieces.map((content) => delta({ content }));
}

/** One chunk that opens a call, then its arguments cut into `pieces` fragments (default 1). */
export function call(options: {
  id: string;
  name: string;
  arguments: string;
  index?: number;
  pieces?: number;
}): Part[] {
  const { id, name, arguments: whole, index = 0, pieces = 1 } = options;
  const size = Math.max(1, Math.ceil(whole.length / pieces));
  const fragments = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
    whole.slice(at * size, (at + 1) * size),
  );
  return [
    delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    ...fragments.map((fragment) => delta({ tool_calls: [{ index, function: { arguments: fragment } }] })),
  ];
}

export function usage(input: number, output: number): Part[] {
  return [chunk({ choices: [], usage: { prompt_tokens: input, completion_tokens: output } })];
}

export function finish(reason: string): Part[] {
  return [chunk({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })];
}

/** A chunk with this delta. */
export function delta(value: Record<string, unknown>): Part {
  return chunk({ choices: [{ index: 0, delta: value, finish_reason: null }] });
}

/** An event with this data. */
export function chunk(data: unknown): Part {
  return raw(`data: ${JSON.stringify(data)}\n\n`);
}

export function raw(bytes: string | Uint8Array): Part {
  return { type: 'bytes', bytes };
}

/** The reply waits here until the test opens the gate. */
export function gate(): Gate {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  return {
    type: 'gate',
    reached: reached.promise,
    reach: reached.resolve,
    opened: opened.promise,
    open: opened.resolve,
  };
}

export function hangUp(): Part {
  return { type: 'hang_up' };
}

export function end(): Part {
  return { type: 'end' };
}

// ── The server ────────────────────────────────────────────────────────────────────────────────────────

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': '*',
  'access-control-allow-headers': '*, authorization',
  'access-control-allow-private-network': 'true',
};

/** Listens on a free loopback port; `models` is what GET /v1/models lists. */
export async function startModelServer(models: string[] = ['fake-model']): Promise<ModelServer> {
  const script = createScript();
  const server = createServer((request, response) => {
    handle(request, response, models, script).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { error: { message: String(error) } });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: script.requests,
    titleRequests: script.titleRequests,
    titles: script.titles,
    script: script.append,
    otherwise: script.otherwise,
    waitForRequest: script.waitForRequest,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

type Script = ReturnType<typeof createScript>;

/** What came and what to answer. */
function createScript() {
  const requests: RecordedRequest[] = [];
  const waiting = new Map<number, PromiseWithResolvers<RecordedRequest>>();
  const queue: Scripted[] = [];
  const titleRequests: RecordedRequest[] = [];
  let fallback: Scripted = unscripted;
  let title: Scripted = stream();
  const replied = (scripted: Scripted, request: RecordedRequest, index: number) =>
    typeof scripted === 'function' ? scripted(request, index) : scripted;
  return {
    requests,
    titleRequests,
    titles: (reply: Scripted) => void (title = reply),
    append: (...replies: Scripted[]) => void queue.push(...replies),
    otherwise: (reply: Scripted) => void (fallback = reply),
    async replyTo(request: RecordedRequest): Promise<Reply> {
      if (asksForTitle(request)) return replied(title, request, titleRequests.push(request) - 1);
      const index = requests.push(request) - 1;
      const scripted = queue.shift() ?? fallback;
      waiting.get(index)?.resolve(request);
      return replied(scripted, request, index);
    },
    waitForRequest(index: number): Promise<RecordedRequest> {
      const arrived = requests[index];
      if (arrived !== undefined) return Promise.resolve(arrived);
      const wait = waiting.get(index) ?? Promise.withResolvers<RecordedRequest>();
      waiting.set(index, wait);
      return wait.promise;
    },
  };
}

function asksForTitle({ body }: RecordedRequest): boolean {
  return JSON.stringify(body).includes(JSON.stringify(TITLE_INSTRUCTIONS).slice(1, -1));
}

function unscripted(_: RecordedRequest, index: number): Reply {
  return answer(500, { error: { message: `No reply was scripted for request ${index}.` } });
}

async function handle(request: IncomingMessage, response: ServerResponse, models: string[], script: Script) {
  for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value);
  const path = (request.url ?? '').split('?')[0];
  if (request.method === 'OPTIONS') {
    response.writeHead(204).end();
  } else if (request.method === 'GET' && path === '/v1/models') {
    sendJson(response, 200, { object: 'list', data: models.map((id) => ({ id, object: 'model' })) });
  } else if (request.method === 'POST' && (path === '/v1/chat/completions' || path === '/v1/responses')) {
    const api = path === '/v1/responses' ? 'responses' : 'chat';
    const sent = JSON.parse(await readBody(request)) as Record<string, unknown>;
    const recorded = record(request, response, api, sent);
    await send(await script.replyTo(recorded), response, recorded);
  } else {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
  }
}

function record(
  request: IncomingMessage,
  response: ServerResponse,
  api: ModelApi,
  sent: Record<string, unknown>,
): RecordedRequest {
  const closed = Promise.withResolvers<void>();
  const recorded = {
    api,
    body: (api === 'responses' ? asChatBody(sent) : sent) as ChatRequest,
    sent,
    headers: request.headers,
    time: Date.now(),
    aborted: false,
    closed: closed.promise,
  };
  response.once('close', () => {
    recorded.aborted = !response.writableEnded;
    closed.resolve();
  });
  return recorded;
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const piece of request.setEncoding('utf8')) body += String(piece);
  return body;
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function send(reply: Reply, response: ServerResponse, { api, closed }: RecordedRequest): Promise<void> {
  const write = api === 'responses' ? createResponsesWriter() : (piece: string | Uint8Array) => piece;
  switch (reply.type) {
    case 'hang':
      return;
    case 'answer':
      response
        .writeHead(reply.status, reply.headers)
        .end(api === 'responses' ? asResponseBody(reply.body) : reply.body);
      return;
    case 'stream':
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
      response.flushHeaders();
      for (const part of reply.parts) {
        if (response.destroyed || response.writableEnded) return;
        await sendPart(part.type === 'bytes' ? raw(write(part.bytes)) : part, response, closed);
      }
      response.end();
  }
}

async function sendPart(part: Part, response: ServerResponse, closed: Promise<void>): Promise<void> {
  switch (part.type) {
    case 'bytes':
      // Waiting for the write keeps pieces apart, and lets them out before a gate is reached.
      await new Promise<void>((resolve) => response.write(part.bytes, () => resolve()));
      return;
    case 'gate':
      part.reach();
      await Promise.race([part.opened, closed]);
      return;
    case 'hang_up':
      response.destroy();
      return;
    case 'end':
      response.end();
  }
}
