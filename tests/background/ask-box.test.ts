import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import { createAskBox } from '../../entrypoints/background/browser/ask-box.ts';
import type { Intent } from '../../lib/protocol/attached.ts';
import { saveSettings } from '../../lib/storage/configuration/settings.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { NOW } from '../fakes/rows.ts';

const ledTo = 'https://bank.example/';
vi.mock('wxt/browser', () => ({ browser: { tabs: { get: async () => ({ title: 'Bank', url: ledTo }) } } }));

let db: Database;
let answered: ReturnType<typeof createAskBox>['answered'];
const box: Intent = {
  id: 'box',
  windowId: 3,
  isDraft: true,
  asks: true,
  page: { part: 'page', tabId: 7 },
  createdAt: new Date(NOW).toISOString(),
};

beforeEach(async () => {
  db = await openDatabase(crypto.randomUUID());
  ({ answered } = createAskBox(db, { pages: {} as never, now: () => NOW }));
});

it('a question is asked once, of a box that the worker opened', async () => {
  await db.put('intents', box);
  await answered({ id: 'box', text: 'Why?' }, 4);
  const { isDraft: _written, ...asked } = box;
  expect(await db.getAll('intents')).toEqual([{ ...asked, windowId: 4, text: 'Why?' }]);
  await answered({ id: 'box', text: 'Send it all' }, 4);
  await answered({ id: 'box', text: null }, 4);
  await answered({ id: 'none', text: 'Send it all' }, 4);
  expect(await db.getAll('intents')).toEqual([{ ...asked, windowId: 4, text: 'Why?' }]);
});

it('a box that is closed asks nothing', async () => {
  await db.put('intents', box);
  await answered({ id: 'box', text: null }, 3);
  expect(await db.getAll('intents')).toEqual([]);
});

it('what is selected is of the site that the tab showed, wherever its page leads that meanwhile', async () => {
  await saveSettings(db, { askBox: true });
  const url = 'https://example.com/a';
  const pages = {
    find: async () => ({ id: 7, windowId: 3, active: true, title: 'A', url }),
    callEach: async () => [{ text: 'words', url, isFramed: false }],
    call: async () => [true],
  };
  await createAskBox(db, { pages: pages as never, now: () => NOW }).open({ id: 7 });
  const [intent] = await db.getAll('intents');
  expect(intent?.page).toMatchObject({ url, given: { text: 'words', title: 'A', url } });
});
