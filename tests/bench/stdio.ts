import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMessageReader } from '../../native-host/message-reader.ts';
import { installInProfile } from '../../scripts/start/native-host.ts';
import { type Bench, inBrowser } from './extension.ts';
import { alternate, type Figure, least, ratioOf, wallOf } from './figures.ts';

export type StdioSizes = { calls: number; bytes: number; rounds: number };

/** Makes a call. @returns how long it took, in milliseconds */
type Ask = (tool: string, args: Record<string, unknown>) => Promise<number>;

const program = join(import.meta.dirname, '../native-host/fixtures/tools.ts');

/**
 * What the way from the extension’s worker through browser and native host costs over a pipe to the same program: in a
 * small call, and in a long result.
 */
export async function stdio({ calls, bytes, rounds }: StdioSizes): Promise<Figure[]> {
  const profile = await mkdtemp(join(tmpdir(), 'portside-bench-'));
  await installInProfile(profile);
  const direct = await overPipe();
  try {
    return await inBrowser(async (bench) => {
      const hosted = await throughHost(bench);
      const measure = (typical: typeof least, times: number, ...call: Parameters<Ask>) =>
        alternate(
          { pipe: () => direct.ask(...call), host: () => hosted(...call) },
          times,
          (ask) => ask() as Promise<number>,
          typical,
        );
      const small = await measure(middle, calls, 'pid', {});
      const log = await measure(least, rounds, 'log', { bytes });
      const noise = await measure(least, rounds, 'noise', { bytes });
      const long = (what: string, cost: typeof log, target?: number) =>
        ratioOf(
          `${bytes / 1e6} MB of ${what} from a program in the browser / on a direct pipe`,
          cost.host,
          cost.pipe,
          { ...(target !== undefined && { target }), how: `the least of ${rounds}` },
        );
      return [
        {
          name: 'a call of a program from the browser: what browser and native host add',
          value: small.host - small.pipe,
          unit: 'ms',
          target: 2,
          detail: `${small.host.toFixed(2)} over ${small.pipe.toFixed(2)} ms on a direct pipe`,
        },
        long('a log', log, 3),
        long('base64, which can’t be packed,', noise),
      ];
    }, profile);
  } finally {
    direct.stop();
    await rm(profile, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The mean of the middle half: the worker's clock tells whole milliseconds, of which a median would be one too. */
function middle(values: number[]): number {
  const quarter = Math.floor(values.length / 4);
  const half = values.toSorted((a, b) => a - b).slice(quarter, values.length - quarter);
  return half.reduce((sum, each) => sum + each, 0) / half.length;
}

async function overPipe() {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<unknown, (message: unknown) => void>();
  child.stdout.on(
    'data',
    createMessageReader({
      message: (message) => 'id' in message && waiting.get(message.id)?.(message),
      refused: (why) => {
        throw new Error(why);
      },
    }),
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
  const ask: Ask = (name, args) => wallOf(() => request('tools/call', { name, arguments: args }));
  return { ask, stop: () => void child.stdin.end() };
}

/** Calls as the worker makes them, timed by its own log of the wire: what it writes to the disk for a call is not in it. */
async function throughHost({ command }: Bench): Promise<Ask> {
  const { id: serverId = 0, error } = await command('addServer', {
    name: 'Program',
    enabled: true,
    toolTimeout: 60_000,
    trusted: true,
    oneAtATime: false,
    transport: 'stdio',
    command: process.execPath,
    args: [program],
    launchAllowed: true,
  });
  if (error) throw new Error(error.message);
  const tools = await command('listTools', { serverId });
  return async (tool, args) => {
    const fullName = tools.find(({ toolName }) => toolName === tool)?.fullName ?? '';
    const answer = await command('callTool', { callId: randomUUID(), fullName, arguments: args });
    if (!('result' in answer) || answer.result.isError) throw new Error(`${tool} failed.`);
    const lines = await command('serverLog', { serverId });
    return lines.findLast(({ kind }) => kind === 'received')?.tookMs ?? Number.NaN;
  };
}
