import { afterEach, describe, expect, it, vi } from 'vitest';
import { createStreamModel } from '../../lib/models/stream-model.ts';
import { collect, errorOf, plain, textOf, turnOf } from './request.ts';

const event = (data: object) => `data: ${JSON.stringify(data)}\r\n\r\n`;
const delta = (value: object) => event({ choices: [{ index: 0, delta: value, finish_reason: null }] });
const WIRE = [
  ': keep-alive\n\n',
  delta({ reasoning: 'Größe…' }),
  delta({ content: 'Ça 🦊 va' }),
  delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'x', arguments: '{"k":"' } }] }),
  delta({ tool_calls: [{ index: 0, function: { arguments: '日本"}' } }] }),
  event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } }),
  // No finish_reason: that the answer is whole shows in [DONE] alone, wherever it is cut.
  'data: [DONE]\n\n',
].join('');
const BYTES = new TextEncoder().encode(WIRE);
const WHOLE = {
  content: 'Ça 🦊 va',
  reasoning: 'Größe…',
  raw: { reasoning: 'Größe…' },
  toolCalls: [{ id: 'a', name: 'x', arguments: '{"k":"日本"}' }],
  finish: 'stop',
  usage: { inputTokens: 1, outputTokens: 2 },
};

function modelOver(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  limits: { idleTimeoutMs?: number; stallTimeoutMs?: number } = {},
) {
  const fetch = () =>
    Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  return createStreamModel({ ...plain, baseUrl: 'http://model.test/v1', fetch, ...limits });
}

async function turnCutAt(cuts: number[]) {
  const edges = [0, ...cuts, BYTES.length];
  const pieces = edges.slice(1).map((to, at) => BYTES.slice(edges[at], to));
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(stream) {
      const piece = pieces.shift();
      if (piece === undefined) stream.close();
      else stream.enqueue(piece);
    },
  });
  return turnOf(await collect(modelOver(body)));
}

/** A small seeded generator (mulberry32), so that a failure can be repeated. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('the bytes of a stream', () => {
  it('give the same turn wherever they are cut in two', async () => {
    for (let cut = 1; cut < BYTES.length; cut++) {
      expect(await turnCutAt([cut]), `cut at ${cut}`).toEqual(WHOLE);
    }
  });

  it('give the same turn one at a time', async () => {
    expect(await turnCutAt(Array.from({ length: BYTES.length - 1 }, (_, at) => at + 1))).toEqual(WHOLE);
  });

  it('give the same turn in any pieces', async () => {
    for (let seed = 1; seed <= 100; seed++) {
      const next = random(seed);
      const share = next();
      const cuts = Array.from({ length: BYTES.length - 1 }, (_, at) => at + 1).filter(() => next() < share);
      expect(await turnCutAt(cuts), `seed ${seed}`).toEqual(WHOLE);
    }
  });
});

describe('the idle clock', () => {
  afterEach(() => void vi.useRealTimers());

  it('starts again with every piece, even a comment, and then runs out', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const pipe = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
    const writer = pipe.writable.getWriter();
    const events = collect(modelOver(pipe.readable, { idleTimeoutMs: 1000 }));
    for (const piece of [': ping\n\n', ': ping\n\n', delta({ content: 'late' })]) {
      await vi.advanceTimersByTimeAsync(900);
      await writer.write(new TextEncoder().encode(piece));
    }
    await vi.advanceTimersByTimeAsync(1000);
    expect(textOf(await events)).toBe('late');
    expect(errorOf(await events)).toMatchObject({
      code: 'model_timeout',
      message: expect.stringContaining('model.test sent nothing for 1 s,'),
    });
  });

  it('runs out soon once the model said that it is done, and the answer is whole', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const pipe = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
    const writer = pipe.writable.getWriter();
    const events = collect(modelOver(pipe.readable));
    const last = event({ choices: [{ index: 0, delta: { content: 'done' }, finish_reason: 'stop' }] });
    await writer.write(new TextEncoder().encode(last));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(turnOf(await events).content).toBe('done');
  });

  /** Writes the pieces, the last one every two seconds until the reader hangs up or as often as told. */
  async function drip(pieces: string[], limits: { stallTimeoutMs?: number }, most: number) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const pipe = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
    const writer = pipe.writable.getWriter();
    const closed = writer.closed.then(
      () => false,
      () => true,
    );
    const events = collect(modelOver(pipe.readable, limits));
    for (let at = 0; at < most; at++) {
      const piece = pieces[Math.min(at, pieces.length - 1)];
      writer.write(new TextEncoder().encode(piece)).catch(() => undefined);
      await vi.advanceTimersByTimeAsync(2_000);
    }
    expect(await Promise.race([closed, Promise.resolve('still open')])).toBe(true);
    return events;
  }
  const finished = event({ choices: [{ index: 0, delta: { content: 'done' }, finish_reason: 'stop' }] });
  const usage = event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } });

  it.each([
    ['comments', ': ping\n\n'],
    ['empty deltas', delta({})],
    ['counts of tokens', usage],
  ])('is not held up by %s behind a finished answer', async (_, piece) => {
    expect(turnOf(await drip([finished, piece], {}, 10)).content).toBe('done');
  });

  it.each([
    ['comments', ': OPENROUTER PROCESSING\n\n'],
    ['empty deltas', delta({})],
    ['empty choices', event({ choices: [] })],
  ])('gives a server that sends nothing but %s so long', async (_, piece) => {
    expect(errorOf(await drip([piece], { stallTimeoutMs: 20_000 }, 20))).toMatchObject({
      code: 'model_timeout',
      message: expect.stringContaining('nothing for 20 s'),
      retryable: true,
    });
  });

  it('starts again with every piece of the answer', async () => {
    const thoughts = Array.from({ length: 20 }, () => delta({ reasoning: 'Hm. ' }));
    const events = await drip([...thoughts, finished, ': ping\n\n'], { stallTimeoutMs: 6_000 }, 40);
    expect(turnOf(events).content).toBe('done');
  });
});
