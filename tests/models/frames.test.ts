import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FRAME_MS } from '../../lib/models/reply/framing.ts';
import { createStreamModel } from '../../lib/models/stream-model.ts';
import type { ModelEvent } from '../../lib/types/model.ts';
import { plain, user } from './request.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval'] }));
afterEach(() => void vi.useRealTimers());

const said = (content: string) =>
  new TextEncoder().encode(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);

/** A timer that is asked to go off at once does so after a millisecond. */
const AT_ONCE_MS = 1;

/** A model whose reply has these pieces, and the events that have come of it. */
function listen(signal?: AbortSignal, pieces = ['One ', 'two']) {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(stream) {
      for (const piece of pieces) stream.enqueue(said(piece));
    },
  });
  return hear(body, signal);
}

function hear(body: ReadableStream<Uint8Array<ArrayBuffer>>, signal = new AbortController().signal) {
  const headers = { 'content-type': 'text/event-stream' };
  const model = createStreamModel({
    ...plain,
    baseUrl: 'http://model.test/v1',
    frameMs: FRAME_MS,
    fetch: () => Promise.resolve(new Response(body, { headers })),
  });
  const events: ModelEvent[] = [];
  const ended = (async () => {
    for await (const event of model({ messages: [user('Go')], tools: [] }, signal)) events.push(event);
  })();
  return { events, ended };
}

it('a reply is read once a frame, its first piece at once', async () => {
  const { events } = listen();
  await vi.advanceTimersByTimeAsync(FRAME_MS - 1);
  expect(events).toEqual([{ type: 'text', text: 'One ' }]);
  await vi.advanceTimersByTimeAsync(1 + AT_ONCE_MS);
  expect(events).toEqual([
    { type: 'text', text: 'One ' },
    { type: 'text', text: 'two' },
  ]);
});

it('what came in a frame is passed on together, in however many packets it came', async () => {
  const { events } = listen(undefined, ['One ', ...'abcdefghij']);
  await vi.advanceTimersByTimeAsync(FRAME_MS + AT_ONCE_MS);
  expect(events).toEqual([
    { type: 'text', text: 'One ' },
    { type: 'text', text: 'abcdefghij' },
  ]);
});

it('what comes without a pause is passed on while it comes', async () => {
  const frames = 5;
  let stream: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
  const { events } = hear(new ReadableStream({ start: (given) => void (stream = given) }));
  setInterval(() => stream?.enqueue(said('a')), AT_ONCE_MS);
  await vi.advanceTimersByTimeAsync(AT_ONCE_MS + frames * (FRAME_MS + AT_ONCE_MS));
  expect(events).toHaveLength(1 + frames);
});

it('a stop does not wait for the frame to pass', async () => {
  const stop = new AbortController();
  const { events, ended } = listen(stop.signal);
  await vi.advanceTimersByTimeAsync(1);
  stop.abort();
  await ended;
  expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'cancelled' } });
});

it('a reply without end leaves time for others, and is broken off', async () => {
  vi.useRealTimers();
  const piece = new Uint8Array(1024 * 1024).fill(10);
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({ pull: (stream) => stream.enqueue(piece) });
  const { events, ended } = hear(body);
  const turn = new Promise((resolve) => setImmediate(resolve));
  await Promise.race([ended, turn]);
  expect(events).toEqual([]);
  await ended;
  expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'model_bad_reply' } });
});
