import { describe, expect, it } from 'vitest';
import type { Message } from '../../lib/types/message.ts';
import { userMessage } from '../fakes/rows.ts';
import { calls, ends, says, scriptedModel } from '../fakes/scripted-model.ts';
import { collect, only, run, types } from './harness.ts';
import { replayed } from './replay.ts';
import { t } from '../../locales/texts/errors.ts';

const busy = () => scriptedModel(calls(['mcp__1__echo', {}]), calls(['mcp__1__echo', {}]), says('Done'));

describe('a run at its limit', () => {
  it('ends the answer with a warning, and then with `limit`', async () => {
    const script = busy();
    const events = await collect(run(script, {}, { maxIterations: 2 }));
    expect(script.requests).toHaveLength(2);
    expect(events.slice(-2)).toMatchObject([
      {
        type: 'message_end',
        message: { role: 'assistant', content: t(($) => $.errors.chat.limit, { iterations: 2 }) },
        calls: [],
      },
      { type: 'run_end', reason: 'limit' },
    ]);
  });

  it('of tokens or money is asked no more once it has used that much, and says so', async () => {
    const script = busy();
    const used = () => ({ tokens: 40 * script.requests.length, cost: 0 });
    const events = await collect(run(script, {}, { limit: { most: { tokens: 60 }, used } }));
    expect(script.requests).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ reason: 'error', error: { code: 'used_up' } });
  });

  it('of money asks no model whose price is not known', async () => {
    const script = busy();
    const limit = { most: { cost: 1 }, used: () => ({ tokens: 0, cost: 0 }) };
    const events = await collect(run(script, {}, { limit }));
    expect(script.requests).toEqual([]);
    expect(events.at(-1)).toMatchObject({ reason: 'error', error: { code: 'no_price' } });
  });

  it('leaves a history from which a new run asks the model again, in the warning’s place', async () => {
    const script = busy();
    const first = await replayed(run(script, {}, { maxIterations: 2 }));
    const events = await collect(run(script, { ...first.next, iteration: 0 }, { maxIterations: 2 }));
    expect(events.at(-1)).toMatchObject({ reason: 'done' });
    expect(script.requests).toHaveLength(3);
    expect(only(events, 'message_end')[0]?.message.id).toBe(first.chat.messages.at(-1)?.id);
    expect(script.requests[2]?.messages.map(({ role }: Message) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
    ]);
  });

  it('keeps its warning from the model, whatever the user says next', async () => {
    const first = await replayed(run(busy(), {}, { maxIterations: 2 }));
    const script = scriptedModel(says('Fine'));
    const history = [...first.chat.messages, userMessage('Never mind', { id: 'u2', seq: 9 })];
    await collect(run(script, { history }));
    expect(script.requests[0]?.messages.at(-1)).toMatchObject({ content: 'Never mind' });
    expect(JSON.stringify(script.requests[0]?.messages)).not.toContain(
      t(($) => $.errors.chat.limit, { iterations: 2 }),
    );
  });
});

describe('a model without tool calling', () => {
  const given = { callsTools: false };
  const eager = [{ type: 'call', position: 0, name: 'mcp__1__echo', arguments: '{}' } as const];
  const toolCalls = [{ id: 'c1', name: 'mcp__1__echo', arguments: '{}' }];

  it('gets no tools and is asked once', async () => {
    const script = scriptedModel(says('Hi'));
    const events = await collect(run(script, {}, { given }));
    expect(script.requests.map(({ tools }) => tools)).toEqual([[]]);
    expect(events.at(-1)).toMatchObject({ reason: 'done' });
  });

  it('does one pass even if it calls tools: what it says is the answer, the calls are left out', async () => {
    const events = await collect(
      run(scriptedModel([...eager, ends({ content: 'Let me look.', toolCalls })]), {}, { given }),
    );
    expect(types(events)).not.toContain('call_delta');
    expect(types(events)).not.toContain('call_end');
    const [end] = only(events, 'message_end');
    expect(end?.message).toMatchObject({ status: 'complete', content: 'Let me look.' });
    expect(end?.message.tool_calls).toBeUndefined();
    expect(events.at(-1)).toMatchObject({ reason: 'done' });
  });

  it('ends with an error that says what to do when it does nothing but call', async () => {
    const events = await collect(run(scriptedModel([...eager, ends({ toolCalls })]), {}, { given }));
    expect(events.at(-1)).toMatchObject({ reason: 'error', error: { code: 'model_only_called' } });
  });
});
