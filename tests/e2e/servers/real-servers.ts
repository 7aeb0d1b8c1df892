import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../mcp/free-port.ts';

/** A server program from npm that listens on `port`. */
export type RealServer = { port: number; kill: () => Promise<void>; restart: () => Promise<void> };

const programOf = (path: string): string =>
  fileURLToPath(new URL(`../../../node_modules/${path}`, import.meta.url));

/** Where the reference server keeps what it offers as resources. */
export const everythingDocs = programOf('@modelcontextprotocol/server-everything/dist/docs/');

/** The reference server, which offers all that the protocol has. */
export function startEverything(transport: 'streamableHttp' | 'sse'): Promise<RealServer> {
  const program = programOf('@modelcontextprotocol/server-everything/dist/index.js');
  return startReal((port) => ({
    args: [program, transport],
    env: { PORT: String(port) },
    ready: /(listening|running) on port/i,
  }));
}

/** One of the protocol's example servers, whose tools are shown by apps. */
export function startExampleApp(
  name: 'basic-vanillajs' | 'budget-allocator' | 'system-monitor' | 'pdf',
  ...args: string[]
): Promise<RealServer> {
  const program = programOf(`@modelcontextprotocol/server-${name}/dist/index.js`);
  return startReal((port) => ({
    args: [program, ...args],
    env: { PORT: String(port) },
    ready: /listening on/i,
  }));
}

/** The file server over `folder`, which speaks stdio only, behind a proxy that speaks the modern revision. */
export function startProxiedFiles(folder: string): Promise<RealServer> {
  const proxy = programOf('mcp-proxy/dist/bin/mcp-proxy.mjs');
  const files = programOf('@modelcontextprotocol/server-filesystem/dist/index.js');
  return startReal((port) => ({
    args: [proxy, '--host', '127.0.0.1', '--port', String(port), '--', process.execPath, files, folder],
    env: {},
    ready: /starting server on port/i,
  }));
}

type Program = { args: string[]; env: Record<string, string>; ready: RegExp };

async function startReal(program: (port: number) => Program): Promise<RealServer> {
  const port = await freePort();
  let child = await run(program(port));
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return {
    port,
    kill,
    async restart() {
      await kill();
      child = await run(program(port));
    },
  };
}

/** Starts a program with next to no environment. @throws Error with its words, when it ends before it is ready */
async function run({ args, env, ready }: Program): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  process.once('exit', () => child.kill('SIGKILL')); // should a test end without killing it
  await new Promise<void>((resolve, reject) => {
    let said = '';
    const read = (chunk: Buffer): void => {
      said += chunk.toString();
      if (ready.test(said)) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', () => reject(new Error(`The server ended: ${said}`)));
  });
  return child;
}

type Rpc = { id?: number | string; method?: string; params?: Record<string, unknown> };

/** Stands before a server and hears what it is sent. */
export type Relay = { origin: string; heard: Rpc[]; close: () => Promise<void> };

export async function startRelay(target: number): Promise<Relay> {
  const heard: Rpc[] = [];
  const { origin, close } = await listen(async (asked, answer) => {
    const body = await bodyOf(asked);
    if (body !== '') heard.push(JSON.parse(body) as Rpc);
    const { method = 'GET', headers, url = '/' } = asked;
    const passed = request({ host: '127.0.0.1', port: target, path: url, method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      answer.flushHeaders();
      reply.on('error', () => answer.destroy());
      reply.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    passed.end(body);
  });
  return { origin, heard, close };
}

/** An HTTP server on loopback that answers as the test says. */
export async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = createServer((asked, response) => {
    Promise.resolve(answer(asked, response)).catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export async function bodyOf(asked: IncomingMessage): Promise<string> {
  let body = '';
  for await (const piece of asked.setEncoding('utf8')) body += String(piece);
  return body;
}
