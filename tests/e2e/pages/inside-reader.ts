import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that lets anyone ask. `asked`: what it was asked for */
export async function startServer(): Promise<{ url: string; asked: string[]; close: () => void }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('access-control-allow-origin', '*').end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, asked, close: () => void server.close() };
}

/**
 * Runs in the reader's frame, as what took it over would: what it gets at of the browser, of Portside's storage and of the
 * network. @param url of a server that lets anyone ask
 */
export async function tryAll(url: string): Promise<Record<string, string>> {
  const outcome = async (attempt: () => unknown): Promise<string> => {
    try {
      return String(await attempt());
    } catch {
      return 'refused';
    }
  };
  const loaded = (element: HTMLElement) =>
    new Promise((resolve, reject) => {
      element.addEventListener('load', () => resolve('loaded'));
      element.addEventListener('error', reject);
      document.documentElement.append(element);
    });
  const api = globalThis as { chrome?: { runtime?: { id: string } }; browser?: { runtime?: { id: string } } };
  return {
    origin: globalThis.origin,
    runtime: String(api.chrome?.runtime?.id ?? api.browser?.runtime?.id),
    parent: await outcome(() => parent.document.title),
    indexedDB: await outcome(
      () =>
        new Promise((resolve, reject) => {
          const request = indexedDB.open('portside');
          request.addEventListener('success', () => resolve('opened'));
          request.addEventListener('error', reject);
        }),
    ),
    localStorage: await outcome(() => localStorage.length),
    caches: await outcome(() => caches.keys()),
    fetch: await outcome(() => fetch(url)),
    blind: await outcome(() => fetch(url, { mode: 'no-cors' })),
    image: await outcome(() => loaded(Object.assign(new Image(), { src: url }))),
    script: await outcome(() => loaded(Object.assign(document.createElement('script'), { src: url }))),
    socket: await outcome(
      () =>
        new Promise((resolve, reject) => {
          const socket = new WebSocket(url.replace('http', 'ws'));
          socket.addEventListener('open', resolve);
          socket.addEventListener('error', reject);
        }),
    ),
    window: await outcome(() => open(url)?.closed ?? 'refused'),
  };
}

/** What that has to come to. */
export const NOTHING = {
  origin: 'null',
  runtime: 'undefined',
  ...Object.fromEntries(
    'parent indexedDB localStorage caches fetch blind image script socket window'
      .split(' ')
      .map((way) => [way, 'refused']),
  ),
};
