import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { bodyOf, listen } from './real-servers.ts';

type Rpc = { id?: number | string; method: string; params?: Record<string, unknown> };
type Answer = { result: unknown } | { error: { code: number; message: string } };

/** A server as a hostile author writes it; its handshake is an honest one. */
export type HostileServer = {
  url: string;
  /** The headers of every request that came. */
  headers: IncomingHttpHeaders[];
  /** Methods in order of arrival. */
  methods: string[];
  close: () => Promise<void>;
};

type Behaviour = {
  /** What `tools/list` gives. */
  tools?: () => unknown[];
  /** Answers a call: with a result, or by writing the response itself. */
  call?: (rpc: Rpc, response: ServerResponse) => Answer | undefined;
  /** What becomes of the stream that the client keeps open. */
  stream?: (response: ServerResponse) => void;
  /** Comes before everything else; true when it has answered. */
  instead?: (response: ServerResponse) => boolean;
};

/** A tool with a schema that fits everything. */
export const tool = (name: string, fields: object = {}): object => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object' },
  ...fields,
});

/** A server of revision 2025-06-18 over Streamable HTTP that behaves as told. */
export async function startHostile(behaviour: Behaviour): Promise<HostileServer> {
  const { tools = () => [], call, stream, instead } = behaviour;
  return startInstead((rpc, response) => {
    if (instead?.(response)) return;
    if (rpc === null) {
      if (!stream) return void response.writeHead(405).end();
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      return stream(response);
    }
    if (rpc.id === undefined) return void response.writeHead(202).end();
    const answer = answerTo(rpc, tools) ?? call?.(rpc, response);
    if (answer) sendRpc(response, rpc, answer);
  });
}

/** A server that answers every request in its own way; `rpc` is null where none came. */
export async function startInstead(
  answer: (rpc: Rpc | null, response: ServerResponse) => void | Promise<void>,
): Promise<HostileServer> {
  const headers: IncomingHttpHeaders[] = [];
  const methods: string[] = [];
  const { origin, close } = await listen(async (request, response) => {
    headers.push(request.headers);
    const body = await bodyOf(request);
    const rpc = body === '' ? null : (JSON.parse(body) as Rpc);
    if (rpc) methods.push(rpc.method);
    await answer(rpc, response);
  });
  return { url: `${origin}/mcp`, headers, methods, close };
}

/** Servers behind one address, by their numbers: those that `hangs` says never answer, the others work. */
export async function startMany(
  hangs: (number: number) => boolean,
): Promise<{ urlOf: (number: number) => string; close: () => Promise<void> }> {
  const { origin, close } = await listen(async (request, response) => {
    if (hangs(Number(request.url?.slice(1)))) return;
    const body = await bodyOf(request);
    if (body === '') return void response.writeHead(405).end();
    const rpc = JSON.parse(body) as Rpc;
    const answer = rpc.id === undefined ? undefined : answerTo(rpc, () => [tool('work')]);
    if (answer) sendRpc(response, rpc, answer);
    else response.writeHead(202).end();
  });
  return { urlOf: (number) => `${origin}/${number}`, close };
}

function sendRpc(response: ServerResponse, { id }: Rpc, answer: Answer): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
}

function answerTo({ method }: Rpc, tools: () => unknown[]): Answer | undefined {
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: 'hostile', version: '1' },
        },
      };
    case 'tools/list':
      return { result: { tools: tools() } };
    case 'tools/call':
      return undefined;
    case 'ping':
      return { result: {} };
    default:
      return { error: { code: -32601, message: 'Method not found' } };
  }
}

/** Bytes that are nothing, the same in every run. */
export function garbage(size: number): Buffer {
  const blocks: Buffer[] = [];
  for (let made = 0; made < size; made += 32) {
    blocks.push(createHash('sha256').update(String(made)).digest());
  }
  return Buffer.concat(blocks).subarray(0, size);
}

/** Writes `megabytes` of text in pieces, as fast as the client takes them; resolves when it has them or hung up. */
export async function pour(response: ServerResponse, megabytes: number): Promise<void> {
  const piece = 'lorem ipsum dolor sit amet '.repeat(40_000).slice(0, 1024 * 1024);
  for (let sent = 0; sent < megabytes && !response.destroyed; sent++) {
    await new Promise<void>((resolve) => {
      response.once('close', resolve);
      response.write(piece, () => {
        response.off('close', resolve);
        resolve();
      });
    });
  }
}
