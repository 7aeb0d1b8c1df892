import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createQueue } from '../../lib/async.ts';
import { play, type Scenario } from './scenario.ts';
import type { Subject } from './subject.ts';

/** The suite starts all of its clients at once, which a small computer answers after their timeouts. */
const AT_ONCE = 6;

/** Its address, its end, and why scenarios (by name) could not be played; some are meant not to be. */
type Host = { url: string; failures: ReadonlyMap<string, string>; close: () => Promise<void> };

/** Plays the scenarios that relays send. */
export async function startHost(subject: Subject): Promise<Host> {
  const failures = new Map<string, string>();
  const queue = createQueue(() => AT_ONCE);
  const { signal } = new AbortController();
  const server = createServer(async (request, response) => {
    const scenario = JSON.parse(await text(request)) as Scenario;
    try {
      await queue.run('', signal, () => play(subject, scenario));
      response.end();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      failures.set(scenario.name, reason);
      response.writeHead(500).end(reason);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    failures,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
