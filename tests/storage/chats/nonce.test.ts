import 'fake-indexeddb/auto';
import { expect, it } from 'vitest';
import { nonceOf } from '../../../lib/storage/chats/nonce.ts';
import { openDatabase } from '../../../lib/storage/database.ts';

it('a chat’s nonce stays, whichever worker asks; no other chat’s and no other profile’s is the same', async () => {
  const db = await openDatabase('nonce-one');
  const [first, again, other] = await Promise.all(['c1', 'c1', 'c2'].map((id) => nonceOf(db, id)));
  expect(first).toMatch(/^[0-9a-f]{8}$/);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  db.close();
  expect(await nonceOf(await openDatabase('nonce-one'), 'c1')).toBe(first);
  expect(await nonceOf(await openDatabase('nonce-two'), 'c1')).not.toBe(first);
});
