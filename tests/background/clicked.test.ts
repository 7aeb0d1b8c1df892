import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createPageAttachments } from '../../entrypoints/background/page/page-attachments.ts';
import { AppError } from '../../lib/errors.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { NOW } from '../fakes/rows.ts';
import { startWorkerServers } from './rig.ts';

vi.mock('wxt/browser', () => ({ browser: {} }));

const url = 'https://a.example/tides';
const tab = { id: 7, windowId: 1, active: true, title: 'Tides', url };
const unread = new AppError({ code: 'nothing_read', message: 'Nothing is selected.' });

let db: Database;
beforeEach(async () => {
  db = await openDatabase(crypto.randomUUID());
});

/** @param text what is read of the page; undefined when nothing is. @param answers what its frames say to `fill` */
function start(
  text?: string,
  answers: (string | null)[] = [],
  more: { isUnseen?: true; fieldId?: string } = {},
) {
  const { attachments } = startWorkerServers(db);
  const reads: unknown[][] = [];
  const pages = {
    read: async (...asked: unknown[]) => {
      reads.push(asked);
      if (text === undefined) throw unread;
      return { title: 'Tides', text, tab, ...more };
    },
    find: async () => tab,
    call: async () => answers as never[],
  };
  const made = createPageAttachments(db, {
    pages,
    attachments,
    windowOf: async () => 8_192,
    now: () => NOW,
  });
  return { reads, attachments, ...made };
}
const click = (part: 'selection' | 'link' | 'image', text: string) => ({
  conversationId: 'c1',
  part,
  tabId: 7,
  given: { text, title: 'Tides', url },
});

describe('what was clicked', () => {
  it('is read as that selection, whatever else is selected later', async () => {
    const { attach, renew, reads, attachments } = start('**ebb** and flow');
    const { id } = await attach(click('selection', 'ebb and flow'));
    const asked = { readId: expect.any(String), clicked: 'ebb and flow', most: expect.any(Number) };
    expect(reads).toEqual([[{ tabId: 7 }, 'selection', asked]]);
    await renew([id]);
    expect(reads).toHaveLength(1);
    expect(await attachments.preview({ id })).toMatchObject({
      text: expect.stringContaining('>\n**ebb** and flow\n<'),
    });
  });

  it('is what the browser told where the page can’t be read, without invisible characters', async () => {
    const { attach, attachments } = start();
    const added = await attach(click('selection', 'ebb\u{E0041} and\u200B flow'));
    expect(added).toMatchObject({ title: 'Tides', source: { part: 'selection', url } });
    expect(await attachments.preview(added)).toMatchObject({
      text: expect.stringContaining('>\nebb and flow\n<'),
    });
  });

  it('is what the browser told where a reading finds nothing visible: the user selected it, so it was', async () => {
    const { attach, attachments } = start('[Left out: 12 characters.]', [], { isUnseen: true });
    const added = await attach(click('selection', 'ebb and flow'));
    expect(await attachments.preview(added)).toMatchObject({
      text: expect.stringContaining('>\nebb and flow\n<'),
    });
  });

  it('is a link’s address, for which nothing is read', async () => {
    const { attach, attachments, reads } = start('not this');
    const added = await attach(click('link', 'https://b.example/'));
    expect(await attachments.preview(added)).toMatchObject({
      text: expect.stringContaining('>\nhttps://b.example/\n<'),
    });
    expect(reads).toEqual([]);
  });

  it('is another one each time, of one page too', async () => {
    const { attach } = start();
    await attach(click('selection', 'ebb'));
    await attach(click('selection', 'flow'));
    expect(await db.count('attachments')).toBe(2);
  });

  it('without anything told is what is selected now, or nothing', async () => {
    await expect(start().attach({ conversationId: 'c1', part: 'selection', tabId: 7 })).rejects.toBe(unread);
    const linkAlone = { conversationId: 'c1', part: 'link', tabId: 7 } as const;
    await expect(start().attach(linkAlone)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('a form field', () => {
  it('is known to its page by what the attachment says, and read again by that', async () => {
    const { attach, renew, reads } = start('teh text', [], { fieldId: 'page-1@7' });
    const { id, source } = await attach({ conversationId: 'c1', part: 'field', tabId: 7 });
    expect(source).toMatchObject({ fieldId: 'page-1@7' });
    await renew([id]);
    expect(reads.at(-1)).toEqual([{ tabId: 7 }, 'field', expect.objectContaining({ readId: 'page-1@7' })]);
  });

  it.each([
    ['gone', [null, null], 'field_gone'],
    ['gone from its frame', [null, 'gone'], 'field_gone'],
    ['written into since', ['changed'], 'field_changed'],
  ])('that is %s is not filled, and it is said why', async (_what, answers, code) => {
    const worker = start('', answers);
    await expect(worker.fillField({ tabId: 7, fieldId: 'f1', text: 'the text' })).rejects.toMatchObject({
      code,
    });
  });

  it('is filled in whichever frame it is', async () => {
    const worker = start('', [null, 'filled']);
    const done = worker.fillField({ tabId: 7, fieldId: 'f1', text: 'the text' });
    await expect(done).resolves.toBeUndefined();
  });
});
