import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import { createAskBox } from '../../entrypoints/background/browser/ask-box.ts';
import type { Intent } from '../../lib/protocol/attached.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { NOW } from '../fakes/rows.ts';

vi.mock('wxt/browser', () => ({ browser: {} }));

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
