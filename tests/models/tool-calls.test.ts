import { describe, expect, it } from 'vitest';
import { createCallAccumulator } from '../../lib/models/reply/tool-calls.ts';

/** Feeds each item as one `delta.tool_calls`; made-up ids are new1, new2, … */
function accumulate(...deltas: unknown[]) {
  let made = 0;
  const calls = createCallAccumulator(() => `new${++made}`);
  const fragments = deltas.flatMap((delta) => calls.push(delta));
  return { calls: calls.calls(), fragments };
}

const part = (fields: object, name?: string, args?: string) => [
  {
    ...fields,
    function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
  },
];

describe('tool call deltas', () => {
  it('join the fragments of two interleaved calls by index', () => {
    const { calls, fragments } = accumulate(
      part({ index: 0, id: 'a', type: 'function' }, 'echo', ''),
      part({ index: 1, id: 'b', type: 'function' }, 'sum', ''),
      part({ index: 0 }, undefined, '{"m":'),
      part({ index: 1 }, undefined, '{"x"'),
      part({ index: 0 }, undefined, '"hi"}'),
      part({ index: 1 }, undefined, ':1}'),
    );
    expect(calls).toEqual([
      { id: 'a', name: 'echo', arguments: '{"m":"hi"}' },
      { id: 'b', name: 'sum', arguments: '{"x":1}' },
    ]);
    expect(fragments.map(({ position, arguments: text }) => [position, text])).toEqual([
      [0, ''],
      [1, ''],
      [0, '{"m":'],
      [1, '{"x"'],
      [0, '"hi"}'],
      [1, ':1}'],
    ]);
  });

  it('have a name of bounded length', () => {
    const { calls } = accumulate(part({ index: 0, id: 'a' }, 'a'.repeat(5_000), '{}'));
    expect(calls[0]?.name).toBe('a'.repeat(1_000));
  });

  it('belong to the call whose id they carry, whatever their index says', () => {
    const { calls } = accumulate(
      part({ index: 0, id: 'c1' }, 'fail', ''),
      part({ index: 0, id: 'c2' }, 'echo', ''),
      part({ index: 0, id: 'c1' }, undefined, '{"message":"for c1 only"}'),
    );
    expect(calls).toEqual([
      { id: 'c1', name: 'fail', arguments: '{"message":"for c1 only"}' },
      { id: 'c2', name: 'echo', arguments: '{}' },
    ]);
    const { calls: across } = accumulate(
      part({ index: 0, id: 'c1' }, 'echo', '{"x":'),
      part({ index: 1, id: 'c2' }, 'echo', '{"x":'),
      part({ index: 1, id: 'c1' }, undefined, '1}'),
      part({ index: 1, id: 'c2' }, undefined, '2}'),
    );
    expect(across.map((call) => call.arguments)).toEqual(['{"x":1}', '{"x":2}']);
  });

  it('of two calls with one id and two indexes stay apart', () => {
    const { calls } = accumulate(
      part({ index: 0, id: 'c' }, 'echo', '{"x":'),
      part({ index: 1, id: 'c' }, 'echo', '{"x":'),
      part({ index: 0, id: 'c' }, undefined, '1}'),
      part({ index: 1, id: 'c' }, undefined, '2}'),
    );
    expect(calls.map((call) => call.arguments)).toEqual(['{"x":1}', '{"x":2}']);
  });

  it('without an index begin a new call with every id (Gemini)', () => {
    const { calls } = accumulate(
      part({ id: 'c1', type: 'function' }, 'a', '{}'),
      part({ id: 'c2', type: 'function' }, 'a', '{"x":1}'),
    );
    expect(calls.map((call) => [call.id, call.arguments])).toEqual([
      ['c1', '{}'],
      ['c2', '{"x":1}'],
    ]);
  });

  it('without an index begin a new call with every name, and go on with the last call otherwise', () => {
    const { calls } = accumulate(
      part({}, 'a', '{"x"'),
      part({}, undefined, ':1}'),
      part({ id: '' }, 'b', '{}'),
    );
    expect(calls).toEqual([
      { id: 'new1', name: 'a', arguments: '{"x":1}' },
      { id: 'new2', name: 'b', arguments: '{}' },
    ]);
  });

  it('with a name of its own at a taken index begin a new call (no ids)', () => {
    const { calls } = accumulate(
      part({ index: 0 }, 'structured', ''),
      part({ index: 0 }, 'echo', '{"m"'),
      part({ index: 0 }, undefined, ':1}'),
    );
    expect(calls.map((call) => [call.name, call.arguments])).toEqual([
      ['structured', '{}'],
      ['echo', '{"m":1}'],
    ]);
  });

  it.each([
    ['without a word about whose they are', {}],
    ['at an index of no call', { index: 7 }],
    ['with an id of no call', { id: 'z' }],
  ])('%s keep every call that waits for arguments from being executed', (_, fields) => {
    const { calls } = accumulate(
      part({ id: 'a', index: 0 }, 'whole', '{}'),
      part({ id: 'b', index: 1 }, 'echo', ''),
      part({ id: 'c', index: 2 }, 'sum', '{'),
      part(fields, undefined, '{"m":1}'),
    );
    expect(calls.slice(0, 3).map(({ broken }) => broken)).toEqual([undefined, true, true]);
  });

  it('without index, id and name behind a whole call keep both it and the one that waits from being executed', () => {
    const { calls } = accumulate(
      part({ id: 'a' }, 'echo', ''),
      part({ id: 'b' }, 'sum', '{}'),
      part({}, undefined, '{"m":1}'),
    );
    expect(calls).toMatchObject([{ broken: true }, { broken: true }]);
  });

  it('under an index of no call go on with the one call that waits for arguments, wherever the next one begins', () => {
    const { calls, fragments } = accumulate(
      part({ index: 0, id: 'a' }, 'now', '{}'),
      part({ index: 1, id: 'b' }, 'echo', ''),
      part({ index: 1 }, undefined, '{"m":'),
      part({ index: 2 }, undefined, '1}'),
      part({ index: 2, id: 'c' }, 'sum', ''),
      part({ index: 2 }, undefined, '{"x":2}'),
    );
    expect(calls).toEqual([
      { id: 'a', name: 'now', arguments: '{}' },
      { id: 'b', name: 'echo', arguments: '{"m":1}' },
      { id: 'c', name: 'sum', arguments: '{"x":2}' },
    ]);
    expect(fragments.map(({ position }) => position)).toEqual([0, 1, 1, 1, 2, 2]);
  });

  it('with fields and no arguments under an index of no call begin the call that is named there later', () => {
    const { calls } = accumulate(
      part({ index: 0, id: 'a' }, 'echo', ''),
      part({ index: 1, extra_content: 'S' }),
      part({ index: 1, id: 'b' }, 'sum', '{}'),
    );
    expect(calls[1]).toEqual({ id: 'b', name: 'sum', arguments: '{}', raw: { extra_content: 'S' } });
  });

  it('without index, id and name go on with the one call that is open', () => {
    const { calls } = accumulate(
      part({ id: 'a' }, 'echo', '{"m":1}'),
      part({ id: 'b' }, 'sum', ''),
      part({}, undefined, '{"x":1}'),
    );
    expect(calls).toEqual([
      { id: 'a', name: 'echo', arguments: '{"m":1}' },
      { id: 'b', name: 'sum', arguments: '{"x":1}' },
    ]);
  });

  it('leave a name that is not offered without its tail as it is', () => {
    const calls = createCallAccumulator(() => 'new', new Set(['echo']));
    calls.push([...part({ index: 0 }, 'echo<|x|>y', '{}'), ...part({ index: 1 }, 'echoes<|x|>y', '{}')]);
    expect(calls.calls().map(({ name }) => name)).toEqual(['echo', 'echoes<|x|>y']);
  });

  it('that are lone arguments belong to call 0', () => {
    expect(accumulate(part({}, undefined, '{"x":1}')).fragments).toEqual([
      { position: 0, name: '', arguments: '{"x":1}' },
    ]);
  });

  it('with index 0 for every call are told apart by their ids (Ollama)', () => {
    const { calls } = accumulate(
      part({ index: 0, id: 'a' }, 'echo', '{"m":1}'),
      part({ index: 0, id: 'b' }, 'echo', '{"m":2}'),
    );
    expect(calls.map((call) => [call.id, call.arguments])).toEqual([
      ['a', '{"m":1}'],
      ['b', '{"m":2}'],
    ]);
  });

  it('with index 0 for every call and no ids are told apart by whole arguments', () => {
    const { calls } = accumulate(
      part({ index: 0 }, 'echo', '{"m":1}'),
      part({ index: 0 }, 'echo', '{"m":2}'),
    );
    expect(calls.map((call) => call.arguments)).toEqual(['{"m":1}', '{"m":2}']);
  });

  it('that repeat id and name in every chunk never concatenate them (Fireworks)', () => {
    const { calls } = accumulate(
      part({ index: 0, id: 'a' }, 'echo', '{"m"'),
      part({ index: 0, id: 'a' }, 'echo', ':1'),
      part({ index: 0, id: '' }, 'echo', '}'),
    );
    expect(calls).toEqual([{ id: 'a', name: 'echo', arguments: '{"m":1}' }]);
  });

  it('that repeat the whole arguments at the end add nothing', () => {
    const { calls, fragments } = accumulate(
      part({ index: 0, id: 'a' }, 'echo', '{"m"'),
      part({ index: 0 }, undefined, ':1}'),
      part({ index: 0, id: 'a' }, 'echo', '{"m":1}'),
    );
    expect(calls).toEqual([{ id: 'a', name: 'echo', arguments: '{"m":1}' }]);
    expect(fragments.map((fragment) => fragment.arguments).join('')).toBe('{"m":1}');
  });

  it('that repeat a whole call without ids add nothing', () => {
    const { calls } = accumulate(
      part({ index: 0 }, 'echo', '{"m":1}'),
      part({ index: 0 }, 'echo', '{"m":1}'),
    );
    expect(calls).toEqual([{ id: 'new1', name: 'echo', arguments: '{"m":1}' }]);
  });

  it('without an index go on with the call of the same id', () => {
    const { calls } = accumulate(
      part({ id: 'a' }, 'echo', '{"m"'),
      part({ id: 'b' }, 'sum', '{'),
      part({ id: 'a' }, 'echo', ':1}'),
      part({ id: 'b' }, undefined, '}'),
    );
    expect(calls.map((call) => [call.id, call.arguments])).toEqual([
      ['a', '{"m":1}'],
      ['b', '{}'],
    ]);
  });

  it('keep a fragment that equals all before it while the arguments are unfinished', () => {
    const { calls } = accumulate(
      part({ index: 0, id: 'a' }, 'echo', '{"'),
      part({ index: 0 }, undefined, '{"'),
      part({ index: 0 }, undefined, ':1}'),
    );
    expect(calls[0]?.arguments).toBe('{"{":1}');
  });

  it('keep equal fragments inside unfinished arguments', () => {
    const { calls } = accumulate(
      part({ index: 0, id: 'a' }, 'echo', '{'),
      part({ index: 0 }, undefined, '"m":{'),
      part({ index: 0 }, undefined, '}'),
      part({ index: 0 }, undefined, '}'),
    );
    expect(calls[0]?.arguments).toBe('{"m":{}}');
  });

  it('without an id get one, and a doubled id becomes unique', () => {
    const { calls } = accumulate(
      part({ index: 0, id: null }, 'a', '{}'),
      part({ index: 1, id: 'same' }, 'b', '{}'),
      part({ index: 2, id: 'same' }, 'c', '{}'),
    );
    expect(calls.map((call) => call.id)).toEqual(['new1', 'same', 'new2']);
  });

  it('with empty or absent arguments mean {}', () => {
    const { calls } = accumulate(part({ index: 0, id: 'a' }, 'x', ''), part({ index: 1, id: 'b' }, 'y'));
    expect(calls.map((call) => call.arguments)).toEqual(['{}', '{}']);
  });

  it('with arguments as an object are written as JSON', () => {
    const { calls } = accumulate([{ id: 'a', function: { name: 'x', arguments: { m: 1 } } }]);
    expect(calls[0]?.arguments).toBe('{"m":1}');
  });

  it('keep the unknown fields of a call (Gemini thought signatures)', () => {
    const extra_content = { google: { thought_signature: 'S' } };
    const { calls } = accumulate(part({ index: 0, id: 'a', type: 'function', extra_content }, 'x', '{}'));
    expect(calls[0]?.raw).toEqual({ extra_content });
  });

  it('leave cut-off arguments as they are', () => {
    expect(accumulate(part({ index: 0, id: 'a' }, 'x', '{"m":"ha')).calls[0]?.arguments).toBe('{"m":"ha');
  });

  it.each([[null], [undefined], ['x'], [{}], [[]], [[null, 3, 'x', [], {}]], [[{ function: 'x' }]]])(
    'that are no calls at all (%j) are passed over',
    (deltas) => {
      expect(accumulate(deltas)).toEqual({ calls: [], fragments: [] });
    },
  );
});
