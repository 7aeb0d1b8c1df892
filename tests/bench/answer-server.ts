import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { answerTokens } from './answer.ts';

/**
 * A model server in a process of its own. `POST /{tokens}/{perSecond}/v1/chat/completions` streams an answer of that many
 * tokens, each in a write of its own; without a rate (`burst`) as fast as the socket takes it. `POST
 * /{tokens}/{perSecond}/plain` streams the same text as it is. The parent is told the port, and then when each request
 * came and when the last of its answer was about to be written. @param process.argv[2] a port, else any free one
 */
const now = (): number => performance.timeOrigin + performance.now();

const server = createServer((request, response) => {
  const asked = now();
  const [, tokens, rate, kind] = (request.url ?? '').split('/');
  request.resume().once('end', async () => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'access-control-allow-origin': '*' });
    if (request.method !== 'POST')
      return void response.end('{"data":[{"id":"bench","context_length":100000000}]}'); // no room is made for what comes
    const all = answerTokens(Number(tokens));
    const ended = await send(
      response,
      kind === 'plain' ? all : events(all),
      rate === 'burst' ? Infinity : Number(rate),
    );
    response.end();
    process.send?.({ asked, ended });
  });
});
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1');
await once(server, 'listening');
process.send?.((server.address() as AddressInfo).port);
process.once('disconnect', () => process.exit());

/** Chunks with the fields that OpenAI’s have. */
function events(tokens: string[]): string[] {
  const head = { id: 'c1', object: 'chat.completion.chunk', created: 1_760_000_000, model: 'bench' };
  const chunk = (delta: object, finish_reason: string | null) =>
    `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason }] })}\n\n`;
  return [...tokens.map((content) => chunk({ content }, null)), `${chunk({}, 'stop')}data: [DONE]\n\n`];
}

/** @returns when the last piece was about to be written: afterwards whoever reads it may have been first to look at the clock */
async function send(response: ServerResponse, pieces: string[], perSecond: number): Promise<number> {
  let ended = 0;
  const begin = performance.now();
  for (let sent = 0; sent < pieces.length;) {
    const due = perSecond === Infinity ? sent + 100 : ((performance.now() - begin) / 1000) * perSecond;
    let taken = true;
    for (; sent < Math.min(due, pieces.length); sent++) {
      if (sent === pieces.length - 1) ended = now();
      taken = response.write(pieces[sent] ?? '');
    }
    if (!taken) await once(response, 'drain');
    if (perSecond !== Infinity) await setTimeout(Math.max(1, 1000 / perSecond));
  }
  return ended;
}
