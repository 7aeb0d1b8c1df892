import { afterEach, beforeEach, expect, it } from 'vitest';
import { createStreamModel, type StreamModelOptions } from '../../lib/models/stream-model.ts';
import type { ModelEvent } from '../../lib/types/model.ts';
import {
  answer,
  chunk,
  delta,
  type ModelServer,
  startModelServer,
  stream,
  text,
} from '../fakes/model-server.ts';
import {
  apiOfTest,
  assistant,
  collect,
  echo,
  errorOf,
  overBoth,
  plain,
  result,
  turnOf,
  user,
} from './request.ts';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const model = (options: Partial<StreamModelOptions> = {}) =>
  createStreamModel({ ...plain, api: apiOfTest(), baseUrl: server.url, apiKey: 'sk-secret', ...options });

overBoth('what was left out because it was refused', () => {
  const host = () => new URL(server.url).host;

  it('is told with the answer, in the server’s words and without the key', async () => {
    const words = '"auto" tool choice requires --enable-auto-tool-choice (sk-secret)';
    server.script(answer(400, { error: { message: words } }), stream(text('ok')), stream(text('ok')));
    const taught = model();
    expect(turnOf(await collect(taught)).notes).toEqual([
      `${host()} refused tools (“"auto" tool choice requires --enable-auto-tool-choice (•••)”), so this answer was written without them.`,
    ]);
    expect(turnOf(await collect(taught))).not.toHaveProperty('notes');
  });

  it('is told of pictures that were refused one by one', async () => {
    const bad = answer(400, { error: { message: 'No valid image.', code: 'invalid_image_url' } });
    server.script(bad, stream(text('ok')));
    const shot = { ...result('a', 'A shot'), pictures: [{ data: 'AAAA', mimeType: 'image/png' }] };
    const messages = [user('Look'), assistant('', [{ id: 'a', name: echo.name, arguments: '{}' }]), shot];
    const events: ModelEvent[] = [];
    const asked = model({ traits: { vision: true } });
    for await (const event of asked({ messages, tools: [] }, new AbortController().signal))
      events.push(event);
    expect(turnOf(events).notes).toEqual([expect.stringMatching(/ refused images \(“No valid image\.”\)/)]);
  });

  it('is told for each of several', async () => {
    const refuse = (message: string) => answer(400, { error: { message } });
    server.script(
      refuse('m does not support tools'),
      refuse('`temperature` 1.5 is not supported, it must be at most 1'),
      refuse('`stream_options` is not supported'),
      stream(text('ok')),
    );
    expect(turnOf(await collect(model({ settings: { temperature: 1.5 } }))).notes).toEqual([
      expect.stringMatching(/ refused tools .* without them\.$/),
      expect.stringMatching(/ refused the temperature 1\.5 .* without it\.$/),
    ]);
  });

  it('is told with the retry when the refusal came in mid-answer', async () => {
    const late = chunk({ error: { message: 'm does not support tools', code: 400 } });
    server.script(stream(delta({ reasoning: 'Hm' }), late), stream(text('ok')));
    const taught = model();
    expect(errorOf(await collect(taught))).toMatchObject({ retryable: true });
    expect(turnOf(await collect(taught)).notes).toHaveLength(1);
  });
});
