import type { UserPlace, ZooBrowser } from './browsers.ts';
import type { Case, Group } from './case.ts';
import { startStepModel } from './model.ts';
import { type Outcome, play } from './play.ts';
import { startZooSite } from './site.ts';

export type Row = Outcome & { group: string; played: Case };

/** Plays cases one after another in one browser. */
export async function playAll(
  groups: Group[],
  open: () => Promise<ZooBrowser>,
  tell: (row: Row) => void,
  user: UserPlace = 'in the panel',
): Promise<Row[]> {
  const pages = groups.flatMap(({ cases }) => cases.map(({ page }) => page));
  const [site, model, browser] = await Promise.all([startZooSite(pages), startStepModel(), open()]);
  const rows: Row[] = [];
  const { id } = await browser.command('saveProvider', {
    name: 'Zoo',
    preset: 'custom',
    baseUrl: model.url,
    model: 'zoo',
  });
  try {
    await browser.command('saveSettings', { makeTitles: false, actionPictures: false });
    for (const { group, cases } of groups)
      for (const played of cases) {
        const row = { group, played, ...(await play({ browser, model, site }, played, user)) };
        rows.push(row);
        tell(row);
      }
  } finally {
    await browser.command('removeProvider', { id }); // another part may be played in this browser
    await Promise.all([browser.close(), model.close(), site.close()]);
  }
  return rows;
}
