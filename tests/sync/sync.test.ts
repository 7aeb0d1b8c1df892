import 'fake-indexeddb/auto';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { isEntry, isSnapshot } from '../../lib/sync/entry.ts';
import { joinStore } from '../../lib/sync/key-file.ts';
import { openStore } from '../../lib/sync/open-store.ts';
import { seal } from '../../lib/sync/seal.ts';
import type { Store } from '../../lib/sync/store.ts';
import { repairDamaged } from '../../lib/storage/damaged.ts';
import { keyOf } from '../../lib/storage/secrets/wrapped-key.ts';
import type { Message } from '../../lib/types/message.ts';
import { type Machine, openMachine, PASSPHRASE } from './machine.ts';
import { startS3, startWebdav, type StoreServer } from '../fakes/stores.ts';

vi.mock('wxt/browser', () => ({ browser: {} }));

describe.each([
  ['WebDAV', startWebdav],
  ['S3', startS3],
])('chats on several machines, by %s', (_name, start) => {
  let server: StoreServer;
  let machines: Machine[] = [];
  beforeAll(async () => void (server = await start()));
  afterAll(() => server.close());
  afterEach(async () => {
    machines.forEach(({ close }) => close());
    machines = [];
    const store = open();
    for (const name of await store.list()) await store.remove(name);
  });

  const open = (): Store => openStore(server.place, server.password);

  /** A machine with a database of its own. */
  async function machine(reach: (store: Store) => Store = (store) => store): Promise<Machine> {
    const opened = await openMachine(() => reach(open()));
    machines.push(opened);
    return opened;
  }

  it('come to another machine, marked as what comes out of a file, and go on there', async () => {
    const [one, other] = [await machine(), await machine()];
    await one.ask('chat', 'What is a buoy?');
    expect(await one.sync()).toBeUndefined();
    expect(await other.sync()).toBeUndefined();
    expect(await other.shown('chat')).toEqual(['What is a buoy?', 'Answer 0']);
    expect(await other.db.get('conversations', 'chat')).toMatchObject({ imported: true });
    await other.ask('chat', 'And a dolphin?');
    await other.sync();
    await one.sync();
    expect(await one.shown('chat')).toEqual(['What is a buoy?', 'Answer 0', 'And a dolphin?', 'Answer 0']);
    const before = await server.files();
    await one.sync();
    await other.sync();
    expect(await server.files()).toEqual(before);
  });

  it('lose nothing where two machines wrote at once: both branches stay', async () => {
    const [one, other] = [await machine(), await machine()];
    await one.ask('chat', 'Beginning');
    await one.sync();
    await other.sync();
    await one.ask('chat', 'From the one');
    await other.ask('chat', 'From the other');
    await Promise.all([one.sync(), other.sync()]);
    await one.sync();
    await other.sync();
    const all = ['Answer 0', 'Answer 0', 'Answer 1', 'Beginning', 'From the one', 'From the other'];
    expect(await one.said('chat')).toEqual(all);
    expect(await other.said('chat')).toEqual(all);
  });

  it('are deleted everywhere, but for what another machine went on after', async () => {
    const [one, other] = [await machine(), await machine()];
    for (const chat of ['gone', 'kept']) await one.ask(chat, `In ${chat}`);
    const second = await one.ask('gone', 'Twice');
    await one.sync();
    await other.sync();
    await one.conversations.deleteMessage({ messageId: second });
    await one.sync();
    await other.sync();
    expect(await other.said('gone')).toEqual(['Answer 0', 'In gone']);
    await one.conversations.remove({ ids: ['gone', 'kept'] });
    await one.purge();
    await other.ask('kept', 'One more');
    await one.sync();
    await other.sync();
    await one.sync();
    expect(await other.titles()).toEqual(['In kept']);
    expect(await one.titles()).toEqual(['In kept']);
    expect(await one.said('kept')).toEqual(await other.said('kept'));
    const third = await machine();
    await third.sync();
    expect(await third.titles()).toEqual(['In kept']);
  });

  it('keep elsewhere a message that is damaged here, and that a repair removed here', async () => {
    const [one, other] = [await machine(), await machine()];
    await one.ask('chat', 'Hello');
    await one.ask('chat', 'Twice');
    await one.sync();
    await other.sync();
    const last = (await one.db.getAll('messages')).find(({ content }) => content === 'Answer 1');
    const { conversationId: _lost, ...damaged } = last as Message;
    await one.db.put('messages', damaged as Message);
    await one.sync();
    await repairDamaged(one.db, '2026-11-21T10:00:00.000Z');
    await one.sync();
    await other.sync();
    expect(await other.said('chat')).toEqual(['Answer 0', 'Answer 1', 'Hello', 'Twice']);
  });

  it('are there again, for good, once a deletion that was synced is undone', async () => {
    const [one, other] = [await machine(), await machine()];
    await one.ask('chat', 'Hello');
    await one.sync();
    await other.sync();
    await one.conversations.remove({ ids: ['chat'] });
    await one.sync();
    await other.sync();
    await other.purge();
    await one.undo('chat');
    for (const each of [one, other, one]) await each.sync();
    expect(await other.said('chat')).toEqual(['Answer 0', 'Hello']);
    expect(await one.said('chat')).toEqual(['Answer 0', 'Hello']);
  });

  it('are called as they were called last', async () => {
    const [one, other] = [await machine(), await machine()];
    await one.ask('chat', 'First name');
    await one.sync();
    await other.sync();
    await other.conversations.set({ id: 'chat', title: 'Second\u202e name', pinned: true });
    await other.sync();
    await one.sync();
    expect(await one.db.get('conversations', 'chat')).toMatchObject({
      title: 'Second name',
      pinnedAt: expect.any(String),
    });
  });

  it.each([
    ['too long', 't'.repeat(300), 't'.repeat(200)],
    ['empty', '', 'Named later'],
  ])('are pinned with a title that only a file can have: %s', async (_what, title, taken) => {
    const [one, other] = [await machine(), await machine()];
    const ids = ['Named first', 'Named later'];
    for (const id of ids) await one.ask(id, id);
    const named = async (id: string) =>
      one.db.put('conversations', { ...(await one.db.get('conversations', id))!, title });
    await named('Named first');
    await one.sync();
    await other.sync();
    await named('Named later');
    for (const id of ids) await one.conversations.set({ id, pinned: true });
    for (const each of [one, other, one, other]) expect(await each.sync()).toBeUndefined();
    const chats = await Promise.all(ids.map((id) => other.db.get('conversations', id)));
    expect(chats.map((chat) => chat?.pinnedAt !== undefined)).toEqual([true, true]);
    expect(chats.map((chat) => chat?.title)).toEqual([title, taken]);
    const before = await server.files();
    for (const each of [one, other]) await each.sync();
    expect(await server.files()).toEqual(before);
  });

  it('go on after a cut in the middle', async () => {
    let puts = 0;
    const cut = (store: Store): Store => ({
      ...store,
      put: async (name, bytes) => {
        if (++puts === 2) throw new Error('The line is dead.');
        return store.put(name, bytes);
      },
    });
    const one = await machine(cut);
    for (const chat of ['a', 'b', 'c']) await one.ask(chat, chat.repeat(900_000));
    await expect(one.sync()).rejects.toThrow('The line is dead.');
    await one.sync();
    const other = await machine();
    expect(await other.sync()).toBeUndefined();
    expect((await other.titles()).length).toBe(3);
  });

  it('are read by nobody without the passphrase', async () => {
    const one = await machine();
    await one.ask('chat', 'A secret');
    await one.sync();
    await expect(joinStore(open(), 'another passphrase')).rejects.toMatchObject({
      fault: { code: 'wrong_passphrase' },
    });
    for (const file of await server.files()) expect(await readFile(file, 'latin1')).not.toContain('secret');
  });

  it('leave out a file that was tampered with, or put in another one’s place, and say so', async () => {
    const one = await machine();
    await one.ask('first', 'The first');
    await one.sync();
    await one.ask('second', 'The second');
    await one.sync();
    const [first, second] = (await server.files()).filter((file) => !file.includes('key.json')).toSorted();
    await writeFile(second!, await readFile(first!));
    const other = await machine();
    expect(await other.sync()).toEqual({ code: 'tampered', detail: '1' });
    expect(await other.titles()).toEqual(['The first']);
  });

  it('leave out a file that is longer than any of theirs, whatever the store sends', async () => {
    const one = await machine();
    await one.ask('chat', 'Kept');
    await one.sync();
    const file = (await server.files()).find((each) => !each.includes('key.json'));
    await truncate(file!, 65 * 1024 * 1024);
    expect(await (await machine()).sync()).toEqual({ code: 'tampered', detail: '1' });
  });

  it('go on though a machine counted as far as the name of a file goes', async () => {
    const [one, other] = [await machine(), await machine()];
    await one.ask('first', 'The first');
    await one.sync();
    const key = await keyOf(Uint8Array.from((await joinStore(open(), PASSPHRASE)).bytes));
    const name = `${'9'.repeat(12)}-${crypto.randomUUID()}`;
    await open().put(name, await seal(key, name, JSON.stringify({ chats: [], marks: [] })));
    await one.sync();
    await one.ask('second', 'The second');
    await one.sync();
    await other.sync();
    expect(await other.titles()).toEqual(['The first', 'The second']);
  });

  it('are compacted, and a machine that was away for long catches up', async () => {
    const [one, away] = [await machine(), await machine()];
    await one.ask('gone', 'Gone');
    await one.sync();
    await away.sync();
    await one.conversations.remove({ ids: ['gone'] });
    for (let at = 0; at <= 10; at++) {
      await one.conversations.set({ id: 'chat', title: `Title ${at}` });
      if (at === 0) await one.ask('chat', 'Kept');
      await one.sync();
    }
    const names = (await open().list()).filter(isEntry);
    expect(names.length).toBeLessThan(8);
    expect(names.some(isSnapshot)).toBe(true);
    await away.sync();
    expect(await away.titles()).toEqual(['Title 10']);
  });

  it('are whole in the store though an answer was being written as it was compacted', async () => {
    const one = await machine();
    await one.ask('chat', 'Hello');
    await one.sync();
    const answer = (await one.db.getAll('messages')).find(({ role }) => role === 'assistant')!;
    // As one that was stopped is by Continue.
    await one.db.put('messages', { ...answer, status: 'streaming' });
    for (let at = 0; at <= 5; at++) {
      await one.conversations.set({ id: 'chat', title: `Title ${at}` });
      await one.sync();
    }
    expect((await open().list()).some(isSnapshot)).toBe(true);
    await one.db.put('messages', answer);
    await one.sync();
    const other = await machine();
    await other.sync();
    expect(await other.said('chat')).toEqual(['Answer 0', 'Hello']);
  });
});
