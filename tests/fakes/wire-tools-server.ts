import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js';
import { wireTool, wireTools } from './wire-tools.ts';

/** A real MCP server (SDK 1.x, without sessions) on loopback that lists the tools of the fixtures, schemas as written. */
export async function startWireToolsServer(): Promise<{ url: string; close: () => Promise<void> }> {
  const http = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async close() {
      const closed = once(http, 'close');
      http.close();
      http.closeAllConnections();
      await closed;
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('access-control-allow-origin', '*');
  response.setHeader('access-control-allow-methods', '*');
  response.setHeader(
    'access-control-allow-headers',
    request.headers['access-control-request-headers'] ?? '*',
  );
  if (request.method === 'OPTIONS') return void response.writeHead(204).end();
  // Nothing is ever said unasked.
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const server = new Server({ name: 'wire-tools', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: wireTools.map(({ name, inputSchema }) => ({
      name,
      inputSchema: inputSchema as Tool['inputSchema'],
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }): CallToolResult => {
    return wireTool(params.name).result(params.arguments ?? {}) as CallToolResult;
  });
  const transport = new StreamableHTTPServerTransport({});
  await server.connect(transport as Transport);
  await transport.handleRequest(request, response);
}
