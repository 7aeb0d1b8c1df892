import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

type Rpc = { id?: number; method: string; params?: Record<string, unknown> };

/**
 * A server that answers JSON-RPC exactly as the test says, right or wrong: `reply` gives `result` or `error`.
 * The handshake is done for it.
 */
export async function startRawServer(reply: (rpc: Rpc) => Record<string, unknown>): Promise<string> {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const rpc = JSON.parse(text) as Rpc;
    if (rpc.id === undefined) return void response.writeHead(202).end();
    const answer = rpc.method === 'initialize' ? { result: HANDSHAKE } : reply(rpc);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: rpc.id, ...answer }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

export const UNKNOWN_METHOD = { error: { code: -32601, message: 'Method not found' } };

const HANDSHAKE = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'raw', version: '1' },
};
