import { setTimeout } from 'node:timers/promises';
import { runAgent } from '../../lib/agent/run.ts';
import { FRAME_MS } from '../../lib/models/reply/framing.ts';
import { loopDeps, loopInput, unknownModel } from '../fakes/loop.ts';
import { startChild } from './child.ts';
import { alternate, cpuOf, type Figure, least } from './figures.ts';

export type StreamingSizes = {
  tokens: number;
  few: number;
  many: number;
  rounds: number;
  paceMicros: number;
};

/**
 * What a streamed answer costs: the loop and the parser of lib/models with the openai package, against a bare fetch
 * that reads the same reply and decodes its bytes to text. Each token comes in a packet of its own, as model servers
 * send them. The bare fetch of the target reads as the bytes come, which is what a fetch does by itself; the loop waits
 * for a frame between two reads, and that it saves reads is part of what it is. What its own work costs over the same
 * reads shows in the ratio to a fetch that waits as it does. CPU of this process only; the server has one of its own.
 */
export async function streaming(sizes: StreamingSizes): Promise<Figure[]> {
  const server = await startChild<number>('sse-server.ts');
  const at: Address = (count, pace) => `http://127.0.0.1:${server.said}/${count}/${pace}/v1`;
  try {
    return [...(await live(at, sizes)), ...(await inOneBurst(at, sizes)), ...(await scaling(at, sizes))];
  } finally {
    server.stop();
  }
}

/** Where so many tokens are streamed, so many microseconds apart or as fast as the socket takes them. */
type Address = (tokens: number, pace: number | 'burst') => string;

async function live(at: Address, { tokens, paceMicros, rounds }: StreamingSizes): Promise<Figure[]> {
  const url = at(tokens, paceMicros);
  const { bare, framed, loop } = await alternate(
    { bare: () => readBare(url), framed: () => readBare(url, FRAME_MS), loop: () => runLoop(url, tokens) },
    rounds,
  );
  const each = 'a packet a token; the fetch reads each, the loop once a frame';
  const own = 'the work itself, without the reads that it saves';
  return [
    ratio(`loop and parser / bare fetch, ${tokens} tokens`, loop, bare, each, 1.1),
    ratio('loop and parser / bare fetch that reads once a frame too', loop, framed, own),
    perToken('loop and parser over a bare fetch, per token', loop - bare, tokens),
    perToken('loop and parser over one that reads once a frame, per token', loop - framed, tokens),
  ];
}

async function inOneBurst(at: Address, { tokens, rounds }: StreamingSizes): Promise<Figure[]> {
  const url = at(tokens, 'burst');
  const { bare, parsed, loop } = await alternate(
    { bare: () => readBare(url), parsed: () => readParsed(url), loop: () => runLoop(url, tokens) },
    rounds,
  );
  return [
    ratio('loop and parser / bare fetch, in one burst', loop, bare, `${tokens} tokens`),
    ratio('loop and parser / fetch and JSON.parse, in one burst', loop, parsed, `${tokens} tokens`),
  ];
}

/** As many tokens in both; what so many requests cost by themselves is not the tokens'. */
async function scaling(at: Address, { few, many, rounds }: StreamingSizes): Promise<Figure[]> {
  const requests = many / few;
  const answer = (tokens: number) => runLoop(at(tokens, 'burst'), tokens);
  const costs = await alternate(
    {
      none: () => repeat(requests, () => answer(1)),
      few: () => repeat(requests, () => answer(few)),
      one: () => answer(1),
      many: () => answer(many),
    },
    rounds,
    cpuOf,
    least,
  );
  const how = 'without the cost of the requests; the least of the rounds';
  const [long, short] = [costs.many - costs.one, costs.few - costs.none];
  return [ratio(`a token of ${many} / a token of ${few}`, long, short, how, 1.2)];
}

async function runLoop(baseUrl: string, tokens: number): Promise<void> {
  const model = unknownModel(baseUrl);
  let deltas = 0;
  for await (const event of runAgent(loopInput('Go'), loopDeps({ model }), new AbortController().signal)) {
    if (event.type === 'text_delta') deltas++;
    if (event.type === 'run_end' && event.reason !== 'done') throw new Error(JSON.stringify(event));
  }
  if (deltas === 0 || deltas > tokens) throw new Error(`${deltas} deltas came of ${tokens} tokens.`);
}

async function bareFetch(baseUrl: string): Promise<ReadableStream<Uint8Array>> {
  const body = JSON.stringify({ model: 'bench', stream: true, messages: [{ role: 'user', content: 'Go' }] });
  const headers = { 'content-type': 'application/json' };
  const { body: reply } = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body });
  if (!reply) throw new Error('The bench server sent no body.');
  return reply;
}

/** Of a read of this size the loop does not wait for a frame either (lib/models/reply/framing.ts). */
const LARGE = 4096;

/** @param frameMs how long to wait after a read, as the loop does; 0 reads as the bytes come */
async function readBare(baseUrl: string, frameMs = 0): Promise<number> {
  const decoder = new TextDecoder();
  let characters = 0;
  for await (const bytes of await bareFetch(baseUrl)) {
    characters += decoder.decode(bytes, { stream: true }).length;
    if (frameMs > 0 && bytes.length < LARGE) await setTimeout(frameMs);
  }
  return characters;
}

/** The least that any client must do to know what the model said. */
async function readParsed(baseUrl: string): Promise<number> {
  const decoder = new TextDecoder();
  let rest = '';
  let content = '';
  for await (const bytes of await bareFetch(baseUrl)) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue;
      const chunk = JSON.parse(line.slice(6)) as { choices: { delta: { content?: string } }[] };
      content += chunk.choices[0]?.delta.content ?? '';
    }
  }
  return content.length;
}

async function repeat(times: number, work: () => Promise<void>): Promise<void> {
  for (let time = 0; time < times; time++) await work();
}

function ratio(name: string, own: number, other: number, how: string, target?: number): Figure {
  const detail = `${own.toFixed(0)} / ${other.toFixed(0)} ms CPU, ${how}`;
  return { name, value: own / other, unit: 'x', detail, ...(target !== undefined && { target }) };
}

function perToken(name: string, ms: number, tokens: number): Figure {
  return { name, value: (ms * 1000) / tokens, unit: 'µs', detail: 'CPU, a packet a token' };
}
