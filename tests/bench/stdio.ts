import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnections } from '../../lib/mcp/connections.ts';
import { createNativeLink } from '../../lib/mcp/native-link.ts';
import { createMessageReader } from '../../native-host/message-reader.ts';
import { browserFor } from '../native-host/connect.ts';
import { optionsFor } from './calls.ts';
import { type Figure, median } from './figures.ts';

export type StdioSizes = { calls: number; bytes: number; rounds: number };

type Ask = (tool: string, args: Record<string, unknown>) => Promise<unknown>;

const program = join(import.meta.dirname, '../native-host/fixtures/tools.ts');

/** What the way through the native host costs over a pipe to the same program: in a small call, and in a long result. */
export async function stdio({ calls, bytes, rounds }: StdioSizes): Promise<Figure[]> {
  const direct = await overPipe();
  const hosted = await throughHost();
  try {
    const small = (ask: Ask) => time(calls, () => ask('pid', {}));
    const large = (ask: Ask) => time(rounds, () => ask('big', { bytes }));
    const [own, added] = [await small(direct.ask), await small(hosted.ask)];
    const [pipe, host] = [await large(direct.ask), await large(hosted.ask)];
    return [
      {
        name: 'a call of a program: what the native host adds',
        value: added - own,
        unit: 'ms',
        target: 2,
        detail: `${added.toFixed(2)} over ${own.toFixed(2)} ms on a direct pipe`,
      },
      {
        name: `a result of ${bytes / 1e6} MB of a program / on a direct pipe`,
        value: host / pipe,
        unit: 'x',
        target: 3,
        detail: `${host.toFixed(0)} / ${pipe.toFixed(0)} ms`,
      },
    ];
  } finally {
    direct.stop();
    await hosted.stop();
  }
}

/** The median of so many, after one that does not count. */
async function time(rounds: number, work: () => Promise<unknown>): Promise<number> {
  const walls: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const begin = performance.now();
    await work();
    walls.push(performance.now() - begin);
  }
  return median(walls.slice(1));
}

async function overPipe() {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<unknown, (message: unknown) => void>();
  child.stdout.on(
    'data',
    createMessageReader(
      (message) => 'id' in message && waiting.get(message.id)?.(message),
      (why) => {
        throw new Error(why);
      },
    ),
  );
  let id = 0;
  const request = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve) => {
      id += 1;
      waiting.set(id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  const clientInfo = { name: 'bench', version: '1' };
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const ask: Ask = (name, args) => request('tools/call', { name, arguments: args });
  return { ask, stop: () => void child.stdin.end() };
}

async function throughHost() {
  const folder = mkdtempSync(join(tmpdir(), 'portside-bench-'));
  const browser = browserFor(folder);
  const connections = createConnections({
    native: createNativeLink(browser.connect),
    onStatus: () => {},
    onTools: () => {},
  });
  const launch = { command: process.execPath, args: [program], env: {} };
  await connections.connect({ id: 1, name: 'Program', transport: 'stdio', toolTimeout: 60_000, launch });
  const ask: Ask = async (tool, args) => {
    const { status, result } = await connections.call(1, tool, args, optionsFor({}));
    if (status !== 'success') throw new Error(`${tool} ended with ${status}: ${result.text}`);
  };
  const stop = async (): Promise<void> => {
    await connections.disconnect(1);
    await browser.end();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ask, stop };
}
