import { expect, it } from 'vitest';
import { branchesOf } from '../../lib/sync/branches.ts';

type Row = { id: string; parentId: string | null };

/** Rows by id that count how often one is looked at. */
class Counted extends Map<string, Row> {
  looks = 0;
  constructor(rows: Row[]) {
    super();
    for (const row of rows) this.set(row.id, row);
  }
  override get(id: string): Row | undefined {
    this.looks += 1;
    return super.get(id);
  }
}

it('a row is whole with all before it, and is not where one is missing or they are a circle', () => {
  const rows: Row[] = [
    { id: 'end', parentId: 'middle' },
    { id: 'middle', parentId: 'first' },
    { id: 'first', parentId: null },
    { id: 'other', parentId: 'first' },
    { id: 'late', parentId: 'early' },
    { id: 'early', parentId: 'missing' },
    { id: 'one', parentId: 'two' },
    { id: 'two', parentId: 'one' },
    { id: 'unasked', parentId: null },
  ];
  const asked = rows.filter(({ id }) => id !== 'unasked');
  const isWhole = branchesOf(asked, new Counted(rows));
  expect(Object.fromEntries(isWhole)).toEqual({
    end: true,
    middle: true,
    first: true,
    other: true,
    late: false,
    early: false,
    one: false,
    two: false,
  });
});

it.each(['a whole chat', 'a chat without its beginning'])('%s is walked once, from whatever end', (what) => {
  const rows = Array.from({ length: 2_000 }, (_, at): Row => ({
    id: `${at}`,
    parentId: at ? `${at - 1}` : null,
  }));
  const there = what === 'a whole chat' ? rows : rows.slice(1);
  for (const each of [there, there.toReversed()]) {
    const byId = new Counted(there);
    expect(branchesOf(each, byId).size).toBe(there.length);
    expect(byId.looks).toBeLessThanOrEqual(2 * there.length);
  }
});
