import { runAgent } from '../../lib/agent/run.ts';
import { loopDeps, loopInput, unknownModel } from '../fakes/loop.ts';
import { startChild } from './child.ts';
import { alternate, type Figure } from './figures.ts';

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
 * send them, so both pay for every read. CPU of this process only; the server has one of its own.
 */
export async function streaming({
  tokens,
  few,
  many,
  rounds,
  paceMicros,
}: StreamingSizes): Promise<Figure[]> {
  const server = await startChild<number>('sse-server.ts');
  const base = (count: number, pace: number | 'burst') =>
    `http://127.0.0.1:${server.said}/${count}/${pace}/v1`;
  try {
    const paced = base(tokens, paceMicros);
    const live = await alternate({ bare: () => readBare(paced), loop: () => runLoop(paced, tokens) }, rounds);
    const burst = base(tokens, 'burst');
    const fast = await alternate(
      { bare: () => readBare(burst), parsed: () => readParsed(burst), loop: () => runLoop(burst, tokens) },
      rounds,
    );
    // As many tokens in both; what so many requests cost by themselves is not the tokens'.
    const requests = many / few;
    const scale = await alternate(
      {
        none: () => repeat(requests, () => runLoop(base(1, 'burst'), 1)),
        few: () => repeat(requests, () => runLoop(base(few, 'burst'), few)),
        one: () => runLoop(base(1, 'burst'), 1),
        many: () => runLoop(base(many, 'burst'), many),
      },
      rounds,
    );
    return [
      ratio(`loop and parser / bare fetch, ${tokens} tokens`, live.loop, live.bare, 1.1, 'a packet a token'),
      perToken('loop and parser over a bare fetch, per token', live.loop - live.bare, tokens),
      ratio(
        'loop and parser / bare fetch, in one burst',
        fast.loop,
        fast.bare,
        undefined,
        `${tokens} tokens`,
      ),
      ratio(
        'loop and parser / fetch and JSON.parse, in one burst',
        fast.loop,
        fast.parsed,
        undefined,
        `${tokens} tokens`,
      ),
      ratio(
        `a token of ${many} / a token of ${few}`,
        scale.many - scale.one,
        scale.few - scale.none,
        1.2,
        'without the cost of the requests',
      ),
    ];
  } finally {
    server.stop();
  }
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

async function readBare(baseUrl: string): Promise<number> {
  const decoder = new TextDecoder();
  let characters = 0;
  for await (const bytes of await bareFetch(baseUrl))
    characters += decoder.decode(bytes, { stream: true }).length;
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

function ratio(name: string, own: number, other: number, target: number | undefined, how: string): Figure {
  const detail = `${own.toFixed(0)} / ${other.toFixed(0)} ms CPU, ${how}`;
  return { name, value: own / other, unit: 'x', detail, ...(target !== undefined && { target }) };
}

function perToken(name: string, ms: number, tokens: number): Figure {
  return { name, value: (ms * 1000) / tokens, unit: 'µs', detail: 'CPU, a packet a token' };
}
