import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createObjectScan } from '../../lib/models/reply/object-scan.ts';

function isClosed(...pieces: string[]): boolean {
  const scan = createObjectScan();
  for (const piece of pieces) scan.push(piece);
  return scan.isClosed();
}

describe('the text of a JSON object', () => {
  it.each([
    ['', false],
    ['{', false],
    ['{}', true],
    [' {"a":{"b":[1]}}\n', true],
    ['{"a":{"b":[1]}', false],
    ['{"a":"}', false],
    [String.raw`{"a":"\"}`, false],
    [String.raw`{"a":"\\"}`, true],
    [String.raw`"{\"a\":1}`, false],
    [String.raw`"{\"a\":1}"`, true],
    ['["a"', false],
  ])('%j is closed: %s', (text, closed) => {
    expect(isClosed(text)).toBe(closed);
    expect(isClosed(...text)).toBe(closed);
  });

  it('is closed at its last character and not before', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value);
        expect([isClosed(text.slice(0, -1)), isClosed(text)]).toEqual([false, true]);
      }),
    );
  });
});
