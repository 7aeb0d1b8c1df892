import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFollowing } from '../../entrypoints/background/chat/following.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { deleteAttachment, putAttachment } from '../../lib/storage/chats/attachments.ts';
import type { AttachmentSource } from '../../lib/types/attachment.ts';

const LONG = 60_000;
const NOTE = 'note://today';

let db: Database;
let reads: PromiseWithResolvers<void>[];

beforeEach(async () => {
  db = await openDatabase(crypto.randomUUID());
  reads = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => void vi.useRealTimers());

const from = (uri: string): AttachmentSource => ({ type: 'resource', serverId: 1, serverName: 'Notes', uri });
const attach = (id: string, source: AttachmentSource) =>
  putAttachment(db, { id, conversationId: 'c1', title: 'Note', source, text: '', tokens: 1 });

async function follow() {
  const subscribeResources = vi.fn();
  const reread = vi.fn(() => {
    const read = Promise.withResolvers<void>();
    reads.push(read);
    return read.promise;
  });
  const following = createFollowing(db, { servers: { offer: () => undefined, subscribeResources }, reread });
  await following.watch();
  return { ...following, reread, subscribeResources };
}

describe('a resource that a draft holds', () => {
  it('is read once at a time, and once more for all that its server said meanwhile', async () => {
    await attach('a', from(NOTE));
    const { updated, reread } = await follow();
    for (let said = 0; said < 5; said++) updated(1, NOTE);
    await vi.advanceTimersByTimeAsync(LONG);
    expect(reread).toHaveBeenCalledTimes(1);
    for (let said = 0; said < 5; said++) {
      updated(1, NOTE);
      await vi.advanceTimersByTimeAsync(LONG);
    }
    expect(reread).toHaveBeenCalledTimes(1);
    reads[0]?.resolve();
    await vi.advanceTimersByTimeAsync(LONG);
    expect(reread).toHaveBeenCalledTimes(2);
    reads[1]?.resolve();
    await vi.advanceTimersByTimeAsync(LONG);
    expect(reread).toHaveBeenCalledTimes(2);
  });

  it('is followed on after a read that failed', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    await attach('a', from(NOTE));
    const { updated, reread } = await follow();
    updated(1, NOTE);
    await vi.advanceTimersByTimeAsync(LONG);
    reads[0]?.reject(new Error('Gone'));
    await vi.advanceTimersByTimeAsync(LONG);
    updated(1, NOTE);
    await vi.advanceTimersByTimeAsync(LONG);
    expect([reread.mock.calls.length, warn.mock.calls.length]).toEqual([2, 1]);
    warn.mockRestore();
  });

  it('is not read once it is taken out, and neither is one without an attachment', async () => {
    await attach('a', from(NOTE));
    const { updated, watch, reread, subscribeResources } = await follow();
    updated(1, NOTE);
    updated(1, 'note://other');
    await deleteAttachment(db, 'a');
    await watch();
    await vi.advanceTimersByTimeAsync(LONG);
    expect(reread).not.toHaveBeenCalled();
    expect(subscribeResources.mock.calls).toEqual([
      [1, [NOTE]],
      [1, []],
    ]);
  });

  it('is subscribed to whatever its address begins with; what only a prompt has is not', async () => {
    await attach('a', from('prompt:plan'));
    await attach('b', { type: 'prompt', serverId: 2, serverName: 'Other', name: 'plan' });
    const { subscribeResources } = await follow();
    expect(subscribeResources.mock.calls).toEqual([[1, ['prompt:plan']]]);
  });
});
