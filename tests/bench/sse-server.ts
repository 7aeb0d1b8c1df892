import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

/**
 * A model server in a process of its own. `POST /{tokens}/{pace}/v1/chat/completions` streams that many tokens.
 * `pace` is the least number of microseconds from one token to the next, each written by itself, as model servers do;
 * `burst` writes all of them at once, as fast as the socket takes them. Sends its port to the parent.
 */
const server = createServer((request, response) => {
  const [, tokens, pace] = (request.url ?? '').split('/');
  request.resume().once('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const all = pieces(Number(tokens));
    void (pace === 'burst' ? burst(response, all) : paced(response, all, Number(pace)));
  });
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.((server.address() as AddressInfo).port);
process.once('disconnect', () => process.exit());

/** Chunks with the fields that OpenAI’s have, a word each; then the reason for the end, and [DONE]. */
function pieces(tokens: number): string[] {
  const head = {
    id: 'chatcmpl-Bx1',
    object: 'chat.completion.chunk',
    created: 1_760_000_000,
    model: 'bench',
  };
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ ...head, system_fingerprint: 'fp_1', choices: [{ index: 0, delta, logprobs: null, finish_reason }] })}\n\n`;
  const words = Array.from({ length: tokens }, (_, at) => chunk({ content: ` word${at % 100}` }, null));
  return [chunk({ role: 'assistant', content: '' }, null), ...words, chunk({}, 'stop'), 'data: [DONE]\n\n'];
}

async function burst(response: ServerResponse, all: string[]): Promise<void> {
  for (let at = 0; at < all.length; at += 100) {
    if (!response.write(all.slice(at, at + 100).join(''))) await once(response, 'drain');
  }
  response.end();
}

/** A timer is too coarse for microseconds, so this process spins. */
async function paced(response: ServerResponse, all: string[], micros: number): Promise<void> {
  let due = performance.now();
  for (const piece of all) {
    while (performance.now() < due) await new Promise((resolve) => setImmediate(resolve));
    await new Promise<void>((resolve) => response.write(piece, () => resolve()));
    due = performance.now() + micros / 1000;
  }
  response.end();
}
