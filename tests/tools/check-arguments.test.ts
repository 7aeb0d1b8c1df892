import { dereference, type Schema, validate } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { checkArguments } from '../../lib/tools/check-arguments.ts';
import { isSafePattern } from '../../lib/safe-pattern.ts';
import { ownToolList } from '../../lib/tools/own/own-tools.ts';
import { describeViolations } from '../../lib/tools/violations.ts';

const object = (properties: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: 'object',
  properties,
  ...more,
});

describe('arguments that do not fit', () => {
  it.each([
    [object({ b: { type: 'number' } }), { b: 'x' }, '`b` must be a number, but is "x"'],
    [object({}, { required: ['message'] }), {}, '`message` is missing'],
    [object({ to: object({}, { required: ['name'] }) }), { to: {} }, '`to.name` is missing'],
    [object({ a: {} }, { additionalProperties: false }), { a: 1, c: 2 }, '`c` is not a known property'],
    [
      object({ list: { type: 'array', items: { type: 'integer' } } }),
      { list: [1, 1.5] },
      '`list[1]` must be an integer, but is 1.5',
    ],
    [object({ unit: { enum: ['c', 'f'] } }), { unit: 'k' }, '`unit` must be one of "c","f", but is "k"'],
    [
      object({ n: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
      { n: 5 },
      '`n` must be a string or null, but is 5',
    ],
    [
      object({ n: { oneOf: [{ minimum: 5 }, { maximum: 9 }] } }),
      { n: 7 },
      '`n` does not fit exactly one of the forms that it may have',
    ],
    [object({ n: { minimum: 1 } }), { n: 0 }, '`n` must be at least 1, but is 0'],
    [
      object({ code: { pattern: '^[A-Z]{3}$' } }),
      { code: 'abc' },
      '`code` must match the pattern "^[A-Z]{3}$", but is "abc"',
    ],
    [
      object({ who: { $ref: '#/$defs/name' } }, { $defs: { name: { type: 'string' } } }),
      { who: 1 },
      '`who` must be a string, but is 1',
    ],
    [object({ 'a/b %': { const: 1 } }), { 'a/b %': 2 }, '`a/b %` must be 1, but is 2'],
    [object({ tags: { minItems: 2 } }), { tags: [] }, '`tags`: Array has too few items (0 < 2)'],
  ])('%j against %j', (schema, args, sentence) => {
    expect(checkArguments(schema, args)).toBe(sentence);
  });

  it('are told by their first few faults, and how many more there are', () => {
    const schema = object({}, { required: ['a', 'b', 'c', 'd', 'e'] });
    expect(checkArguments(schema, {})).toBe('`a` is missing; `b` is missing; `c` is missing; and 2 more');
  });

  it('are told in no time when there are very many of them, each of several forms', () => {
    const forms: Schema = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    const schema: Schema = { properties: { list: { type: 'array', items: forms } } };
    const args = { list: Array.from({ length: 19_000 }, (_, n) => n) };
    const lookup = dereference(schema);
    const { errors } = validate(args, schema, '2020-12', lookup, false);
    expect(errors.length).toBeGreaterThan(3 * 19_000);
    expect(describeViolations(errors, schema, lookup, args)).toBe(
      '`list[0]` must be a string or null, but is 0; `list[1]` must be a string or null, but is 1; ' +
        '`list[2]` must be a string or null, but is 2; and 18997 more',
    );
  });

  it('of one form within another are told by the outer one', () => {
    const inner = { anyOf: [{ type: 'string' }, { anyOf: [{ type: 'null' }, { type: 'boolean' }] }] };
    const sentence = checkArguments(object({ a: inner, b: { minimum: 5 } }), { a: 1, b: 2 });
    expect(sentence).toMatch(/^`a` does not fit any of [^;]*; `b` must be at least 5, but is 2$/);
  });

  it('are not repeated at length', () => {
    const said = checkArguments(object({ n: { type: 'number' } }), { n: 'x'.repeat(10_000) });
    expect(said?.length).toBeLessThan(120);
  });
});

describe('the draft of a schema', () => {
  it('is 2020-12 unless it says otherwise', () => {
    const pair = { items: { type: 'array', prefixItems: [{ type: 'string' }] } };
    expect(checkArguments(object(pair), { items: [1] })).toContain('`items[0]` must be a string');
    const draft4 = { $schema: 'http://json-schema.org/draft-04/schema#' };
    const above = { n: { minimum: 1, exclusiveMinimum: true } };
    expect(checkArguments(object(above, draft4), { n: 1 })).toContain('`n`');
    expect(checkArguments(object(above, draft4), { n: 2 })).toBeUndefined();
  });
});

describe('a schema that cannot be checked', () => {
  const long = 'a'.repeat(900);
  const next = (n: number) => ({ $ref: `#/$defs/d${n + 1}` });
  const doubling = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`d${n}`, { allOf: [next(n), next(n)] }]),
  );
  let deep: Record<string, unknown> = {};
  for (let depth = 0; depth < 15_000; depth++) deep = object({ a: deep });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['refers to itself', { $ref: '#' }, {}],
    [
      'refers in a circle',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
      {},
    ],
    ['refers elsewhere', { $ref: 'https://schemas.example/a.json' }, {}],
    ['doubles at every reference', { $ref: '#/$defs/d0', $defs: doubling }, {}],
    ['has a pattern that backtracks for ever', object({ a: { pattern: '^(a+)+$' } }), { a: `${long}!` }],
    ['has a pattern with overlapping choices', object({ a: { pattern: '^(a|aa)+$' } }), { a: `${long}!` }],
    [
      'has many optional parts',
      object({ a: { pattern: `${'a?'.repeat(60)}${'a'.repeat(60)}$` } }),
      { a: `${'a'.repeat(59)}!` },
    ],
    [
      'has patterned names that backtrack',
      { patternProperties: { '^(a+)+$': { type: 'number' } } },
      { [`${long}!`]: 1 },
    ],
    [
      'has more patterned names than are soon tested',
      {
        patternProperties: Object.fromEntries(
          Array.from({ length: 101 }, (_, n) => [`^p${n}$`, { type: 'number' }]),
        ),
      },
      { p1: 'x' },
    ],
    ['has a pattern that is none', object({ a: { pattern: '(' } }), { a: 'x' }],
    ['is nonsense', { type: 'strnig', required: 5, properties: null, enum: 'x', items: 3 }, {}],
    ['is deeper than can be walked', deep, {}],
    [
      'is huge',
      object(Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`p${n}`, { type: 'string' }]))),
      { p1: 1 },
    ],
  ])('counts as fitting: it %s', (_, schema, args) => {
    expect(checkArguments(schema, args)).toBeUndefined();
  });

  it('never takes less because a part of it was left out', () => {
    const unsafe = { pattern: '^(a+)+$' };
    expect(checkArguments(object({ a: { not: unsafe } }), { a: 'b' })).toBeUndefined();
    expect(
      checkArguments(object({ a: { oneOf: [unsafe, { type: 'string' }] } }), { a: 'b' }),
    ).toBeUndefined();
    const patterned = { patternProperties: { '^(x+)+$': {} }, additionalProperties: false };
    expect(checkArguments(patterned, { x: 1 })).toBeUndefined();
    expect(checkArguments(object({ a: { type: 'string', ...unsafe } }), { a: 1 })).toContain(
      'must be a string',
    );
  });

  it('is left as it was, frozen or not', () => {
    const schema = Object.freeze(
      object({ a: Object.freeze({ $ref: '#/$defs/n' }) }, { $defs: { n: { type: 'number' } } }),
    );
    expect(checkArguments(schema, { a: 'x' })).toContain('must be a number');
    expect(checkArguments(schema, { a: 1 })).toBeUndefined();
  });
});

describe('a pattern', () => {
  it.each(['^a*a*a*$', '(?:a+)+', 'a|b|c|d', 'a+b+c+', '.*.*x', '(?=a)b', '(a)\\1', '['])(
    'that may take long, or is none, is not tested: %s',
    (pattern) => {
      expect(isSafePattern(pattern)).toBe(false);
    },
  );

  it.each(['^[A-Z]{3}$', '^\\d{4}-\\d{2}-\\d{2}$', '^[a-z]+(?:-[a-z]{2})?$', '^a|b$'])(
    'as people write them is: %s',
    (pattern) => {
      expect(isSafePattern(pattern)).toBe(true);
    },
  );

  it('is tested on short texts only', () => {
    const schema = object({ a: { pattern: '^b+$' } });
    expect(checkArguments(schema, { a: 'a'.repeat(150) })).toContain('must match the pattern');
    expect(checkArguments(schema, { a: 'a'.repeat(201) })).toBeUndefined();
  });
});

describe('large arguments', () => {
  it('of one long text are checked, without patterns', () => {
    const schema = object({ text: { type: 'string', pattern: '^[a-z]+$' }, n: { type: 'number' } });
    expect(checkArguments(schema, { text: '1'.repeat(5_000_000), n: 1 })).toBeUndefined();
    expect(checkArguments(schema, { text: 'x'.repeat(5_000_000), n: 'y' })).toContain('`n` must be a number');
  });

  it('of very many values are left to the server', () => {
    const schema = object({ list: { type: 'array', uniqueItems: true, items: { type: 'string' } } });
    expect(checkArguments(schema, { list: Array.from({ length: 200_000 }, (_, n) => n) })).toBeUndefined();
  });
});

describe('what can’t be checked of arguments for a tool of Portside’s own', () => {
  const schema = ownToolList.find(({ name }) => name === 'type_text')?.inputSchema ?? {};
  const typed = { ref: 'e1', text: 'x', submit: 1 };

  it('does not fit: an odd name, or very many values, switch no check off', () => {
    const many = { ...typed, more: Array.from({ length: 20_000 }, () => 0) };
    expect(checkArguments(schema, many)).toBeUndefined();
    expect(checkArguments(schema, many, true)).toMatch('to be checked');
    expect(checkArguments(schema, { ...typed, '\ud800': 0 }, true)).toMatch('not well-formed');
    expect(checkArguments(object({}), { a: [{ '\udfff': 0 }] })).toMatch('not well-formed');
    expect(checkArguments(schema, { ...typed, submit: true }, true)).toBeUndefined();
  });
});
