import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPageAttachments } from '../../entrypoints/background/page/page-attachments.ts';
import { AppError } from '../../lib/errors.ts';
import { FREE, setRules } from '../../lib/fleet/rules.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { writeEntry } from '../../lib/storage/chats/journal.ts';
import { loadBefore } from '../../lib/storage/chats/messages.ts';
import { createReadMore } from '../../lib/tools/read-more.ts';
import type { PageContent } from '../../lib/types/page.ts';
import { userMessage } from '../fakes/rows.ts';
import { startWorkerServers } from './rig.ts';

vi.mock('wxt/browser', () => ({ browser: { permissions: { contains: async () => true } } }));

const url = 'https://example.com/a';
const tab = { id: 7, windowId: 1, active: true, title: 'A page', url };

let db: Database;
/** What the tab shows now, or why it can't be read. */
let shown: { url: string; content: PageContent } | AppError;
let reads: string[];
/** What its text is known by. */
let print: string;
/** How many bytes of it were wanted at most. */
let mosts: number[];
/** What the models of chats read, in tokens. */
const windows: Record<string, number> = { c1: 100_000, small: 4_096, huge: 1_000_000 };

function start() {
  const { attachments } = startWorkerServers(db);
  const read = async (_target: unknown, part: string, { most }: { most: number }) => {
    reads.push(part);
    mosts.push(most);
    if (shown instanceof AppError) throw shown;
    return { ...shown.content, tab: { ...tab, url: shown.url } };
  };
  const now = () => Date.parse('2026-11-22T10:00:00.000Z');
  const call = async () => [print];
  const find = async () => (shown instanceof AppError ? Promise.reject(shown) : { ...tab, url: shown.url });
  const pages = { read, call: call as never, find };
  const windowOf = async (conversationId: string) => {
    const window = windows[conversationId];
    if (window === undefined) throw new AppError({ code: 'no_provider', message: 'There is none.' });
    return window;
  };
  return { attachments, ...createPageAttachments(db, { pages, attachments, windowOf, now }) };
}
const shows = (text: string, more: Partial<PageContent> = {}) => {
  shown = { url, content: { title: 'A page', text, ...more } };
};
const add = ({ attach }: Pick<ReturnType<typeof start>, 'attach'>) =>
  attach({ conversationId: 'c1', part: 'page', tabId: 7 });

beforeEach(async () => {
  db = await openDatabase(crypto.randomUUID());
  reads = [];
  print = 'fair';
  mosts = [];
  shows('Fair weather');
});

describe('a page in a draft', () => {
  it('is read when it is added, and says where and when', async () => {
    const worker = start();
    const added = await add(worker);
    const at = '2026-11-22T10:00:00.000Z';
    expect(added).toMatchObject({
      title: 'A page',
      source: { type: 'page', part: 'page', tabId: 7, url, at },
    });
    expect(added.tokens).toBeGreaterThan(0);
    expect(reads).toEqual(['page']);
    expect(JSON.stringify(added)).not.toContain('Fair weather');
  });

  it('is read anew when it is sent or looked at, as long as its tab shows it', async () => {
    const worker = start();
    const { id } = await add(worker);
    shows('Rain');
    await worker.renew([id]);
    expect(await worker.attachments.preview({ id })).toMatchObject({
      text: expect.stringContaining('>\nRain\n<'),
    });
    shown = { url: 'https://example.com/other', content: { title: 'Another', text: 'Another page' } };
    await worker.renew([id]);
    shown = new AppError({ code: 'page_gone', message: 'This tab is closed.' });
    await worker.renew([id]);
    expect(await worker.attachments.preview({ id })).toMatchObject({
      text: expect.stringContaining('>\nRain\n<'),
    });
  });

  it('is told to have changed by its text and its address, and is read anew in its place when the user wants it', async () => {
    const worker = start();
    const { id, source } = await add(worker);
    const page = { id, tabId: 7, url, print: 'fair', isSent: false };
    expect(source).toMatchObject({ print: 'fair' });
    const changed = (more = {}) => worker.changed({ pages: [{ ...page, ...more }] });
    expect(await changed()).toEqual([]);
    print = 'rain';
    expect(await changed()).toEqual([id]);
    expect(await changed({ isSent: true })).toEqual([id]);
    shown = { url: 'https://example.com/b', content: { title: 'Another', text: 'Rain' } };
    print = 'fair';
    expect(await changed()).toEqual([id]);
    await worker.refresh({ id });
    expect((await db.get('attachments', id))?.source).toMatchObject({ url: 'https://example.com/b', print });
    expect(await worker.attachments.preview({ id })).toMatchObject({
      text: expect.stringContaining('>\nRain\n<'),
    });
    // Of another site nothing is told, and nothing is read anew.
    shown = { url: 'https://other.example/', content: { title: 'Other', text: 'Secret' } };
    print = 'other';
    expect(await changed()).toEqual([]);
    await worker.refresh({ id });
    expect(await db.get('attachments', id)).toMatchObject({ text: 'Rain', source: { print: 'fair' } });
    shown = new AppError({ code: 'page_gone', message: 'This tab is closed.' });
    expect(await changed()).toEqual([]);
    await expect(worker.refresh({ id })).rejects.toMatchObject({ code: 'page_gone' });
  });

  it('takes a quarter of what its chat’s model reads at the most, and never more than costs much', async () => {
    const worker = start();
    for (const conversationId of ['c1', 'small', 'huge', 'without a model'])
      await worker.attach({ conversationId, part: 'page', tabId: 7 });
    expect(mosts).toEqual([87_500, 3_584, 175_000, 28_672]);
    const [{ id } = { id: '' }] = await db.getAllFromIndex('attachments', 'by-conversation', 'small');
    await worker.renew([id]);
    expect(mosts.at(-1)).toBe(3_584);
  });

  it('is there once, however often it is added', async () => {
    const worker = start();
    const { id } = await add(worker);
    shows('Rain');
    expect((await add(worker)).id).toBe(id);
    expect(await db.count('attachments')).toBe(1);
  });

  it('that can’t be read is not added, and it is said why', async () => {
    shown = new AppError({ code: 'no_page_access', message: 'Not yet.' });
    await expect(add(start())).rejects.toMatchObject({ code: 'no_page_access' });
    expect(await db.count('attachments')).toBe(0);
  });

  it.each(['url', 'frameUrl'])(
    'is nothing of what was clicked where the policy lets nothing be read: %s',
    async (where) => {
      setRules({ ...FREE, sites: { allowed: ['example.com', 'pay.example'], forbidden: ['pay.example'] } });
      onTestFinished(() => setRules(FREE));
      shown = new AppError({ code: 'nothing_read', message: 'Nothing is selected.' });
      const { attach } = start();
      for (const part of ['selection', 'link', 'image', 'field'] as const) {
        const given = { text: 'Salary: 90,000', title: 'Pay', url, [where]: 'https://in.pay.example/' };
        const attached = attach({ conversationId: 'c1', part, tabId: 7, given });
        await expect(attached).rejects.toMatchObject({ code: 'set_by_organisation' });
      }
      expect(reads).toEqual([]);
      const given = { text: 'Fair', title: 'A page', url, frameUrl: 'about:srcdoc' };
      expect(await attach({ conversationId: 'c1', part: 'selection', tabId: 7, given })).toMatchObject({
        beginning: 'Fair',
      });
    },
  );

  it('is nothing that was clicked where Portside looks at nothing, as in a password’s field', async () => {
    shown = new AppError({ code: 'page_private', message: 'Portside does not read passwords.' });
    const { attach } = start();
    for (const part of ['selection', 'link'] as const) {
      const given = { text: '4111 1111 1111 1111', title: 'Pay', url };
      const attached = attach({ conversationId: 'c1', part, tabId: 7, given });
      await expect(attached).rejects.toMatchObject({ code: 'page_private' });
    }
    expect(await db.count('attachments')).toBe(0);
  });

  it('is nothing that a page may ask for in other words', async () => {
    const { attach } = start();
    const wrong = { conversationId: 'c1', part: 'cookies', tabId: 7 };
    await expect(attach(wrong as unknown as Parameters<typeof attach>[0])).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await expect(attach({ conversationId: 'c1', part: 'page' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    expect(reads).toEqual([]);
  });

  it('that was cut keeps all of it, which read_more finds once it is sent, on its branch', async () => {
    shows('The beginning', { whole: 'The beginning and the end' });
    expect(await add(start())).toMatchObject({ share: 0.52 });
    const [row] = await db.getAll('attachments');
    if (!row?.whole) throw new Error('Nothing was kept.');
    const { conversationId: _conversationId, ...attachment } = row;
    const message = { ...userMessage('Hi', { attachments: [attachment] }), conversationId: 'c1' };
    await writeEntry(db, { message });
    const { readId } = row.whole;
    const answer = { ...userMessage(''), conversationId: 'c1', role: 'assistant' as const, runId: 'r1' };
    await writeEntry(db, { message: { ...answer, id: 'a1', parentId: message.id, seq: 1 } });
    await writeEntry(db, { message: { ...answer, id: 'b1', parentId: null, seq: 1 } });
    const readMore = createReadMore({
      readCall: async () => undefined,
      messagesBefore: (wanted) => loadBefore(db, wanted),
    });
    const read = async (callId: string) => {
      const calling = { callId, conversationId: 'c1', originsRead: async () => [] };
      const { signal } = new AbortController();
      return (await readMore.run(calling, { result: readId }, { signal })).text;
    };
    expect(await read('a1.0')).toContain('The beginning and the end');
    await expect(read('b1.0')).rejects.toMatchObject({ code: 'no_result' });
  });
});
