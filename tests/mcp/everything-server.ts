import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { onTestFinished, vi } from 'vitest';

const installed = (path: string): string =>
  fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url));
const program = installed('@modelcontextprotocol/server-everything/dist/index.js');
const proxy = installed('mcp-proxy/dist/bin/mcp-proxy.mjs');

/** The real reference server; resolves when it says that it listens. */
export function startEverything(transport: 'streamableHttp' | 'sse', port: number): Promise<ChildProcess> {
  return start([program, transport], { PORT: String(port) }, /(listening|running) on port/i);
}

/** The reference server behind mcp-proxy, which speaks the 2026-07-28 revision at `/mcp`, beside those before it. */
export async function startProxied(port: number): Promise<ChildProcess> {
  const behind = ['--', process.execPath, program, 'stdio'];
  const child = await start(
    [proxy, '--host', '127.0.0.1', '--port', String(port), ...behind],
    {},
    /starting/i,
  );
  // It says that it starts, but not when it listens.
  await vi.waitUntil(() => listens(port));
  return child;
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isThere = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isThere;
}

async function start(args: string[], env: Record<string, string>, ready: RegExp): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
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
