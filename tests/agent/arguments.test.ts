import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../lib/agent/arguments.ts';

describe('the arguments of a call', () => {
  it.each([
    '12345678901234567890',
    '-9007199254740993',
    '1'.repeat(400),
    '9007199254740993.0',
    '9007199254740993e0',
    '-1e400',
  ])('with the number %s are refused: JavaScript would pass on another number', (number) => {
    const parsed = parseArguments(`{"a":[{"ms": ${number}}]}`);
    expect(parsed).toEqual({
      ok: false,
      problem: `The number ${number.slice(0, 40)} is too large to be passed on exactly; write it as text.`,
    });
  });

  it.each([
    ['of the usual size', '{"a":9007199254740991,"b":-9007199254740991,"c":0}'],
    ['with fractions and exponents', '{"a":0.12345678901234567890,"b":1e300}'],
    ['of digits inside text', '{"id":"12345678901234567890","\\"k 12345678901234567890":"\\\\"}'],
  ])('with numbers %s are read', (_what, text) => {
    expect(parseArguments(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });
});
