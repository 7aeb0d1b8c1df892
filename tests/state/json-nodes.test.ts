import { describe, expect, it } from 'vitest';
import { jsonNodes, jsonTable } from '../../lib/state/chat/json-nodes.ts';
import { firstOpen, jsonRows } from '../../lib/state/chat/json-rows.ts';

const nodes = (text: string) => {
  const node = jsonNodes(text);
  if (!node) throw new Error(`no JSON: ${text}`);
  return node;
};
const list = (count: number): string => JSON.stringify([...Array(count).keys()]);

describe('JSON as it was written', () => {
  it('keeps the digits of a number and a key that comes twice', () => {
    expect(nodes('{"a":12345678901234567890,"a":1e400}')).toEqual({
      type: 'object',
      entries: [
        { key: 'a', node: { type: 'number', text: '12345678901234567890' } },
        { key: 'a', node: { type: 'number', text: '1e400' } },
      ],
    });
  });

  it('takes strings for what they mean, a key that looks like a sign for a key', () => {
    expect(nodes('{":[":"a\\"}\\n","k":[true,null,{}]}')).toEqual({
      type: 'object',
      entries: [
        { key: ':[', node: { type: 'string', text: 'a"}\n' } },
        {
          key: 'k',
          node: {
            type: 'array',
            items: [
              { type: 'word', text: 'true' },
              { type: 'word', text: 'null' },
              { type: 'object', entries: [] },
            ],
          },
        },
      ],
    });
  });

  it.each(['', '12', '"text"', '{"half":', 'plain text', `${'['.repeat(60)}${']'.repeat(60)}`])(
    'leaves anything else to be shown as text: %j',
    (text) => expect(jsonNodes(text)).toBeUndefined(),
  );
});

describe('the lines of a tree', () => {
  const paths = (text: string, open: string[]) =>
    jsonRows(nodes(text), new Set(open)).map(({ path }) => path);

  it('are only those of what stands open', () => {
    const text = '{"a":{"b":[1,2]},"c":3}';
    expect(paths(text, [])).toEqual(['/0', '/1']);
    expect(paths(text, ['/0', '/0/0'])).toEqual(['/0', '/0/0', '/0/0/0', '/0/0/1', '/1']);
  });

  it('know their level and their place among the others', () => {
    const [, inner] = jsonRows(nodes('{"a":{"b":1,"c":2}}'), new Set(['/0']));
    expect(inner).toMatchObject({ level: 2, position: 1, siblings: 2, name: { text: 'b', isKey: true } });
    expect(inner?.open).toBeUndefined();
  });

  it('show a very long list in slices, and a slice of very many in slices of its own', () => {
    expect(paths(list(100), [])).toHaveLength(100);
    expect(paths(list(250), [])).toEqual(['/0-99', '/100-199', '/200-249']);
    expect(paths(list(250), ['/200-249'])).toHaveLength(53);
    const huge = paths(list(25_000), ['/10000-19999']);
    expect(huge.slice(0, 3)).toEqual(['/0-9999', '/10000-19999', '/10000-19999/10000-10099']);
    expect(huge).toHaveLength(103);
  });

  it('can be opened where a string is long, and not where nothing is inside', () => {
    const rows = jsonRows(nodes(JSON.stringify({ long: 'x'.repeat(301), short: 'x', none: [] })), new Set());
    expect(rows.map(({ open }) => open)).toEqual([false, undefined, undefined]);
  });

  it('stand open at first as far as that is short, long strings never', () => {
    const some = nodes(JSON.stringify({ total: 1, items: [{ id: 1 }], text: 'x'.repeat(400) }));
    expect([...firstOpen(some)]).toEqual(['/1', '/1/0']);
    expect([...firstOpen(nodes(JSON.stringify({ many: [...Array(50).keys()] })))]).toEqual([]);
  });
});

describe('a table', () => {
  it('is made of a list of flat objects, whatever keys each has', () => {
    expect(jsonTable(nodes('[{"a":1,"b":"x"},{"b":"y","c":null}]'))).toEqual({
      columns: ['a', 'b', 'c'],
      rows: [
        ['1', 'x'],
        [undefined, 'y', 'null'],
      ],
    });
  });

  it('is seen inside an object that holds nothing else', () => {
    expect(jsonTable(nodes('{"result":[{"a":1},{"a":2}]}'))?.rows).toHaveLength(2);
    expect(jsonTable(nodes('{"count":2,"result":[{"a":1},{"a":2}]}'))).toBeUndefined();
  });

  it.each(['[]', '[1,2]', '[{"a":1}]', '[{"a":1},2]', '[{"a":{}},{"a":1}]', '[{},{}]'])(
    'is made of nothing else: %s',
    (text) => expect(jsonTable(nodes(text))).toBeUndefined(),
  );
});
