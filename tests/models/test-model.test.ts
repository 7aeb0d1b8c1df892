import { afterEach, beforeEach, expect, it } from 'vitest';
import { testModel, type TestOptions } from '../../lib/models/discovery/test-model.ts';
import type { Learned } from '../../lib/types/model.ts';
import {
  answer,
  call,
  delta,
  hang,
  type ModelServer,
  startModelServer,
  stream,
  text,
  usage,
} from '../fakes/model-server.ts';
import { apiOfTest, overBoth, plain } from './request.ts';

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const says = call({ id: 'c1', name: 'say_word', arguments: '{"word":"ahoy"}' });
const test = (options: Partial<TestOptions> = {}) =>
  testModel({ ...plain, api: apiOfTest(), baseUrl: server.url, ...options });

overBoth('testing a model', () => {
  it('shows a call, thinking, streaming and usage', async () => {
    server.script(stream(delta({ reasoning_content: 'Hm' }), says, usage(20, 5)));
    expect(await test()).toEqual({
      totalMs: expect.any(Number),
      streams: true,
      calledTool: true,
      reasoned: true,
      usage: { inputTokens: 20, outputTokens: 5 },
      traits: { tools: true, reasoning: true },
    });
    expect(server.requests[0]?.body.tools).toHaveLength(1);
  });

  it('does not say that a model can’t, when it only didn’t', async () => {
    server.script(stream(text('Ahoy!')));
    expect(await test()).toMatchObject({ calledTool: false, reasoned: false, traits: {} });
  });

  it('shows a server that does not stream', async () => {
    const message = { role: 'assistant', content: 'Ahoy!' };
    server.script(answer(200, { choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    expect(await test()).toMatchObject({ streams: false, calledTool: false });
  });

  it('learns that tools are refused, and still gets its answer', async () => {
    const lessons: Learned[] = [];
    server.script(
      answer(400, { error: { message: 'gemma:2b does not support tools' } }),
      stream(text('Ahoy!')),
    );
    const result = await test({ learn: (learned) => lessons.push(learned) });
    expect(result).toMatchObject({ calledTool: false, traits: { tools: false } });
    expect(lessons).toEqual([{ traits: { tools: false } }]);
  });

  it('offers the tool to a model that once refused, and takes the lesson back when it calls', async () => {
    const lessons: Learned[] = [];
    const learned = { dropped: ['strict'], traits: { tools: false, contextWindow: 9_000 } };
    server.script(stream(says));
    const result = await test({ learned, traits: { tools: false }, learn: (now) => lessons.push(now) });
    expect(server.requests[0]?.body.tools).toHaveLength(1);
    expect(result).toMatchObject({ calledTool: true, traits: { tools: true } });
    expect(lessons).toEqual([{ dropped: ['strict'], traits: { tools: true, contextWindow: 9_000 } }]);
  });

  it('sets no limit that could cut the call off', async () => {
    server.script(stream(says));
    await test({ settings: { maxTokens: 5, temperature: 0.1 } });
    expect(server.requests[0]?.body).toMatchObject({ temperature: 0.1 });
    expect(server.requests[0]?.body).not.toHaveProperty('max_tokens');
  });

  it('says why there is no answer', async () => {
    server.script(answer(401, { error: { message: 'no such key' } }));
    expect(await test({ apiKey: 'k' })).toMatchObject({
      calledTool: false,
      error: { code: 'model_unauthorized' },
    });
  });

  it('gives up on a server that hangs', async () => {
    server.script(hang());
    expect(await test({ timeoutMs: 50 })).toMatchObject({ error: { code: 'model_timeout' } });
  });
});
