import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Raw = Record<string, unknown>;
type Rpc = { id?: number | string; method: string; params?: Raw };

export type TaskServer = {
  url: string;
  /** What was asked of it, in order. */
  requests: Rpc[];
  asked: (method: string) => Rpc[];
  /** The task as it is from now on: fields of the revision that the server speaks. Undefined: there is none. */
  set: (change: Raw | undefined) => void;
  /** Has a server of 2025-11-25 send something on the stream that it keeps for what belongs to no request. */
  say: (method: string, params: Raw) => void;
  /** What it was answered to its own requests. */
  answers: Raw[];
  /** Drops every connection and listens no more, until `restart`. */
  stop: () => Promise<void>;
  restart: () => Promise<void>;
  /** Resolves when the condition holds; it is asked again at each request. */
  until: (condition: () => boolean) => Promise<void>;
  close: () => Promise<void>;
};

/** What the server of the 2025-11-25 revision gives out by `tasks/result`, once the task has ended. */
const RESULT = 'result';

/**
 * A server on loopback, written by hand, whose one tool `research` runs as a task: as the extension has them (2026-07-28), or
 * as 2025-11-25 had them. A test says how the task gets on.
 */
export async function startTaskServer(era: 'modern' | 'legacy'): Promise<TaskServer> {
  const requests: Rpc[] = [];
  const answers: Raw[] = [];
  const streams = new Set<ServerResponse>();
  const watchers = new Set<() => void>();
  let task: Raw | undefined;
  const dates = { createdAt: new Date().toISOString(), lastUpdatedAt: new Date().toISOString() };
  const begun = { taskId: 't-1', status: 'working', ...dates };
  const paced = era === 'modern' ? { ttlMs: null, pollIntervalMs: 200 } : { ttl: null, pollInterval: 200 };
  const changed = (): void => watchers.forEach((watcher) => watcher());
  const answer = (rpc: Rpc): Raw => {
    if (rpc.method === 'tools/call') task ??= { ...begun, ...paced };
    return (era === 'modern' ? modern : legacy)(rpc, task);
  };

  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    if (request.method === 'GET' && era === 'legacy') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      streams.add(response.on('close', () => streams.delete(response)));
      return changed();
    }
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const rpc = JSON.parse(text) as Rpc;
    const isTask = era === 'modern' && rpc.method?.startsWith('tasks/');
    if (rpc.method === undefined) answers.push(rpc);
    else requests.push(rpc);
    if (rpc.method === undefined || rpc.id === undefined) response.writeHead(202).end();
    else if (isTask && request.headers['mcp-name'] !== rpc.params?.['taskId'])
      reply(response, { jsonrpc: '2.0', id: rpc.id, error: { code: -32020, message: 'Mcp-Name differs' } });
    else reply(response, { jsonrpc: '2.0', id: rpc.id, ...answer(rpc) });
    changed();
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    requests,
    asked: (method) => requests.filter((rpc) => rpc.method === method),
    set: (change) => void (task = change && { ...begun, ...paced, ...task, ...change }),
    say(method, params) {
      const message = {
        jsonrpc: '2.0',
        ...(!method.startsWith('notifications/') && { id: 's1' }),
        method,
        params,
      };
      for (const stream of streams) stream.write(`data: ${JSON.stringify(message)}\n\n`);
    },
    answers,
    stop,
    restart: () => listen(port),
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
    close: stop,
  };
}

function reply(response: ServerResponse, body: Raw): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

const COMPLETE = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const EXTENSION = 'io.modelcontextprotocol/tasks';
const TOOL = { name: 'research', description: 'Takes its time.', inputSchema: { type: 'object' } };
const NO_METHOD = { error: { code: -32601, message: 'Method not found' } };
const NO_TASK = { error: { code: -32602, message: 'Failed to retrieve task: Task not found' } };
const INFO = { name: 'tasks', version: '1' };

function modern({ method, params }: Rpc, task: Raw | undefined): Raw {
  const capabilities = ((params?.['_meta'] ?? {}) as Raw)[
    'io.modelcontextprotocol/clientCapabilities'
  ] as Raw;
  const declares = Object.hasOwn((capabilities['extensions'] ?? {}) as Raw, EXTENSION);
  if (/^tasks\/|^tools\/call$/.test(method) && !declares)
    return { error: { code: -32021, message: 'Missing required client capability' } };
  switch (method) {
    case 'server/discover':
      return {
        result: {
          ...COMPLETE,
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {}, extensions: { [EXTENSION]: {} } },
          _meta: { 'io.modelcontextprotocol/serverInfo': INFO },
        },
      };
    case 'tools/list':
      return { result: { ...COMPLETE, tools: [TOOL] } };
    case 'tools/call':
      return { result: { ...task, resultType: 'task' } };
    case 'tasks/get':
      return task ? { result: { ...task, resultType: 'complete' } } : NO_TASK;
    case 'tasks/update':
    case 'tasks/cancel':
      return { result: { resultType: 'complete' } };
    default:
      return NO_METHOD;
  }
}

function legacy({ method, params }: Rpc, whole: Raw | undefined): Raw {
  const { [RESULT]: result, ...task } = whole ?? {};
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: '2025-11-25',
          capabilities: { tools: {}, tasks: { cancel: {}, requests: { tools: { call: {} } } } },
          serverInfo: INFO,
        },
      };
    case 'tools/list':
      return { result: { tools: [{ ...TOOL, execution: { taskSupport: 'required' } }] } };
    case 'tools/call':
      return params?.['task'] ? { result: { task } } : NO_METHOD;
    case 'tasks/get':
    case 'tasks/cancel':
      return whole ? { result: task } : NO_TASK;
    case 'tasks/result':
      return result ? { result } : { error: { code: -32603, message: 'The sources are closed' } };
    default:
      return NO_METHOD;
  }
}
