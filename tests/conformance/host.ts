import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createQueue } from '../../lib/async.ts';
import { play, type Scenario } from './scenario.ts';
import type { Subject } from './subject.ts';

/** The suite starts all of its clients at once, which a small computer answers after their timeouts. */
const AT_ONCE = 6;

/** Plays the scenarios that relays send. @returns its address, and its end */
export async function startHost(subject: Subject): Promise<{ url: string; close: () => Promise<void> }> {
  const queue = createQueue(() => AT_ONCE);
  const { signal } = new AbortController();
  const server = createServer(async (request, response) => {
    try {
      const scenario = JSON.parse(await text(request)) as Scenario;
      await queue.run('', signal, () => play(subject, scenario));
      response.end();
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.message : String(error));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
