import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { bodyOf, listen } from '../servers/real-servers.ts';

/** A server with sessions, whose tool `pay` may not be called twice. It can die and be back at once. */
export type MortalServer = {
  url: string;
  /** Methods of all requests in order of arrival, those that were refused too. */
  requests: string[];
  /** How often `pay` was carried out. */
  paid: () => number;
  /** Every connection breaks, every session is forgotten. */
  restart: () => void;
  /** It carries out the next payment and restarts before it answers. */
  dieOfNextPayment: () => void;
  close: () => Promise<void>;
};

export async function startMortal(): Promise<MortalServer> {
  const sessions = new Set<string>();
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let paid = 0;
  let isDoomed = false;
  const restart = (): void => {
    sessions.clear();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const resultOf = (method: string): unknown => {
    if (method === 'initialize') return HANDSHAKE;
    if (method === 'tools/list') return { tools: [{ name: 'pay', inputSchema: { type: 'object' } }] };
    if (method !== 'tools/call') return {};
    paid++;
    return { content: [{ type: 'text', text: 'Paid.' }] };
  };
  const { origin, close } = await listen(async (request, response) => {
    const text = await bodyOf(request);
    if (request.method !== 'POST') return void response.writeHead(405).end();
    sockets.add(request.socket);
    const { id, method } = JSON.parse(text) as { id?: number; method: string };
    requests.push(method);
    if (method === 'server/discover') return void response.writeHead(400).end();
    const session = method === 'initialize' ? randomUUID() : request.headers['mcp-session-id'];
    if (method === 'initialize') sessions.add(String(session));
    if (!sessions.has(String(session))) return void response.writeHead(404).end();
    if (id === undefined) return void response.writeHead(202).end();
    const result = resultOf(method);
    if (method === 'tools/call' && isDoomed) {
      isDoomed = false;
      return restart();
    }
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': String(session) });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  });
  return {
    url: `${origin}/mcp`,
    requests,
    paid: () => paid,
    restart,
    dieOfNextPayment: () => (isDoomed = true),
    close,
  };
}

const HANDSHAKE = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'mortal', version: '1' },
};
