import { describe, expect, it } from 'vitest';
import { parseBegun } from '../../lib/state/apps/begun-json.ts';

describe('a JSON object whose end is not written yet', () => {
  it.each([
    ['', undefined],
    ['[1', undefined],
    ['{', {}],
    ['{"a', {}],
    ['{"a":', {}],
    ['{"a": "be', { a: 'be' }],
    ['{"a": "b\\', {}],
    ['{"a": "b\\"c', { a: 'b"c' }],
    ['{"a": "b", "c', { a: 'b' }],
    ['{"a": [1, 2', { a: [1, 2] }],
    ['{"a": [{"b": "}"}, {"c": tr', { a: [{ b: '}' }, {}] }],
    ['{"a": {"b": 1}}', { a: { b: 1 } }],
    [`{"a": ${'['.repeat(10_000)}`, undefined],
  ])('%s', (text, value) => {
    expect(parseBegun(text)).toEqual(value);
  });
});
