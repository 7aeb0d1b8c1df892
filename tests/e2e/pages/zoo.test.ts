import { describe, expect, it } from 'vitest';
import { openChromium } from '../../zoo/browsers.ts';
import { groups, quick } from '../../zoo/cases.ts';
import { playAll } from '../../zoo/play-all.ts';

describe('the zoo', () => {
  it.each(
    [0, 1].map((half) => {
      const played = quick.filter((_, at) => at % 2 === half);
      return [played.map(({ group }) => group).join(', '), played] as const;
    }),
  )(
    'has widgets used through Portside’s tools, of which their pages say that it worked: %s',
    async (_, groupsOfHalf) => {
      const rows = await playAll(groupsOfHalf, openChromium, () => undefined);
      expect(rows.length).toBeGreaterThan(6);
      const wrong = rows.filter(({ verdict }) => verdict === 'failed' || verdict === 'false success');
      expect(wrong.map(({ group, played, told }) => [group, played.name, told])).toEqual([]);
    },
  );

  it('has names that are each one case’s, in 120 cases at least', () => {
    const names = groups.flatMap(({ group, cases }) => cases.map(({ name }) => `${group}: ${name}`));
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(120);
  });
});
