import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createConversations } from '../../entrypoints/background/chat/conversations.ts';
import { createPurging, PURGE_ALARM } from '../../entrypoints/background/data/purging.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { NOW } from '../fakes/rows.ts';
import { says, scriptedModel } from '../fakes/scripted-model.ts';
import { runEvent, send, startWorker } from '../fakes/worker.ts';

const fake = vi.hoisted(() => ({ alarms: { create: vi.fn() } }));
vi.mock('wxt/browser', () => ({ browser: fake }));

let db: Database;

beforeEach(async () => {
  fake.alarms.create.mockReset();
  db = await openDatabase(crypto.randomUUID());
});

/** A chat `c1` with one answer. */
async function start(text = 'First') {
  const { runs, until } = startWorker({ db, model: scriptedModel(says('One'), says('Two')).model });
  await send(runs, text);
  await until(runEvent('run_end'));
  const deleted = vi.fn();
  return { runs, until, deleted, conversations: createConversations(db, { runs, deleted }) };
}

const title = async () => (await db.get('conversations', 'c1'))?.title;
const answerId = async () => (await db.get('conversations', 'c1'))?.leafId ?? '';

describe('the title that a user gives a chat', () => {
  it('is on one line, and not empty or without end', async () => {
    const { conversations } = await start();
    await conversations.set({ id: 'c1', title: '  Two\n words ' });
    expect(await title()).toBe('Two words');
    for (const wrong of ['', ' \n', 'x'.repeat(201), 7 as never])
      await expect(conversations.set({ id: 'c1', title: wrong })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    await conversations.set({ id: 'c1', title: 'x'.repeat(200) });
    expect(await title()).toHaveLength(200);
  });

  it('is the branch’s too, with a word that says so, once, and a number', async () => {
    const { conversations } = await start();
    const fork = async (conversationId: string, messageId: string) =>
      conversations.fork({ conversationId, messageId });
    const first = await fork('c2', await answerId());
    expect(first.title).toBe('First (branch)');
    expect((await fork('c3', first.leafId ?? '')).title).toBe('First (branch 2)');
    await conversations.set({ id: 'c1', title: 'x'.repeat(200) });
    const long = (await fork('c4', await answerId())).title;
    expect(long).toHaveLength(200);
    expect(long).toMatch(/x… \(branch\)$/);
  });
});

describe('another model for an answer', () => {
  it('must be one', async () => {
    const { conversations } = await start();
    const regenerate = async (choice: object) =>
      conversations.regenerate({ messageId: await answerId(), runId: 'r2', choice: choice as never });
    for (const wrong of [{ providerId: 'x', model: 'm' }, { providerId: 1 }, { providerId: 1, model: '' }])
      await expect(regenerate(wrong)).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await db.get('runs', 'r2')).toBeUndefined();
  });
});

describe('what was deleted', () => {
  it('is looked after at once, and for good when it can’t be had back any more', async () => {
    const { conversations, deleted } = await start();
    await conversations.deleteMessage({ messageId: await answerId() });
    await conversations.remove({ ids: ['c1'] });
    expect(deleted).toHaveBeenCalledTimes(2);
    let now = NOW + 9 * 60_000;
    const purged = vi.fn();
    const purge = createPurging(db, { now: () => now, changed: purged });
    purge();
    await vi.waitFor(() => expect(fake.alarms.create).toHaveBeenCalledOnce());
    expect(fake.alarms.create).toHaveBeenCalledWith(PURGE_ALARM, { delayInMinutes: 11 });
    expect(await db.count('conversations')).toBe(1);
    now += 2 * 60_000;
    purge();
    await vi.waitFor(async () => expect(await db.count('messages')).toBe(0));
    await vi.waitFor(() => expect(purged).toHaveBeenCalledTimes(2));
    expect(await db.count('conversations')).toBe(0);
    expect(fake.alarms.create).toHaveBeenCalledOnce();
  });
});
