import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Item, jsonItems } from '../../lib/import/json-items.ts';

/** What the text holds at the paths, when it comes in pieces of so many bytes. */
async function itemsOf(text: string, paths: string[], size = 7) {
  const bytes = new TextEncoder().encode(text);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
  }
  const found: Item[] = [];
  const items = jsonItems(pieces(), paths);
  for (;;) {
    const { value, done } = await items.next();
    if (done) return { found, isWhole: value };
    found.push(value);
  }
}
const valuesOf = async (...request: Parameters<typeof itemsOf>) =>
  (await itemsOf(...request)).found.map((item) => (item.type === 'value' ? item.value : item.type));

describe('items of a JSON text', () => {
  it('are what arrays and keys at their paths hold, however the text is cut into chunks', async () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue());
    const sizes = fc.integer({ min: 1, max: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(object), object, sizes, async (list, other, size) => {
        expect(await valuesOf(JSON.stringify(list), ['*'], size)).toEqual(JSON.parse(JSON.stringify(list)));
        const nested = JSON.stringify({ a: other, chats: list, b: { chats: list } }, null, 1);
        expect(await valuesOf(nested, ['chats.*'], size)).toEqual(JSON.parse(JSON.stringify(list)));
        expect(await valuesOf(nested, ['b'], size)).toHaveLength(1);
      }),
      { numRuns: 30 },
    );
  });

  it('are told apart by paths, with how much was read up to their ends', async () => {
    const { found, isWhole } = await itemsOf('{"a":[{"x":1}],"b":{"c":[[2],3]}}', ['a.*', 'b.c.*']);
    expect(found).toEqual([
      { type: 'value', path: 'a.*', value: { x: 1 }, read: 13 },
      { type: 'value', path: 'b.c.*', value: [2], read: 28 },
    ]);
    expect(isWhole).toBe(true);
  });

  it('may be broken one by one, and the others are read', async () => {
    expect(await valuesOf('[{"a":1},{"b":},{"c":"}\\\\\\""}]', ['*'])).toEqual([
      { a: 1 },
      'broken',
      { c: '}\\"' },
    ]);
  });

  it.each(['[{"a":1},{"b":', '{"a', '', 'plain text', '"{}"'])('end too early in %s', async (text) => {
    expect((await itemsOf(text, ['*'])).isWhole).toBe(false);
  });

  it('are found in a text that nests as deep as it is long', async () => {
    expect(await valuesOf(`[${'['.repeat(200_000)}${']'.repeat(200_000)},{"a":1}]`, ['x.*'], 65_536)).toEqual(
      [],
    );
  });
});
