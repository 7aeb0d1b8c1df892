import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asChatBody, createResponsesWriter } from './responses-wire.ts';
import type { WireFixture, WireReply } from './wire-fixture.ts';

export type FixtureServer = {
  /** The base URL under which the fixture at this index is served. */
  url: (index: number) => string;
  /** The bodies of the chat requests of that fixture, in order of arrival; as chat completions, whichever was asked for. */
  bodies: (index: number) => Record<string, unknown>[];
  /** When each of them arrived, in milliseconds of `performance.now()`. */
  arrivals: (index: number) => number[];
  close: () => Promise<void>;
};

type Arrival = { body: Record<string, unknown>; at: number };

/** The one model that every fixture's address lists. */
export const FIXTURE_MODEL = 'fixture-model';

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': '*',
  'access-control-allow-headers': '*, authorization',
  'access-control-expose-headers': '*',
};

/** Serves fixtures over real HTTP, all at the same time, each at `/{index}/v1`. */
export async function startFixtureServer(fixtures: WireFixture[]): Promise<FixtureServer> {
  const requests = fixtures.map((): Arrival[] => []);
  const server = createServer((request, response) => {
    answer(fixtures, requests, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: (index) => `http://127.0.0.1:${port}/${index}/v1`,
    bodies: (index) => (requests[index] ?? []).map(({ body }) => body),
    arrivals: (index) => (requests[index] ?? []).map(({ at }) => at),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  fixtures: WireFixture[],
  requests: Arrival[][],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value);
  const [, index = '', path = ''] = /^\/(\d+)\/v1\/([^?]*)/.exec(request.url ?? '') ?? [];
  const replies = fixtures[Number(index)]?.replies;
  const seen = requests[Number(index)];
  if (request.method === 'OPTIONS') {
    response.writeHead(204).end();
  } else if (request.method === 'GET' && path === 'models') {
    const data = [{ id: FIXTURE_MODEL, object: 'model' }];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
  } else if (request.method === 'POST' && /^(chat\/completions|responses)$/.test(path) && replies && seen) {
    const at = performance.now();
    const sent = JSON.parse(await readText(request)) as Record<string, unknown>;
    const body = path === 'responses' ? asChatBody(sent) : sent;
    const reply = replies[Math.min(seen.push({ body, at }), replies.length) - 1];
    const named = offeredNames(body);
    const write = path === 'responses' ? createResponsesWriter() : (piece: string | Uint8Array) => piece;
    if (reply)
      await send(reply, response, (piece) => write(typeof piece === 'string' ? named(piece) : piece));
  } else {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found');
  }
}

/** `{{add}}` as the request offers add: in the browser a server's number may be another one, and long names end in a hash. */
function offeredNames(body: Record<string, unknown>): (text: string) => string {
  const tools = Array.isArray(body.tools) ? (body.tools as { function?: { name?: string } }[]) : [];
  const names = tools.map((one) => one.function?.name ?? '');
  const named = (tool: string) =>
    names.find((name) => name.endsWith(`__${tool}`)) ??
    names.find((name) => name.includes(`__${tool}_`)) ??
    `mcp__1__${tool}`;
  return (text) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, tool: string) => named(tool));
}

/** Waiting for each write keeps the pieces apart. */
async function send(
  reply: WireReply,
  response: ServerResponse,
  written: (piece: string | Uint8Array) => string | Uint8Array,
): Promise<void> {
  response.writeHead(reply.status ?? 200, { 'content-type': 'text/event-stream', ...reply.headers });
  response.flushHeaders();
  for (const piece of reply.pieces) {
    if (response.destroyed) return;
    const bytes = written(piece);
    if (bytes.length > 0) await new Promise<void>((resolve) => response.write(bytes, () => resolve()));
  }
  if (reply.cut) response.destroy();
  else response.end();
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += String(piece);
  return text;
}
