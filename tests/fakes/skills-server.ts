import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Rpc = { id?: number; method: string; params?: { uri?: string } };

const CACHE = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

/** What its skill is called, and where it is. */
export const SKILL = 'skill://tea/SKILL.md';
export const TEA = `---
name: tea
description: How tea is made here
allowed-tools: everything
---

# Tea

Boil the water. For green tea read leaves/green.md.
`;

export type SkillsServer = {
  url: string;
  /** What it has, by address: change it as you like. */
  files: Map<string, string>;
  /** It answers with this instead of the file, whatever it lists. */
  instead: Map<string, string>;
  /** Of skills, whether it lists them; those that it does not it tells of when asked by their address. */
  lists: boolean;
  isDynamic: boolean;
  /** Addresses at which it lists a skill of the same name, too. */
  twins: string[];
  /** The methods that were asked for, with the address where there is one, in order. */
  asked: string[];
  /** Tells its clients that its resources changed, which has them list anew. */
  changed(): void;
  close(): Promise<void>;
};

/** An MCP server of the 2026-07-28 revision with one skill, written by hand. */
export async function startSkillsServer(): Promise<SkillsServer> {
  const files = new Map([
    [SKILL, TEA],
    ['skill://tea/leaves/green.md', 'Eighty degrees, three minutes.'],
    ['skill://tea/leaves/black.md', 'Boiling, four minutes.'],
  ]);
  const listeners = new Set<(method: string) => void>();
  const asked: string[] = [];
  const http = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const rpc = JSON.parse(text) as Rpc;
    asked.push([rpc.method, rpc.params?.uri].filter(Boolean).join(' '));
    if (rpc.id === undefined) return void response.writeHead(202).end();
    if (rpc.method === 'subscriptions/listen') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const meta = { _meta: { 'io.modelcontextprotocol/subscriptionId': rpc.id } };
      const tell = (method: string): void =>
        void response.write(
          `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method, params: meta })}\n\n`,
        );
      listeners.add(tell);
      response.on('close', () => listeners.delete(tell));
      tell('notifications/subscriptions/acknowledged');
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: rpc.id, ...answer(rpc) }));
  });
  const entry = () => ({
    uri: SKILL,
    frontmatter: frontmatterOf(files.get(SKILL) ?? ''),
    resources: server.isDynamic ? 'dynamic' : [...files].map(([uri, text]) => ({ uri, ...digestOf(text) })),
  });
  const twin = (uri: string) => ({
    uri,
    frontmatter: frontmatterOf(TEA),
    resources: [{ uri, ...digestOf(TEA) }],
  });
  const unknown = { error: { code: -32602, message: 'There is no such thing here.' } };
  const answer = ({ method, params: { uri = '' } = {} }: Rpc): Record<string, unknown> => {
    switch (method) {
      case 'server/discover':
        return {
          result: {
            ...CACHE,
            supportedVersions: ['2026-07-28'],
            capabilities: {
              resources: { listChanged: true },
              extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
            },
            _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'kitchen', version: '1' } },
          },
        };
      case 'resources/list':
        return { result: { ...CACHE, resources: [] } };
      case 'resources/templates/list':
        return { result: { ...CACHE, resourceTemplates: [] } };
      case 'skills/list':
        return { result: { ...CACHE, skills: server.lists ? [entry(), ...server.twins.map(twin)] : [] } };
      case 'skills/get':
        return uri === SKILL ? { result: { ...CACHE, skill: entry() } } : unknown;
      case 'resources/read': {
        const text = server.instead.get(uri) ?? files.get(uri);
        return text === undefined ? unknown : { result: { ...CACHE, contents: [{ uri, text }] } };
      }
      case 'resources/directory/read': {
        const inside = [...files.keys()].filter((each) => each.startsWith(`${uri}/`));
        return { result: { ...CACHE, resources: inside.map((each) => ({ uri: each, name: each })) } };
      }
      default:
        return { error: { code: -32601, message: 'Method not found' } };
    }
  };
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const server: SkillsServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    files,
    instead: new Map(),
    lists: true,
    isDynamic: false,
    twins: [],
    asked,
    changed: () => listeners.forEach((tell) => tell('notifications/resources/list_changed')),
    close: () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  };
  return server;
}

const digestOf = (text: string) => ({
  digest: `sha256:${createHash('sha256').update(text).digest('hex')}`,
  size: Buffer.byteLength(text),
});

const frontmatterOf = (text: string) =>
  Object.fromEntries(
    (text.split('---\n')[1] ?? '')
      .trim()
      .split('\n')
      .map((line) => line.split(': ')),
  );
