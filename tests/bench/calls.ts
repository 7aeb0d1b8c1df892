import { type Connections, createConnections } from '../../lib/mcp/connections.ts';
import type { McpCallOptions } from '../../lib/mcp/calls/call.ts';
import { MOST_CALLS } from '../../lib/mcp/transport/origin-limits.ts';
import { startChild } from './child.ts';
import { type Figure, median } from './figures.ts';

export type CallsSizes = { origins: number; calls: number; ms: number; rounds: number };

/** The wall-clock time of calls that all start at once: spread over several origins, and all on one. */
export async function calls({ origins, calls: count, ms, rounds }: CallsSizes): Promise<Figure[]> {
  const servers = await startChild<string[]>('mcp-servers.ts', String(origins));
  const connections = createConnections({ onStatus: () => {}, onTools: () => {} });
  const waves = Math.ceil(count / MOST_CALLS);
  try {
    await Promise.all(servers.said.map((url, at) => connect(connections, at + 1, url)));
    const spread = await medianWall(rounds, () =>
      callAll(connections, count, ms, (call) => (call % origins) + 1),
    );
    const single = await medianWall(rounds, () => callAll(connections, count, ms, () => 1));
    return [
      {
        name: `${count} calls of ${ms} ms over ${origins} origins / one call`,
        value: spread / ms,
        unit: 'x',
        target: 1.3,
        detail: `${spread.toFixed(0)} / ${ms} ms wall`,
      },
      {
        name: `${count} calls of ${ms} ms on one origin / ${waves} calls`,
        value: single / (waves * ms),
        unit: 'x',
        target: 1.3,
        detail: `${single.toFixed(0)} / ${waves * ms} ms wall; ${MOST_CALLS} at a time, in order, none lost`,
      },
    ];
  } finally {
    await Promise.all(servers.said.map((_url, at) => connections.disconnect(at + 1)));
    servers.stop();
  }
}

export async function connect(connections: Connections, id: number, url: string): Promise<void> {
  const config = { id, name: `Server ${id}`, transport: 'streamable-http', url, headers: {} } as const;
  await connections.connect({ ...config, toolTimeout: 60_000 });
}

/**
 * Makes all calls at the same time.
 * @returns milliseconds until the last result
 * @throws Error when one fails, or when those of one server are not dispatched in the order in which they were made
 */
async function callAll(
  connections: Connections,
  count: number,
  ms: number,
  serverOf: (call: number) => number,
): Promise<number> {
  const dispatched: number[] = [];
  const begin = performance.now();
  await Promise.all(
    Array.from({ length: count }, async (_, call) => {
      const started = async () => void dispatched.push(call);
      const { status, result } = await connections.call(
        serverOf(call),
        'sleep',
        { ms },
        optionsFor({ started }),
      );
      if (status !== 'success') throw new Error(`Call ${call} ended with ${status}: ${result.text}`);
    }),
  );
  const wall = performance.now() - begin;
  // In order at each server. Between servers there is none: one that was silent for a second is asked whether it is there
  // before a non-idempotent call (lib/mcp/connection/liveness.ts), and the others do not wait for that.
  const isSwapped = (call: number, at: number): boolean =>
    dispatched.slice(0, at).some((before) => before > call && serverOf(before) === serverOf(call));
  if (dispatched.some(isSwapped) || dispatched.length !== count) {
    throw new Error(`The calls were dispatched in the order ${dispatched.join(' ')}.`);
  }
  return wall;
}

/** Of a call without events, elicitations or a stop. */
export function optionsFor(more: Partial<McpCallOptions>): McpCallOptions {
  return {
    signal: new AbortController().signal,
    started: async () => {},
    accepted: async () => {},
    mayRun: async () => {},
    progress: () => {},
    elicit: async () => ({ action: 'cancel' }),
    idempotent: false,
    ...more,
  };
}

/** After one round that does not count. */
async function medianWall(rounds: number, work: () => Promise<number>): Promise<number> {
  const walls: number[] = [];
  for (let round = -1; round < rounds; round++) walls.push(await work());
  return median(walls.slice(1));
}
