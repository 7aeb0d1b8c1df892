import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ChatMessage } from '../lib/models/demo/answer.ts';
import { createInnerFetch } from '../lib/models/browser/fetch.ts';
import { answerAsDemo, titleAskedFor } from '../lib/models/demo/answer-asked.ts';

/** `baseUrl` is up to and including the version. `requests` are the bodies received, oldest first, but for those that ask for a title. */
export type DemoModel = { baseUrl: string; requests: unknown[]; stop: () => Promise<void> };

/**
 * Starts the demo model as a local server, for what asks over a network.
 * @param options.wordDelay milliseconds between two pieces of an answer
 */
export async function startDemoModel(options: { wordDelay?: number } = {}): Promise<DemoModel> {
  const requests: unknown[] = [];
  const answer = createInnerFetch((asked, signal) => answerAsDemo(asked, signal, options.wordDelay));
  const server = createServer((request, response) => {
    handle(request, response, answer, requests).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  answer: typeof fetch,
  requests: unknown[],
): Promise<void> {
  const body = (await request.setEncoding('utf8').toArray()).join('');
  const answered = await answer(new URL(request.url ?? '/', 'http://localhost'), {
    method: request.method ?? 'GET',
    body,
  });
  // A title is not waited for, nor counted.
  if (body !== '' && answered.ok && !asksForTitle(body)) requests.push(JSON.parse(body));
  response.writeHead(answered.status, {
    ...Object.fromEntries(answered.headers),
    'cache-control': 'no-store',
  });
  if (answered.body) await pipeline(Readable.fromWeb(answered.body as never), response);
}

function asksForTitle(body: string): boolean {
  const { messages } = JSON.parse(body) as { messages: ChatMessage[] };
  return titleAskedFor(messages) !== undefined;
}
