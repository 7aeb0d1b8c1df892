import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { type Execute, registerTools } from './mcp-tools.ts';

/** One execution of a tool, by the server's clock (`performance.now()`). */
export type Execution = { tool: string; args: Record<string, unknown>; startedAt: number; endedAt?: number };

export type McpServerOptions = {
  /** 0 or absent: any free port. */
  port?: number;
  /** Answers 401 to a request without it. */
  requireHeader?: { name: string; value: string };
  /** Streamable HTTP isn't there. */
  sseOnly?: boolean;
  /** Instead of MCP: a web page, silence, a bare status, or a redirect. */
  instead?: 'html' | 'silence' | { status: number; body?: string } | { redirectTo: string };
};

type Redefinition = { description?: string; annotations?: ToolAnnotations };

export type TestMcpServer = {
  /** The Streamable HTTP endpoint. */
  url: string;
  /** The SSE endpoint. */
  sseUrl: string;
  port: number;
  executions: Execution[];
  /** Names of the tools whose execution was cancelled by the client. */
  cancelled: string[];
  /** `POST tools/call`, `GET`, ... in order of arrival. */
  requests: string[];
  /** Executions of this tool, from now on, wait before their body until `release`. */
  hold(tool: string): void;
  release(tool: string): void;
  /** Resolves when the condition holds; it is asked again at every request, start, end and cancel. */
  until(condition: () => boolean): Promise<void>;
  /** Forgets every session, as after a restart, but keeps the sockets: the next request gets a 404. */
  forgetSessions(): void;
  /** Sessions that begin from now on list this tool otherwise. */
  redefine(tool: string, definition: Redefinition): void;
  /** Adds a tool at run time, which tells every client that the list changed. */
  addTool(name: string): void;
  /** Ends the streams that the server keeps open of its own, as a proxy does with idle ones. */
  cutStreams(): void;
  /** Drops every connection and stops listening. */
  stop(): Promise<void>;
  /** Stops and listens again on the same port, with no memory of sessions. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

type Gate = PromiseWithResolvers<void>;

/** A real MCP server (SDK 1.x) on loopback, over Streamable HTTP (`/mcp`) and SSE (`/sse`), that a test can watch and hold. */
export async function startMcpServer(options: McpServerOptions = {}): Promise<TestMcpServer> {
  const executions: Execution[] = [];
  const cancelled: string[] = [];
  const requests: string[] = [];
  const gates = new Map<string, Gate>();
  const watchers = new Set<() => void>();
  const streams = new Set<ServerResponse>();
  const changed = (): void => watchers.forEach((watcher) => watcher());
  const sessions = createSessions(watchedExecution(executions, cancelled, gates, changed));

  let http: Server;
  const listen = async (port: number): Promise<number> => {
    http = createServer((request, response) => {
      answer(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
    await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
    return (http.address() as AddressInfo).port;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = request.method === 'POST' ? await readJson(request) : undefined;
    requests.push([request.method, rpcMethod(body)].filter(Boolean).join(' '));
    if (request.method === 'GET') streams.add(response);
    changed();
    if (allowCrossOrigin(request, response) || answerInstead(options, request, response)) return;
    await sessions.handle(request, response, body);
  };
  const stop = async (): Promise<void> => {
    sessions.forget();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  };

  const port = await listen(options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    sseUrl: `http://127.0.0.1:${port}/sse`,
    port,
    executions,
    cancelled,
    requests,
    hold: (tool) => void gates.set(tool, Promise.withResolvers()),
    release(tool) {
      gates.get(tool)?.resolve();
      gates.delete(tool);
    },
    until: (condition) =>
      new Promise((resolve) => {
        const watcher = (): void => {
          if (!condition()) return;
          watchers.delete(watcher);
          resolve();
        };
        watchers.add(watcher);
        watcher();
      }),
    forgetSessions: sessions.forget,
    redefine: sessions.redefine,
    addTool: sessions.addTool,
    cutStreams() {
      for (const stream of streams) stream.destroy();
      streams.clear();
    },
    stop,
    async restart() {
      await stop();
      await listen(port);
    },
    async close() {
      gates.forEach((gate) => gate.resolve());
      if (http.listening) await stop();
    },
  };
}

/** Counts and times executions, holds them at their gate, and ends them when the client cancels. */
function watchedExecution(
  executions: Execution[],
  cancelled: string[],
  gates: Map<string, Gate>,
  changed: () => void,
): Execute {
  return async (tool, args, signal, body) => {
    const execution: Execution = { tool, args, startedAt: performance.now() };
    executions.push(execution);
    changed();
    const ended = Promise.withResolvers<CallToolResult>();
    signal.addEventListener('abort', () => {
      cancelled.push(tool);
      changed();
      ended.reject(signal.reason);
    });
    try {
      return await Promise.race([Promise.resolve(gates.get(tool)?.promise).then(body), ended.promise]);
    } finally {
      execution.endedAt = performance.now();
      changed();
    }
  };
}

type HttpTransport = StreamableHTTPServerTransport | SSEServerTransport;

/** The sessions of both transports, by id. */
function createSessions(execute: Execute): {
  handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void>;
  forget(): void;
  redefine(tool: string, definition: Redefinition): void;
  addTool(name: string): void;
} {
  const redefined = new Map<string, Redefinition>();
  const live = new Map<string, { transport: HttpTransport; server: McpServer }>();
  const connect = async (transport: HttpTransport): Promise<McpServer> => {
    const server = new McpServer({ name: 'test-server', version: '1.0.0' });
    registerTools(redefining(server, redefined), execute);
    await server.connect(transport as Transport);
    return server;
  };

  return {
    async handle(request, response, body) {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      if (url.pathname === '/sse' && request.method !== 'GET') return void response.writeHead(405).end();
      if (url.pathname === '/sse') {
        const transport = new SSEServerTransport('/messages', response);
        live.set(transport.sessionId, { transport, server: await connect(transport) });
        return;
      }
      const id = request.headers['mcp-session-id'] ?? url.searchParams.get('sessionId');
      const found = typeof id === 'string' ? live.get(id)?.transport : undefined;
      if (found instanceof SSEServerTransport) return found.handlePostMessage(request, response, body);
      if (found) return found.handleRequest(request, response, body);
      if (url.pathname !== '/mcp' || id) {
        response.writeHead(404).end(JSON.stringify({ error: 'Not found' }));
        return;
      }
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: (sessionId) => void live.set(sessionId, { transport, server }),
      });
      const server = await connect(transport);
      await transport.handleRequest(request, response, body);
    },
    forget: () => live.clear(),
    redefine: (tool, definition) => void redefined.set(tool, definition),
    addTool: (name) =>
      live.forEach(({ server }) =>
        server.registerTool(name, { description: 'Added later.' }, () => ({ content: [] })),
      ),
  };
}

/** The server, which registers a tool with what was changed of its definition. */
function redefining(server: McpServer, redefined: Map<string, Redefinition>): McpServer {
  const register = server.registerTool.bind(server);
  server.registerTool = (name, config, run) => register(name, { ...config, ...redefined.get(name) }, run);
  return server;
}

/** Lets every page in; true when that was all that the request asked. */
function allowCrossOrigin(request: IncomingMessage, response: ServerResponse): boolean {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
  response.setHeader(
    'access-control-allow-headers',
    request.headers['access-control-request-headers'] ?? '*',
  );
  response.setHeader('access-control-expose-headers', 'mcp-session-id');
  if (request.method !== 'OPTIONS') return false;
  response.writeHead(204).end();
  return true;
}

/** The misbehaviours; true when the request got one. */
function answerInstead(
  { requireHeader, sseOnly, instead }: McpServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (requireHeader && request.headers[requireHeader.name.toLowerCase()] !== requireHeader.value) {
    const sent = request.headers[requireHeader.name.toLowerCase()];
    response.writeHead(401, { 'content-type': 'text/plain' }).end(`Not let in with ${String(sent)}.`);
    return true;
  }
  if (sseOnly === true && request.url?.startsWith('/mcp')) {
    response.writeHead(404).end();
    return true;
  }
  if (instead === undefined) return false;
  if (instead === 'html') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>');
  } else if (instead !== 'silence') {
    if ('redirectTo' in instead) response.writeHead(307, { location: instead.redirectTo }).end();
    else response.writeHead(instead.status).end(instead.body);
  }
  return true;
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return JSON.parse(text);
}

function rpcMethod(body: unknown): string | undefined {
  return typeof body === 'object' && body !== null && 'method' in body ? String(body.method) : undefined;
}
