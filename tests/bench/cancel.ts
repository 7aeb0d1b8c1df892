import { createQueue } from '../../lib/async.ts';
import { type Connections, createConnections } from '../../lib/mcp/connections.ts';
import { connect, optionsFor } from './calls.ts';
import { startChild } from './child.ts';
import { type Figure, median, wallOf } from './figures.ts';

export type CancelSizes = { queued: number; rounds: number };

/** As many connections as a browser opens to one origin. */
const SOCKETS = 6;
/** Of the calls to one origin so many run at a time. */
const RUNNING = 4;

/** How long the cancel of a running call takes to reach its server, while others wait for their turn. */
export async function cancel({ queued, rounds }: CancelSizes): Promise<Figure[]> {
  const servers = await startChild<string[]>('mcp-servers.ts', '1');
  const url = servers.said[0] ?? '';
  const wire = createWire();
  const connections = createConnections({ fetch: wire.fetch, onStatus: () => {}, onTools: () => {} });
  try {
    await connect(connections, 1, url);
    const cancels: number[] = [];
    const posts: number[] = [];
    for (let round = -1; round < rounds; round++) {
      await whileRunning(connections, wire, queued + RUNNING, async (stop) => {
        posts.push(await wallOf(() => barePost(url)));
        cancels.push(await wallOf(stop));
      });
    }
    const [value, bare] = [median(cancels.slice(1)), median(posts.slice(1))];
    const name = `a cancel’s way to its server, ${queued} calls queued on its origin`;
    const detail = `until the server answered it; ${RUNNING} calls running, ${SOCKETS} connections`;
    return [
      { name, value, unit: 'ms', target: 200, detail },
      {
        name: `${name} / a bare POST`,
        value: value / bare,
        unit: 'x',
        detail: `${value.toFixed(1)} / ${bare.toFixed(1)} ms`,
      },
    ];
  } finally {
    await connections.disconnect(1);
    servers.stop();
  }
}

/** One that the server answers without a thought, on a connection that is open. */
async function barePost(url: string): Promise<void> {
  const response = await fetch(new URL('/bare', url), { method: 'POST', body: '{}' });
  await response.text();
}

type Wire = { fetch: typeof fetch; answered: (method: string, times: number) => Promise<void> };

/**
 * Starts the calls, does the work once all are running that may, and ends them. `stop`: ends the first, until the
 * server knows.
 */
async function whileRunning(
  connections: Connections,
  wire: Wire,
  count: number,
  work: (stop: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const stops = Array.from({ length: count }, () => new AbortController());
  const running = wire.answered('tools/call', RUNNING);
  const calls = stops.map(({ signal }) =>
    connections.call(1, 'sleep', { ms: 600_000 }, optionsFor({ signal })),
  );
  await running;
  const stopAll = (which: AbortController[], told: number): Promise<void> => {
    const answered = wire.answered('notifications/cancelled', told);
    for (const stop of which) stop.abort();
    return answered;
  };
  await work(() => stopAll(stops.slice(0, 1), 1));
  // The one that came up for it may not have been sent yet, and then needs no cancel.
  await stopAll(stops.slice(1), RUNNING - 1);
  for (const { status } of await Promise.all(calls)) {
    if (status !== 'cancelled') throw new Error(`A call that was stopped ended with ${status}.`);
  }
}

/** A fetch with no more connections than a browser has, and what the server has answered of it so far. */
function createWire(): Wire {
  const sockets = createQueue(() => SOCKETS);
  const waiting = new Set<{ method: string; left: number; resolve: () => void }>();
  const note = (body: unknown): void => {
    for (const each of waiting) {
      if (!String(body).includes(`"${each.method}"`) || --each.left > 0) continue;
      waiting.delete(each);
      each.resolve();
    }
  };
  return {
    fetch: (input, init) =>
      new Promise((resolve, reject) => {
        const signal = init?.signal ?? new AbortController().signal;
        const job = async (): Promise<void> => {
          const response = await fetch(input, init);
          note(init?.body);
          const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
          resolve(new Response(response.body && readable, response));
          // The connection is free again when the body has ended, however it did.
          await response.body?.pipeTo(writable).catch(() => undefined);
        };
        sockets.run('', signal, job).catch(reject);
      }),
    answered: (method, left) => new Promise((resolve) => void waiting.add({ method, left, resolve })),
  };
}
