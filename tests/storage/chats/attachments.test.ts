import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type DraftAttachment,
  deleteAttachment,
  draftAttachments,
  findAttachment,
  putAttachment,
  renewAttachment,
} from '../../../lib/storage/chats/attachments.ts';
import { openDatabase } from '../../../lib/storage/database.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { writeEntry } from '../../../lib/storage/chats/journal.ts';
import { createRunStore } from '../../../lib/storage/chats/run-store.ts';
import { NOW, userMessage } from '../../fakes/rows.ts';

let db: Database;
let databases = 0;

beforeEach(async () => {
  db = await openDatabase(`storage-attachments-${++databases}`);
});

const at = new Date(NOW).toISOString();
const attachment = (id: string, fields: Partial<DraftAttachment> = {}): DraftAttachment => ({
  id,
  conversationId: 'c1',
  title: 'Notes',
  source: { type: 'resource', serverId: 1, serverName: 'Files', uri: `file:///${id}` },
  text: `text of ${id}`,
  tokens: 5,
  ...fields,
});

describe('what a draft carries', () => {
  it('is told without its content, in the order of its ids', async () => {
    for (const id of ['2', '1', '3']) await putAttachment(db, attachment(id));
    await putAttachment(db, attachment('0', { conversationId: 'c2' }));
    const carried = await draftAttachments(db, 'c1');
    expect(carried.map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(JSON.stringify(carried)).not.toContain('text of');
    expect(await deleteAttachment(db, '2')).toBe('c1');
    expect(await deleteAttachment(db, '2')).toBeUndefined();
    expect(await draftAttachments(db, 'c1')).toHaveLength(2);
  });

  it.each([
    ['## Ships\n\n- Read [the *list*](/list) of\n  all `ships`', 'Ships Read the list of all ships'],
    [`> ${'Tides follow. '.repeat(20)}`, `${'Tides follow. '.repeat(20).slice(0, 80)}…`],
    ['1 - 2 = -1', '1 - 2 = -1'],
    ['![](x.png)', undefined],
  ])('of a selection it says how that begins, in plain words: %j', async (text, beginning) => {
    const source = { type: 'page', part: 'selection', tabId: 1, url: 'https://a.example/', at } as const;
    await putAttachment(db, attachment('1', { text, source }));
    await putAttachment(db, attachment('2', { text, source: { ...source, part: 'page' } }));
    const [selection, page] = await draftAttachments(db, 'c1');
    expect([selection?.beginning, page?.beginning]).toEqual([beginning, undefined]);
  });

  it('tells no share of what a file says was cut, and is empty', async () => {
    await putAttachment(db, attachment('1', { text: '', whole: { readId: 'r', text: '' } }));
    expect((await draftAttachments(db, 'c1'))[0]).not.toHaveProperty('share');
  });

  it('goes into a message whole, in the order that was asked for, and is in the draft no more', async () => {
    for (const id of ['1', '2']) await putAttachment(db, attachment(id));
    const { attachments } = createRunStore(db);
    const sent = await attachments(['2', 'gone', '1']);
    expect(sent.map(({ text }) => text)).toEqual(['text of 2', 'text of 1']);
    expect(sent[0]).not.toHaveProperty('conversationId');
    await writeEntry(db, { message: userMessage('Look', { attachments: sent }), attached: ['1', '2'] });
    expect(await db.count('attachments')).toBe(0);
    await writeEntry(db, { returned: [attachment('1')] });
    expect(await draftAttachments(db, 'c1')).toHaveLength(1);
  });

  it('is not brought back by what was read anew when it was sent meanwhile', async () => {
    expect(await renewAttachment(db, attachment('1'))).toBe(false);
    expect(await db.count('attachments')).toBe(0);
    await putAttachment(db, attachment('1'));
    expect(await renewAttachment(db, attachment('1', { text: 'new' }))).toBe(true);
    expect(await db.get('attachments', '1')).toMatchObject({ text: 'new' });
  });
});

describe('an attachment is found', () => {
  const { conversationId: _, ...sent } = attachment('1');

  it('in a draft', async () => {
    await putAttachment(db, attachment('1'));
    expect(await findAttachment(db, '1')).toMatchObject({ text: 'text of 1' });
  });

  it('in what is queued', async () => {
    const run = { id: 'r1', conversationId: 'c1', leafId: null, iteration: 0, resumes: 0 } as const;
    const queued = { id: 'm1', text: '', attachments: [sent], order: 0, steer: false };
    await db.put('runs', { ...run, status: 'queued', progressAt: at, startedAt: at, queued });
    expect(await findAttachment(db, '1')).toMatchObject({ text: 'text of 1' });
  });

  it('in what was sent, in any conversation', async () => {
    for (const id of ['c1', 'c2'])
      await db.put('conversations', {
        id,
        title: '',
        createdAt: at,
        updatedAt: at,
        leafId: null,
        providerId: null,
        model: null,
        settings: {},
      });
    await db.put('messages', userMessage('Look', { attachments: [sent] }));
    expect(await findAttachment(db, '1')).toEqual(sent);
    expect(await findAttachment(db, '2')).toBeUndefined();
  });
});
