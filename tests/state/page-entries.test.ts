import { expect, it } from 'vitest';
import { pageEntries } from '../../lib/state/composer/page-entries.ts';
import type { PageTab } from '../../lib/types/page.ts';
import { fakeWorker } from './fake-worker.ts';

const front: PageTab = {
  id: 1,
  windowId: 9,
  active: true,
  title: 'The keeper’s log',
  url: 'https://a.example/',
};
const tab = (id: number, more: Partial<PageTab> = {}): PageTab => ({
  id,
  windowId: 9,
  active: false,
  ...more,
});

async function entriesFor(tabs: PageTab[]) {
  const worker = fakeWorker();
  worker.answer.listTabs = () => tabs;
  return pageEntries(worker.link, 9);
}

it('the page in front of this window can be added, in parts', async () => {
  const { front: found } = await entriesFor([tab(3, { active: true, windowId: 4 }), front]);
  expect(found.map(({ part, tabId }) => [part, tabId])).toEqual([
    ['page', 1],
    ['selection', 1],
    ['screenshot', 1],
    ['field', 1],
  ]);
  expect(found[0]).toMatchObject({ title: 'This page', sub: 'The keeper’s log', url: 'https://a.example/' });
});

it('other tabs are listed by name, but for those of the browser’s own', async () => {
  const { tabs } = await entriesFor([
    front,
    tab(2, { title: 'Ships', url: 'https://b.example/' }),
    tab(3, { title: 'Settings', url: 'chrome://settings/' }),
  ]);
  expect(tabs).toMatchObject([{ type: 'page', title: 'Ships', sub: 'https://b.example/', tabId: 2 }]);
});

it('tabs that the browser does not name can be asked for', async () => {
  expect((await entriesFor([front, tab(2), tab(3)])).tabs).toMatchObject([{ type: 'tab_names' }]);
  expect((await entriesFor([front])).tabs).toEqual([]);
});
