import { describe, expect, it } from 'vitest';
import { unfenced } from '../fakes/rows.ts';
import { calls, says, scriptedModel } from '../fakes/scripted-model.ts';
import { collect, contents, only, run, types } from './harness.ts';

/** Gives out each of these once, all that are left each time. */
function steers(...texts: string[]) {
  let left = texts.map((text, index) => ({ id: `s${index}`, text }));
  return async () => {
    const given = left;
    left = [];
    return given;
  };
}

describe('a steering message', () => {
  it('goes to the model after the results, in the order it was said', async () => {
    const script = scriptedModel(calls(['mcp__1__echo', {}]), says('Done'));
    const events = await collect(run(script, {}, { takeSteers: steers('Faster', 'And shorter') }));
    expect(only(events, 'steered').map(({ message }) => message.content)).toEqual(['Faster', 'And shorter']);
    expect(contents(script.requests[1]?.messages).map(unfenced)).toEqual([
      'Hello',
      '',
      'echo {}',
      'Faster',
      'And shorter',
    ]);
    const order = types(events);
    expect(order.indexOf('steered')).toBeGreaterThan(order.indexOf('call_end'));
  });

  it('stands on the branch after the calls’ message, and the next answer after it', async () => {
    const script = scriptedModel(calls(['mcp__1__echo', {}]), says('Done'));
    const events = await collect(run(script, {}, { takeSteers: steers('Faster') }));
    const [asked, done] = only(events, 'message_end').map(({ message }) => message);
    const steer = only(events, 'steered')[0]?.message;
    expect(steer).toMatchObject({ id: 's0', role: 'user', parentId: asked?.id, seq: 2 });
    expect(done).toMatchObject({ parentId: 's0', seq: 3 });
  });

  it('is left alone before the first request, at the limit, and when the answer is final', async () => {
    const unasked = async () => Promise.reject(new Error('asked for steers'));
    const final = await collect(run(scriptedModel(says('Done')), {}, { takeSteers: unasked }));
    expect(final.at(-1)).toMatchObject({ reason: 'done' });
    const script = scriptedModel(calls(['mcp__1__echo', {}]));
    const limited = await collect(run(script, {}, { takeSteers: unasked, maxIterations: 1 }));
    expect(limited.at(-1)).toMatchObject({ reason: 'limit' });
  });
});
