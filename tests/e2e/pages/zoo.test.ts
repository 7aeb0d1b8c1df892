import { describe, expect, it } from 'vitest';
import { openChromium } from '../../zoo/browsers.ts';
import { groups, quick } from '../../zoo/cases.ts';
import { playAll } from '../../zoo/play-all.ts';

describe('the zoo', () => {
  it.each(quick)(
    'has widgets used through Portside’s tools, of which their pages say that it worked: %s',
    async (_, part) => {
      const rows = await playAll(part, openChromium, () => undefined);
      expect(rows).not.toEqual([]);
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
