import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

type Rpc = { id?: number | string; method: string; params?: Record<string, unknown> };

const COMPLETE = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

const ECHO = { name: 'echo', inputSchema: { type: 'object', properties: { message: { type: 'string' } } } };

/**
 * A stateless server of the 2026-07-28 revision with one tool, written by hand. `reply` may answer a request otherwise:
 * with `result` or `error`.
 */
export async function startModernServer(
  reply: (rpc: Rpc) => Record<string, unknown> | undefined = () => undefined,
) {
  const methods: string[] = [];
  const requests: Rpc[] = [];
  const streams = new Map<ServerResponse, Rpc>();
  const watchers = new Set<() => void>();
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const rpc = JSON.parse(text) as Rpc;
    methods.push(rpc.method);
    requests.push(rpc);
    if (rpc.id === undefined) response.writeHead(202).end();
    else if (rpc.method === 'subscriptions/listen') listen(rpc, response);
    else answer(rpc, response, reply(rpc) ?? standard(rpc));
    watchers.forEach((watcher) => watcher());
  });
  const listen = (rpc: Rpc, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    streams.set(response, rpc);
    response.on('close', () => {
      streams.delete(response);
      watchers.forEach((watcher) => watcher());
    });
    tell(response, rpc, 'notifications/subscriptions/acknowledged', {
      notifications: rpc.params?.['notifications'],
    });
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    methods,
    requests,
    /** What the open streams listen for. */
    listening: () => [...streams.values()].map(({ params }) => params?.['notifications']),
    notify(method: string, params: Record<string, unknown> = {}): void {
      for (const [response, rpc] of streams) tell(response, rpc, method, params);
    },
    cutStreams: () => streams.forEach((_rpc, response) => response.destroy()),
    until: (condition: () => boolean) =>
      new Promise<void>((resolve) => {
        const watcher = (): void => {
          if (!condition()) return;
          watchers.delete(watcher);
          resolve();
        };
        watchers.add(watcher);
        watcher();
      }),
  };
}

function tell(response: ServerResponse, { id }: Rpc, method: string, params: Record<string, unknown>): void {
  const meta = { _meta: { 'io.modelcontextprotocol/subscriptionId': id } };
  const message = { jsonrpc: '2.0', method, params: { ...params, ...meta } };
  response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}

function answer({ id }: Rpc, response: ServerResponse, body: Record<string, unknown>): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
}

function standard({ method, params }: Rpc): Record<string, unknown> {
  switch (method) {
    case 'server/discover':
      return {
        result: {
          ...COMPLETE,
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} },
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'modern', version: '1' } },
        },
      };
    case 'tools/list':
      return { result: { ...COMPLETE, tools: [ECHO] } };
    case 'resources/list':
      return { result: { ...COMPLETE, resources: [] } };
    case 'resources/templates/list':
      return { result: { ...COMPLETE, resourceTemplates: [] } };
    case 'tools/call': {
      const { message } = (params?.['arguments'] ?? {}) as { message?: string };
      return { result: { ...COMPLETE, content: [{ type: 'text', text: message ?? '' }] } };
    }
    default:
      return { error: { code: -32601, message: 'Method not found' } };
  }
}
