import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { userMessage as messageOf } from '../../../lib/agent/context/history.ts';
import { copyBranch } from '../../../lib/runs/commands/fork.ts';
import { withAttachments } from '../../../lib/runs/attachments.ts';
import {
  attachmentsById,
  deleteAttachment,
  type DraftAttachment,
  putAttachment,
} from '../../../lib/storage/chats/attachments.ts';
import { writeEntry } from '../../../lib/storage/chats/journal.ts';
import { purgeDeleted } from '../../../lib/storage/chats/purge.ts';
import { readUsage } from '../../../lib/storage/chats/usage.ts';
import { openDatabase } from '../../../lib/storage/database.ts';
import { eraseChats } from '../../../lib/storage/erase.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { NOW } from '../../fakes/rows.ts';

let db: Database;
let databases = 0;
const at = new Date(NOW).toISOString();
const later = new Date(NOW + 1).toISOString();

beforeEach(async () => {
  db = await openDatabase(`storage-files-${++databases}`);
});

const attachment = (id: string, conversationId = 'c1'): DraftAttachment => ({
  id,
  conversationId,
  title: 'a.pdf',
  source: { type: 'file', name: 'a.pdf', size: 3 },
  text: 'Words',
  tokens: 1,
});
const bytes = new Blob([new Uint8Array([0, 255, 7])], { type: 'application/pdf' });
const kept = () => db.getAllKeys('files');

/** Sends a draft's attachment. @returns the message */
async function sent(id: string, conversationId = 'c1') {
  const attachments = await attachmentsById(db, [id]);
  const text = { id: `${conversationId}.${id}`, text: 'Look', attachments };
  const message = messageOf(conversationId, undefined, text, at);
  const chat = { title: '', createdAt: at, updatedAt: at, providerId: null, model: null, settings: {} };
  const conversation = { ...chat, id: conversationId, leafId: message.id };
  await writeEntry(db, { conversation, message, attached: [id] });
  return { conversation, message };
}

describe('an attached file', () => {
  it('is kept as it was, byte for byte, with its type', async () => {
    expect(await putAttachment(db, attachment('1'), bytes)).toMatchObject({ fileId: '1' });
    const file = await db.get('files', '1');
    expect([...new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer())]).toEqual([0, 255, 7]);
    expect([file?.type, (await readUsage(db, at)).attachments]).toEqual([
      'application/pdf',
      expect.any(Number),
    ]);
  });

  it('counts in what attachments take', async () => {
    await putAttachment(db, attachment('1'));
    const before = (await readUsage(db, at)).attachments;
    await putAttachment(db, attachment('1'), new Blob(['x'.repeat(5_000)]));
    expect((await readUsage(db, at)).attachments).toBeGreaterThan(before + 4_999);
  });

  it('goes with its attachment when that is taken out of a draft', async () => {
    for (const id of ['1', '2']) await putAttachment(db, attachment(id), bytes);
    await deleteAttachment(db, '1');
    expect(await kept()).toEqual(['2']);
  });

  it('stays while a message can be restored, and goes with it for good', async () => {
    await putAttachment(db, attachment('1'), bytes);
    const { message } = await sent('1');
    expect(message.files).toEqual(['1']);
    await db.put('messages', { ...message, deletedAt: later });
    await purgeDeleted(db, at);
    expect(await kept()).toEqual(['1']);
    await purgeDeleted(db, later);
    expect(await kept()).toEqual([]);
  });

  it('stays while what is queued has it', async () => {
    await putAttachment(db, attachment('1'), bytes);
    const attachments = await attachmentsById(db, ['1']);
    const run = { id: 'r1', conversationId: 'c1', leafId: null, iteration: 0, resumes: 0 } as const;
    const queued = { id: 'm1', text: '', attachments, order: 0, steer: false };
    const row = { ...run, status: 'queued', progressAt: at, startedAt: at, queued } as const;
    await writeEntry(db, { run: row, attached: ['1'] });
    await purgeDeleted(db, at);
    expect(await kept()).toEqual(['1']);
    await writeEntry(db, { run: { ...row, status: 'ended' } });
    await purgeDeleted(db, at);
    expect(await kept()).toEqual([]);
  });

  it('is shared by a message that is written anew and by a chat that is branched off, and goes with the last of them', async () => {
    await putAttachment(db, attachment('1'), bytes);
    const { conversation, message } = await sent('1');
    let ids = 0;
    const newId = () => `new${++ids}`;
    const anew = await withAttachments(
      { newId, store: {} as never },
      { id: 'm2', text: 'Look again' },
      message.attachments,
    );
    const edited = messageOf('c1', undefined, anew, at);
    const { messages } = await copyBranch({ calls: async () => [] }, [message], 'c2', newId);
    await writeEntry(db, { messages: [edited, ...messages] });
    await writeEntry(db, { conversation: { ...conversation, id: 'c2', leafId: messages[0]?.id ?? null } });
    expect(edited.attachments?.[0]).toMatchObject({ fileId: '1', id: expect.stringMatching(/^new/) });
    await db.put('messages', { ...message, deletedAt: at });
    await purgeDeleted(db, at);
    expect(await kept()).toEqual(['1']);
    await db.put('conversations', { ...conversation, deletedAt: at });
    await purgeDeleted(db, at);
    expect(await kept()).toEqual(['1']);
    await db.put('conversations', { ...conversation, id: 'c2', deletedAt: at });
    await purgeDeleted(db, at);
    expect(await kept()).toEqual([]);
  });

  it('goes when all chats are erased', async () => {
    await putAttachment(db, attachment('1'), bytes);
    await eraseChats(db);
    expect(await kept()).toEqual([]);
  });
});
