import { describe, expect, it } from 'vitest';
import { headerProblem, paramHeaders } from '../../lib/mcp/offer/param-headers.ts';

const field = (header: unknown, type = 'string') => ({ type, 'x-mcp-header': header });
const object = (properties: Record<string, unknown>) => ({ type: 'object', properties });

describe('the headers of a call', () => {
  it('repeat the arguments that the schema names', () => {
    const schema = object({
      region: field('Region'),
      count: field('Count', 'integer'),
      dry: field('Dry-Run', 'boolean'),
      inner: object({ path: field('Path') }),
      plain: { type: 'string' },
      absent: field('Absent'),
    });
    const args = { region: 'eu west', count: 3, dry: false, inner: { path: '/a' }, plain: 'x', absent: null };
    expect(paramHeaders(schema, args)).toEqual({
      'Mcp-Param-Region': 'eu west',
      'Mcp-Param-Count': '3',
      'Mcp-Param-Dry-Run': 'false',
      'Mcp-Param-Path': '/a',
    });
  });

  it.each([
    ['Zürich', '=?base64?WsO8cmljaA==?='],
    [' padded', '=?base64?IHBhZGRlZA==?='],
    ['a\r\nb', '=?base64?YQ0KYg==?='],
    ['=?base64?x?=', '=?base64?PT9iYXNlNjQ/eD89?='],
    ['', '=?base64??='],
  ])('are base64 where a header could not hold %j', (value, header) => {
    expect(paramHeaders(object({ a: field('A') }), { a: value })).toEqual({ 'Mcp-Param-A': header });
  });

  it.each([1.5, 2 ** 60, {}, ['x']])('leave out what all sides do not write the same way: %j', (value) => {
    expect(paramHeaders(object({ a: field('A', 'integer') }), { a: value })).toEqual({});
  });

  it.each([
    [object({ a: field('A', 'number') }), /whole number/],
    [object({ a: field('A B') }), /not one/],
    [object({ a: field('') }), /not one/],
    [object({ a: field(7) }), /not one/],
    [object({ a: field('A'), b: field('a') }), /“a” twice/],
    [object({ a: { type: 'array', items: field('A') } }), /none is allowed/],
    [{ ...object({}), allOf: [object({ a: field('A') })] }, /none is allowed/],
    [{ ...object({}), 'x-mcp-header': 'A' }, /none is allowed/],
  ])('can’t be made for %j', (schema, problem) => {
    expect(headerProblem(schema)).toMatch(problem);
    expect(paramHeaders(schema, { a: 'x' })).toEqual({});
  });

  it('are not meant where the word is a property or a default', () => {
    expect(
      headerProblem(object({ 'x-mcp-header': { type: 'string' }, b: { default: field('A') } })),
    ).toBeUndefined();
  });
});
