import { describe, expect, it } from 'vitest';
import { toolSchema } from '../../lib/models/request/schema.ts';

const plain = (schema: Record<string, unknown>) => toolSchema(schema, 'plain');
const gemini = (schema: Record<string, unknown>) => toolSchema(schema, 'gemini');
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

describe('a schema for any server', () => {
  it('stays as it is when there is nothing to mend', () => {
    const schema = object(
      { a: { type: ['string', 'null'], description: 'A' }, b: { $ref: '#/$defs/b' } },
      { required: ['a'], additionalProperties: false, $defs: { b: { type: 'integer', enum: [1, 2] } } },
    );
    expect(plain(schema)).toEqual(schema);
  });

  it('is rewritten once', () => {
    const schema = object({ a: {} });
    expect(plain(schema)).toBe(plain(schema));
  });

  it('gets properties where an object has none, and items where an array has none', () => {
    expect(plain({ type: 'object' })).toEqual(object({}));
    expect(plain(object({ list: { type: 'array' }, bag: { type: 'object' } }))).toEqual(
      object({ list: { type: 'array', items: {} }, bag: object({}) }),
    );
  });

  it('has one form for all places of a tuple', () => {
    const tuple = { type: 'array', items: [{ type: 'string' }, { type: 'number' }] };
    expect(plain(object({ tuple }))).toMatchObject({
      properties: { tuple: { items: { anyOf: [{ type: 'string' }, { type: 'number' }] } } },
    });
  });

  it.each(['anyOf', 'oneOf'])(
    'has the properties of all of its %s, and requires what each requires',
    (name) => {
      const schema = {
        [name]: [
          object({ kind: { const: 'a' }, a: { type: 'string' } }, { required: ['kind', 'a'] }),
          object({ kind: { const: 'b' } }, { required: ['kind'] }),
        ],
      };
      expect(plain(schema)).toEqual(
        object(
          { kind: { anyOf: [{ const: 'a' }, { const: 'b' }] }, a: { type: 'string' } },
          { required: ['kind'] },
        ),
      );
    },
  );

  it('has all of its allOf and of what it refers to, and requires it', () => {
    const schema = {
      $ref: '#/$defs/base',
      allOf: [object({ b: {} }, { required: ['b'] })],
      $defs: { base: object({ a: {} }, { required: ['a'] }) },
    };
    expect(plain(schema)).toMatchObject(object({ a: {}, b: {} }, { required: ['a', 'b'] }));
    expect(plain(schema)).not.toHaveProperty('allOf');
    expect(plain(schema)).not.toHaveProperty('$ref');
  });

  it('loses negations and choices at its top only', () => {
    const inner = { not: { type: 'null' }, enum: ['x'] };
    expect(plain(object({ inner }, { not: {}, enum: [{}] }))).toEqual(object({ inner }));
  });

  it('whose alternatives are itself has its properties once', () => {
    const itself = Array.from({ length: 15 }, () => ({ $ref: '#/$defs/E' }));
    const schema = { $ref: '#/$defs/E', $defs: { E: object({ a: {} }, { anyOf: itself }) } };
    expect(plain(schema)).toEqual({ ...schema, ...object({ a: {} }), $ref: undefined });
  });

  it('is any object when its alternatives multiply without end', () => {
    const next = (at: number) => ({ $ref: `#/$defs/d${at}` });
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `d${at}`,
        { properties: { [`p${at}`]: {} }, oneOf: [next(at + 1), next(at + 1)] },
      ]),
    );
    expect(plain({ ...next(0), $defs })).toEqual(object({}));
    expect(plain({ allOf: [next(0), next(0)], $defs })).toEqual(object({}));
  });

  it('keeps a property of any name', () => {
    const own = JSON.parse('{"__proto__":{"type":"array"},"constructor":{"type":"string"}}') as object;
    const required = ['__proto__', 'constructor'];
    const names = (schema: Record<string, unknown>) => Object.keys(Object(schema.properties));
    for (const schema of [
      object(own, { required }),
      { anyOf: [object(own, { required }), object(own, { required })] },
    ]) {
      expect(names(plain(schema))).toEqual(required);
      expect(names(gemini(schema))).toEqual(required);
    }
  });

  it('of any depth is written without running out of stack', () => {
    let deep: Record<string, unknown> = { type: 'string' };
    for (let depth = 0; depth < 20_000; depth++) deep = object({ deep });
    expect(JSON.stringify(plain(deep)).length).toBeLessThan(5_000);
    expect(JSON.stringify(gemini(deep)).length).toBeLessThan(5_000);
    for (const name of ['anyOf', 'allOf']) {
      let inner: Record<string, unknown> = object({ a: {} });
      for (let depth = 0; depth < 20_000; depth++) inner = { [name]: [inner] };
      expect(plain(inner)).toEqual(object({}));
    }
  });
});

describe('a schema for Gemini', () => {
  it('has none of the names that it refuses', () => {
    const schema = object(
      { a: { type: 'string', const: 'x', default: 'x', examples: ['x'], format: 'uri' } },
      { $schema: 'https://json-schema.org/draft/2020-12/schema', additionalProperties: false, title: 'T' },
    );
    expect(gemini(schema)).toEqual(object({ a: { type: 'string', enum: ['x'] } }));
  });

  it('has references written out, and cut where they go round', () => {
    const schema = object(
      { tree: { $ref: '#/$defs/node' } },
      { $defs: { node: object({ value: { type: 'number' }, next: { $ref: '#/$defs/node' } }) } },
    );
    expect(gemini(schema)).toEqual(object({ tree: object({ value: { type: 'number' }, next: object({}) }) }));
  });

  it('says nullable for null', () => {
    const forms = { a: { type: ['string', 'null'] }, b: { anyOf: [{ type: 'integer' }, { type: 'null' }] } };
    expect(gemini(object(forms))).toEqual(
      object({ a: { type: 'string', nullable: true }, b: { type: 'integer', nullable: true } }),
    );
  });

  it('has alternatives for several types, and for oneOf', () => {
    const forms = {
      a: { type: ['string', 'number'] },
      b: { oneOf: [{ type: 'string' }, { type: 'boolean' }] },
    };
    expect(gemini(object(forms))).toEqual(
      object({
        a: { anyOf: [{ type: 'string' }, { type: 'number' }] },
        b: { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
      }),
    );
  });

  it('enumerates strings only, and tells other choices in words', () => {
    expect(gemini(object({ n: { enum: [1, 2] }, s: { enum: ['a', '', null] } }))).toEqual(
      object({ n: { type: 'number', description: 'One of: 1, 2.' }, s: { type: 'string', enum: ['a'] } }),
    );
  });

  it('requires only what it has, and has a type and items everywhere', () => {
    expect(gemini(object({ a: {}, b: { type: 'array' } }, { required: ['a', 'ghost'] }))).toEqual(
      object({ a: { type: 'string' }, b: { type: 'array', items: { type: 'string' } } }, { required: ['a'] }),
    );
  });

  it('does not grow without end when references multiply', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `d${at}`,
        object({ a: { $ref: `#/$defs/d${at + 1}` }, b: { $ref: `#/$defs/d${at + 1}` } }),
      ]),
    );
    expect(JSON.stringify(gemini(object({ a: { $ref: '#/$defs/d0' } }, { $defs }))).length).toBeLessThan(
      200_000,
    );
  });

  it('is not as long as all that refers to what is long', () => {
    const long = { type: 'string', description: 'x'.repeat(100_000) };
    const many = Array.from({ length: 1_900 }, (_, at) => [`p${at}`, { $ref: '#/$defs/long' }]);
    const schema = object(Object.fromEntries(many) as Record<string, unknown>, { $defs: { long } });
    expect(JSON.stringify(gemini(schema)).length).toBeLessThan(1_000_000);
  });
});
