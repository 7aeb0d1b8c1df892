import { Client, InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker';
import { onTestFinished } from 'vitest';
import { REQUEST_CAPABILITIES } from '../../lib/mcp/elicitation/server-requests.ts';
import { keepResults } from '../../lib/mcp/log/tap-results.ts';

type Raw = Record<string, unknown>;
/** A result, or `{error}` in place of one. */
export type Answers = Record<string, (params: Raw) => unknown>;

export type Peer = {
  client: Client;
  transport: InMemoryTransport;
  /** What the client sent, in order. */
  sent: JSONRPCMessage[];
  /** Has the server send a request of its own; resolves with the client's reply. */
  ask(method: string, params: Raw): Promise<{ result?: Raw; error?: { code: number; message: string } }>;
  notify(method: string, params: Raw): Promise<void>;
};

export type PeerOptions = {
  answers?: Answers;
  capabilities?: Raw;
  era?: 'modern' | 'legacy';
  /** With the client before it connects. */
  prepare?: (client: Client, transport: InMemoryTransport) => void;
};

/** A client that is connected to a server which answers exactly what a test says, however wrong that is. */
export async function connectPeer({ answers = {}, capabilities, era, prepare }: PeerOptions): Promise<Peer> {
  const [transport, far] = InMemoryTransport.createLinkedPair();
  const sent: JSONRPCMessage[] = [];
  const asked = new Map<unknown, (reply: Raw) => void>();
  const all: Answers = { ...handshake(era ?? 'legacy', capabilities ?? ALL), ...answers };
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the transport is no EventTarget
  far.onmessage = (message) => {
    sent.push(message);
    const raw = message as Raw;
    if (!('method' in message)) return asked.get(raw['id'])?.(raw);
    if (!('id' in message)) return;
    const answer = all[message.method]?.((message.params ?? {}) as Raw);
    const body = answer === undefined ? { error: { code: -32601, message: 'Method not found' } } : answer;
    const reply = isError(body) ? body : { result: body };
    void far.send({ jsonrpc: '2.0', id: message.id, ...reply } as JSONRPCMessage);
  };
  await far.start();
  const client = new Client(
    { name: 'test', version: '1' },
    {
      capabilities: REQUEST_CAPABILITIES,
      versionNegotiation: { mode: 'auto' },
      jsonSchemaValidator: new CfWorkerJsonSchemaValidator(),
    },
  );
  keepResults(transport);
  prepare?.(client, transport);
  await client.connect(transport);
  onTestFinished(() => client.close());
  let id = 0;
  return {
    client,
    transport,
    sent,
    ask(method, params) {
      id += 1;
      const reply = new Promise<Raw>((resolve) => asked.set(`s${id}`, resolve));
      void far.send({ jsonrpc: '2.0', id: `s${id}`, method, params } as JSONRPCMessage);
      return reply;
    },
    notify: (method, params) => far.send({ jsonrpc: '2.0', method, params } as JSONRPCMessage),
  };
}

const ALL = { tools: {}, prompts: {}, resources: { subscribe: true }, completions: {}, logging: {} };

function handshake(era: 'modern' | 'legacy', capabilities: Raw): Answers {
  const serverInfo = { name: 'peer', version: '1' };
  return era === 'modern'
    ? {
        'server/discover': () => ({
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities,
          ttlMs: 0,
          cacheScope: 'private',
          _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
        }),
      }
    : { initialize: () => ({ protocolVersion: '2025-11-25', capabilities, serverInfo }) };
}

function isError(answer: unknown): answer is { error: unknown } {
  return typeof answer === 'object' && answer !== null && 'error' in answer;
}
