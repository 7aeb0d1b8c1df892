import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

export const APP_URI = 'ui://berths/view.html';

/** An MCP server whose tool `berths` is shown by an app that does what its test has it do. */
export type AppServer = {
  url: string;
  /** Names of the tools that were called, in order. */
  called: string[];
  /** Calls of `berths` and `ask` wait from now on, until `release`. */
  hold: () => void;
  release: () => void;
  /** Addresses of what was asked beside MCP: an app, or what it leads to, got out. */
  leaked: string[];
  close: () => Promise<void>;
};

/** @param csp what the app's resource declares of its policy, with the server's own origin */
export async function startAppServer(
  html: string,
  csp: (origin: string) => Record<string, string[]> = () => ({}),
): Promise<AppServer> {
  const called: string[] = [];
  const leaked: string[] = [];
  let gate = Promise.withResolvers<void>();
  gate.resolve();
  const http = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url !== '/mcp') {
      leaked.push(request.url ?? '');
      response.setHeader('access-control-allow-origin', '*');
      response.end('hello');
      return;
    }
    const transport = new StreamableHTTPServerTransport();
    response.on('close', () => void transport.close());
    await offering().connect(transport as Parameters<McpServer['connect']>[0]);
    await transport.handleRequest(request, response);
  }

  function offering(): McpServer {
    const server = new McpServer({ name: 'Harbour', version: '1.0.0' });
    const says = (tool: string, text: string) => {
      called.push(tool);
      return { content: [{ type: 'text' as const, text }] };
    };
    server.registerTool(
      'berths',
      {
        description: 'Shows the berths.',
        inputSchema: { pier: z.string() },
        annotations: { readOnlyHint: true, openWorldHint: false },
        _meta: { ui: { resourceUri: APP_URI } },
      },
      async ({ pier }) => ({
        ...(await gate.promise.then(() => ({}))),
        ...says('berths', `Pier ${pier} has 3 free berths`),
        structuredContent: { free: 3 },
        _meta: { drawn: 'as a map' },
      }),
    );
    server.registerTool(
      'move',
      { description: 'Moves a ship.', inputSchema: { ship: z.string() } },
      ({ ship }) => says('move', `${ship} moved`),
    );
    server.registerTool(
      'for_models',
      { description: 'No app may call it.', _meta: { ui: { visibility: ['model'] } } },
      () => says('for_models', 'called'),
    );
    server.registerTool(
      'for_apps',
      { description: 'No model may call it.', _meta: { ui: { visibility: ['app'] } } },
      () => says('for_apps', randomUUID()),
    );
    server.registerTool(
      'ask',
      {
        description: 'Asks the user, and waits for `release` alone.',
        _meta: { ui: { visibility: ['app'] } },
      },
      async ({ sendRequest }) => {
        const form = { message: 'Which ship?', requestedSchema: { type: 'object', properties: {} } } as const;
        sendRequest({ method: 'elicitation/create', params: form }, z.object({})).catch(() => undefined);
        await gate.promise;
        return says('ask', 'never mind');
      },
    );
    const ui = { ui: { csp: csp(origin) } };
    server.registerResource('view', APP_URI, { mimeType: 'text/html;profile=mcp-app' }, () => ({
      contents: [{ uri: APP_URI, mimeType: 'text/html;profile=mcp-app', text: html, _meta: ui }],
    }));
    server.registerResource('tides', 'tide://today', { mimeType: 'text/plain' }, () => ({
      contents: [{ uri: 'tide://today', mimeType: 'text/plain', text: 'high at nine' }],
    }));
    server.registerResource('logs', 'log://both', { mimeType: 'text/csv' }, () => ({
      contents: ['pier,free', 'another file'].map((text) => ({
        uri: 'log://both',
        mimeType: 'text/csv',
        text,
      })),
    }));
    return server;
  }

  return {
    url: `${origin}/mcp`,
    called,
    leaked,
    hold: () => void (gate = Promise.withResolvers()),
    release: () => gate.resolve(),
    async close() {
      const closed = once(http, 'close');
      http.close();
      http.closeAllConnections();
      await closed;
    },
  };
}

/** An app that says hello to its host, keeps what it hears, and has `ask` and `tell` for its test. */
export const PLAIN_APP = `<!doctype html><html><body><h1>Berths</h1><p id="state">waiting</p><script>
  const waiting = new Map(); let next = 1; const heard = []; const told = [];
  const ask = (method, params = {}) => new Promise((resolve) => {
    waiting.set(next, resolve); parent.postMessage({ jsonrpc: '2.0', id: next++, method, params }, '*');
  });
  const tell = (method, params = {}) => parent.postMessage({ jsonrpc: '2.0', method, params }, '*');
  addEventListener('message', ({ data }) => {
    heard.push(data);
    if (data.method === 'ui/notifications/tool-result') document.getElementById('state').textContent =
      data.params.content[0].text + ', ' + data.params._meta?.drawn;
    const answer = (result) => parent.postMessage({ jsonrpc: '2.0', id: data.id, result }, '*');
    if (data.method === 'tools/list') answer({ tools: window.tools ?? [] });
    if (data.method === 'tools/call') { told.push(data.params); answer({ content: [{ type: 'text', text: 'Berth ' + data.params.arguments.berth + ' is selected' }] }); }
    if (data.method === 'ui/resource-teardown') { told.push('torn down'); parent.postMessage({ jsonrpc: '2.0', id: data.id, result: {} }, '*'); }
    if (!data.method) { waiting.get(data.id)?.(data.error ? 'refused: ' + data.error.message : data.result); }
  });
  Object.assign(window, { ask, tell, heard, told });
  ask('ui/initialize', { protocolVersion: '2026-01-26', appInfo: { name: 'berths', version: '1' }, appCapabilities: { tools: { listChanged: true } } })
    .then((host) => { window.host = host; tell('ui/notifications/initialized'); });
</script></body></html>`;
