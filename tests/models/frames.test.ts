import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FRAME_MS } from '../../lib/models/reply.ts';
import { createStreamModel } from '../../lib/models/stream.ts';
import type { ModelEvent } from '../../lib/types/model.ts';
import { plain, user } from './request.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const said = (content: string) =>
  new TextEncoder().encode(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);

/** A model whose reply has two pieces, and the events that have come of it. */
function listen(signal = new AbortController().signal) {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(stream) {
      for (const piece of [said('One '), said('two')]) stream.enqueue(piece);
    },
  });
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
  await vi.advanceTimersByTimeAsync(1);
  expect(events).toEqual([
    { type: 'text', text: 'One ' },
    { type: 'text', text: 'two' },
  ]);
});

it('a stop does not wait for the frame to pass', async () => {
  const stop = new AbortController();
  const { events, ended } = listen(stop.signal);
  await vi.advanceTimersByTimeAsync(1);
  stop.abort();
  await ended;
  expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: 'cancelled' } });
});
