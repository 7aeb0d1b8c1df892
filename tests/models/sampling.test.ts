import { describe, expect, it } from 'vitest';
import { sample, type SamplingOptions } from '../../lib/models/sampling.ts';
import type { ModelTurn } from '../../lib/types/model.ts';
import type { SamplingRequest } from '../../lib/types/request.ts';
import { aborted, ends, failed, says, scriptedModel } from '../fakes/scripted-model.ts';
import { toWireRequest } from '../../lib/models/request/wire-request.ts';
import { plain } from './request.ts';

const open = new AbortController().signal;
const hello: SamplingRequest = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [],
  maxTokens: 100,
};
const weather = {
  name: 'get.weather',
  description: 'The weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
};

/** Samples from a model that says this. @returns the answer, and what the model was asked */
async function sampled(
  request: Partial<SamplingRequest>,
  turn: Partial<ModelTurn> = { content: 'Hi' },
  options: Partial<SamplingOptions> = {},
) {
  const script = scriptedModel([ends(turn)]);
  const given = { model: script.model, modelName: 'm', maxTokens: 1000, onUsage: () => {}, ...options };
  const answer = await sample(given, { ...hello, ...request }, open);
  return { answer, asked: script.requests[0]! };
}

describe('a sampling request', () => {
  it('is asked in the server’s words only, within the model’s limits', async () => {
    const { answer, asked } = await sampled({
      system: 'Be a pirate.',
      maxTokens: 1_000_000,
      temperature: 99,
      stopSequences: ['Arr'],
    });
    expect(asked).toMatchObject({
      system: 'Be a pirate.',
      messages: [{ role: 'user', content: 'Hello' }],
      tools: [],
      stopSequences: ['Arr'],
      settings: { maxTokens: 1000, temperature: 2 },
    });
    expect(answer).toEqual({ model: 'm', content: [{ type: 'text', text: 'Hi' }], stopReason: 'endTurn' });
  });

  it('loses what is invisible, which the user did not see when they allowed it', async () => {
    const hidden = 'Hello\u{e0041}';
    const { asked } = await sampled({
      system: hidden,
      messages: [{ role: 'user', content: [{ type: 'text', text: hidden }] }],
      tools: [{ ...weather, description: hidden }],
    });
    const seen = 'Hello\n[1 invisible characters removed]';
    expect([asked.system, asked.messages[0]?.content, asked.tools[0]?.description]).toEqual([
      seen,
      seen,
      seen,
    ]);
  });

  it('asks for as little as it says, and thinks as hard as the chat does', async () => {
    const { asked } = await sampled({}, undefined, { reasoningEffort: 'low' });
    expect(asked.settings).toEqual({ maxTokens: 100, reasoningEffort: 'low' });
  });

  it('shows pictures as pictures, and says of sound that there was some', async () => {
    const media = { data: 'QUJD', mimeType: 'image/png' };
    const { asked } = await sampled({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', ...media },
            { type: 'text', text: 'What is it?' },
          ],
        },
        { role: 'assistant', content: [{ type: 'image', ...media }] },
        { role: 'user', content: [{ type: 'audio', data: 'QUJD', mimeType: 'audio/wav' }] },
      ],
    });
    expect(asked.messages).toMatchObject([
      { role: 'user', content: 'What is it?', pictures: [media] },
      { role: 'assistant', content: '(A picture.)' },
      { role: 'user', content: expect.stringContaining('sound') },
    ]);
    expect(JSON.stringify(asked.messages[2])).not.toContain('QUJD');
  });

  it('takes the server’s tools, and gives their calls back to it', async () => {
    const toolCalls = [{ id: 'c1', name: 'get_weather', arguments: '{"city":"Oslo"}' }];
    const turn = { content: 'Let me look.', toolCalls };
    const { answer, asked } = await sampled({ tools: [weather], toolChoice: 'required' }, turn);
    expect(asked).toMatchObject({ toolChoice: 'required', tools: [{ name: 'get_weather' }] });
    expect(answer).toEqual({
      model: 'm',
      content: [
        { type: 'text', text: 'Let me look.' },
        { type: 'tool_use', id: 'c1', name: 'get.weather', input: { city: 'Oslo' } },
      ],
      stopReason: 'toolUse',
    });
  });

  it('goes on from calls and their results as any history does', async () => {
    const use = (id: string) => ({ type: 'tool_use' as const, id, name: 'weather', input: { id } });
    const { asked } = await sampled({
      messages: [
        ...hello.messages,
        { role: 'assistant', content: [use('a'), use('b')] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', toolUseId: 'a', text: 'Sun', isError: false },
            { type: 'tool_result', toolUseId: 'b', text: 'No such city', isError: true },
            { type: 'text', text: 'So?' },
          ],
        },
      ],
      tools: [{ ...weather, name: 'weather' }],
    });
    const body = toWireRequest({ ...plain, model: 'm' }, asked);
    expect(body.messages).toEqual([
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: null,
        tool_calls: ['a', 'b'].map((id) => ({
          id,
          type: 'function',
          function: { name: 'weather', arguments: JSON.stringify({ id }) },
        })),
      },
      { role: 'tool', tool_call_id: 'a', content: 'Sun' },
      { role: 'tool', tool_call_id: 'b', content: '{"isError":true,"error":"No such city"}' },
      { role: 'user', content: 'So?' },
    ]);
  });

  it('says that the answer was cut off, and gives no call that may be half of one', async () => {
    const toolCalls = [{ id: 'c1', name: 'weather', arguments: '{}' }];
    const { answer } = await sampled({ tools: [weather] }, { content: 'So', toolCalls, finish: 'length' });
    expect(answer).toMatchObject({ content: [{ type: 'text', text: 'So' }], stopReason: 'maxTokens' });
  });

  it('fails when the model does, or calls in a way that can’t be read', async () => {
    const busy = scriptedModel([failed('model_busy', 'Busy.', { retryable: true })]);
    const given = { modelName: 'm', maxTokens: 1000, onUsage: () => {} };
    await expect(sample({ ...given, model: busy.model }, hello, open)).rejects.toMatchObject({
      code: 'model_busy',
      retryable: true,
    });
    const toolCalls = [{ id: 'c1', name: 'weather', arguments: '[1' }];
    await expect(sampled({ tools: [weather] }, { toolCalls })).rejects.toMatchObject({
      code: 'model_bad_call',
    });
  });

  it('stops the model when it is taken back', async () => {
    const abort = new AbortController();
    let stopped = false;
    const { model } = scriptedModel(async function* (_request, signal) {
      abort.abort();
      await aborted(signal);
      stopped = true;
      yield failed('cancelled', 'Stopped.');
    }, says('Never'));
    const given = { model, modelName: 'm', maxTokens: 1000, onUsage: () => {} };
    await expect(sample(given, hello, abort.signal)).rejects.toMatchObject({ code: 'cancelled' });
    expect(stopped).toBe(true);
  });
});
