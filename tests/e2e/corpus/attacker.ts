import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { call, type RecordedRequest, type Reply, stream, text } from '../../fakes/model-server.ts';
import { cases, ordersIn } from './cases.ts';
import { type Deed, type Goal, goals, type Place } from './goals.ts';
import { wordsInPictures } from './picture.ts';

/** Where nothing of a user's may ever arrive. */
export type Origin = {
  http: string;
  tls: string;
  /** What arrived: a request's address and headers, or that there was a connection. */
  arrived: string[];
  close: () => Promise<void>;
};

/** On an address of its own, so that it is another site than all others of the test. */
export async function startOrigin(): Promise<Origin> {
  const arrived: string[] = [];
  const http = createHttpServer((request, response) => {
    arrived.push(`${request.url} ${JSON.stringify(request.headers)}`);
    response.setHeader('access-control-allow-origin', '*');
    response.end('Thanks');
  });
  // A browser that only connects, ahead of a request, or for one that no certificate lets through, has said something too.
  http.on('connection', () => arrived.push('a connection'));
  const tls = createServer((socket) => {
    arrived.push('a connection for TLS');
    socket.destroy();
  });
  const origin = async (scheme: string, server: typeof tls | typeof http): Promise<string> => {
    server.listen(0, '127.0.0.9');
    await once(server, 'listening');
    return `${scheme}://127.0.0.9:${(server.address() as AddressInfo).port}`;
  };
  return {
    http: await origin('http', http),
    tls: await origin('https', tls),
    arrived,
    close: async () => {
      http.closeAllConnections();
      await Promise.all([http, tls].map((server) => new Promise((closed) => server.close(closed))));
    },
  };
}

/** Stands before the provider’s id of a call that an order led to. */
export const callIdOf = (order: string, number: number): string => `${order}.${number}`;

/** A model that does, once, whatever a text anywhere in its request orders. */
export function createObedience(place: Place) {
  /** By order, what was done. */
  const obeyed = new Map<string, Deed[]>();
  function obey({ body }: RecordedRequest): Reply {
    const request = JSON.stringify(body);
    const orders = ordersIn(request + wordsInPictures(request)).filter((order) => !obeyed.has(order));
    const said: string[] = [];
    const calls: Parameters<typeof call>[0][] = [];
    for (const order of orders) {
      const goal: Goal | undefined = goals[cases.find((each) => each.order === order)?.goal ?? 'note'];
      const deeds = goal.does(place, order, request);
      obeyed.set(order, deeds);
      said.push(`Done: ${order}`);
      for (const [number, deed] of deeds.entries()) {
        if ('says' in deed) said.push(deed.says);
        else
          calls.push({
            id: callIdOf(order, number),
            index: calls.length,
            name: deed.name,
            arguments: JSON.stringify(deed.args),
          });
      }
    }
    return stream(text(said.join('\n\n') || 'Nothing to do.'), ...calls.map(call));
  }
  return { obey, obeyed };
}
