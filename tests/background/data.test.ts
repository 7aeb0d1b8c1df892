import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createData } from '../../entrypoints/background/data/data.ts';
import { readSetup } from '../../entrypoints/background/subscribe/setup.ts';
import type { ChatListEvent, PanelEvent } from '../../lib/protocol/panel.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { writeEntry } from '../../lib/storage/chats/journal.ts';
import { putProvider } from '../../lib/storage/configuration/providers.ts';
import { deleteServer, putServer } from '../../lib/storage/configuration/servers.ts';
import { saveSettings } from '../../lib/storage/configuration/settings.ts';
import type { Run } from '../../lib/types/run.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { attachment, NOW, userMessage } from '../fakes/rows.ts';
import { input } from './rig.ts';

const granted = vi.hoisted(() => ({ origins: [] as string[], permissions: [] as string[] }));
vi.mock('wxt/browser', () => ({
  browser: {
    permissions: {
      getAll: async () => ({ origins: [...granted.origins], permissions: [...granted.permissions] }),
      remove: async ({ origins = [], permissions = [] }: Partial<typeof granted>) => {
        if (origins.includes('http://required.example/*') || permissions.includes('storage'))
          throw new Error('You cannot remove required permissions.');
        granted.origins = granted.origins.filter((each) => !origins.includes(each));
        granted.permissions = granted.permissions.filter((each) => !permissions.includes(each));
      },
    },
  },
}));

const DAY = 24 * 60 * 60 * 1000;
let db: Database;
let sent: (ChatListEvent | PanelEvent)[];
let stopped: string[];
let removed: number;

beforeEach(async () => {
  db = await openDatabase(crypto.randomUUID());
  sent = [];
  stopped = [];
  removed = 0;
});

const data = () =>
  createData(db, {
    runs: { stop: async ({ conversationId }) => void stopped.push(conversationId) },
    removeServer: async ({ id }) => deleteServer(db, id),
    removeElse: async () => void (removed += 1),
    changed: async () => {
      const setup = await readSetup(db, () => ({ state: 'disconnected', toolCount: 0 }));
      sent.push({ type: 'setup', revision: { epoch: 'e1', number: 1 }, setup });
    },
    send: (event) => void sent.push(event),
    estimate: async () => ({ usage: 5_000_000, quota: 9_000_000_000 }),
    now: () => NOW,
  });

const at = (days: number): string => new Date(NOW - days * DAY).toISOString();

const chat = (id: string, fields: object = {}) => ({
  id,
  title: 'A chat',
  createdAt: at(0),
  updatedAt: at(0),
  leafId: null,
  providerId: null,
  model: null,
  settings: {},
  ...fields,
});

const call = (callId: string, daysAgo: number, fields: Partial<ToolCall> = {}): ToolCall => ({
  callId,
  conversationId: 'c1',
  runId: 'r1',
  messageId: callId,
  position: 0,
  toolCallId: 'x',
  namespacedName: 'mcp__1__echo',
  toolName: 'echo',
  serverId: 1,
  serverName: 'Test server',
  arguments: '{}',
  annotations: {},
  status: 'success',
  result: { text: 'y'.repeat(1_000), isError: false },
  createdAt: at(daysAgo),
  ...fields,
});

const run = (id: string, conversationId: string, status: Run['status']): Run => ({
  id,
  conversationId,
  status,
  leafId: null,
  iteration: 0,
  resumes: 0,
  progressAt: at(0),
  startedAt: at(0),
});

async function fill(): Promise<void> {
  await writeEntry(db, {
    conversation: chat('c1'),
    message: userMessage('Hello', { attachments: [attachment('a1', 'z'.repeat(5_000))] }),
    draft: { conversationId: 'c1', text: 'half' },
    run: run('r1', 'c1', 'working'),
    runs: [run('r2', 'c2', 'queued'), run('r3', 'c3', 'ended')],
    calls: [call('t1', 40), call('t2', 10)],
  });
  await db.put('conversations', chat('c2', { archivedAt: at(1) }));
  await db.put('conversations', chat('c3', { deletedAt: at(0) }));
  await putServer(db, { ...input, headers: { 'X-Key': 'hush' } });
  await putProvider(db, { name: 'P', preset: 'custom', baseUrl: 'http://a/v1', model: 'm', apiKey: 'hush' });
  await saveSettings(db, { theme: 'dark' });
}

describe('the storage used', () => {
  it('is told by what takes it, with what the browser says', async () => {
    await fill();
    const used = await data().used();
    expect(used).toMatchObject({ total: 5_000_000, quota: 9_000_000_000, conversations: 2 });
    expect(used.attachments).toBeGreaterThan(5_000);
    expect(used.attachments).toBeLessThan(6_000);
    expect(used.results).toBeGreaterThan(2_000);
    expect(used.results).toBeLessThan(3_500);
    expect(used.oldResults).toBeGreaterThan(1_000);
    expect(used.oldResults).toBeLessThan(1_200);
    expect(used.chats).toBeGreaterThan(100);
  });

  it('is nothing on the first day', async () => {
    expect(await data().used()).toMatchObject({ chats: 0, results: 0, attachments: 0, oldResults: 0 });
  });

  it('is about right however much there is, though only some of it is read', async () => {
    const tx = db.transaction('messages', 'readwrite');
    for (let number = 0; number < 3_000; number++)
      void tx.store.put(
        userMessage('x'.repeat(number % 2 === 0 ? 100 : 1_100), { id: crypto.randomUUID(), seq: number }),
      );
    await tx.done;
    const get = vi.spyOn(IDBObjectStore.prototype, 'get');
    const { chats } = await data().used();
    expect(chats).toBeGreaterThan(3_000 * 600);
    expect(chats).toBeLessThan(3_000 * 1_000);
    expect(get.mock.calls.length).toBeLessThan(1_000);
  });
});

describe('erasing', () => {
  it('old results leaves the calls, what their chats read, and what is new', async () => {
    await fill();
    await db.put('toolCalls', call('own', 50, { conversationId: '' }));
    await db.put('toolCalls', call('open', 50, { status: 'running' }));
    expect(await data().erase({ what: 'results' })).toEqual({ count: 2 });
    expect(await db.get('toolCalls', 't1')).toMatchObject({ result: { text: '', dropped: true } });
    expect(await db.get('toolCalls', 't2')).toEqual(call('t2', 10));
    expect(await db.get('toolCalls', 'open')).toMatchObject({ result: { text: 'y'.repeat(1_000) } });
    expect(await db.get('toolCalls', 'own')).toBeUndefined();
    expect(await data().erase({ what: 'results' })).toEqual({ count: 0 });
    expect((await data().used()).oldResults).toBeLessThan(1_200);
  });

  it('old results goes through all of them, however many were made at one time', async () => {
    const tx = db.transaction('toolCalls', 'readwrite');
    for (let number = 0; number < 170; number++) void tx.store.put(call(`t${number}`, 40));
    await tx.done;
    await db.put('conversations', chat('c1'));
    expect(await data().erase({ what: 'results' })).toEqual({ count: 170 });
  });

  it('chats stops what goes on, removes all that belongs to them, tells the pages, and leaves the rest', async () => {
    await fill();
    expect(await data().erase({ what: 'chats' })).toEqual({ count: 2 });
    expect(stopped.toSorted()).toEqual(['c1', 'c2']);
    expect(sent).toEqual([{ type: 'conversations_gone', ids: ['c1', 'c2'] }]);
    const left: string[] = [];
    for (const name of db.objectStoreNames) if ((await db.count(name)) > 0) left.push(name);
    expect(left).toEqual(['providers', 'secrets', 'servers', 'settings']);
  });

  it('everything leaves what was there on the first day, and gives back what was granted as far as that goes', async () => {
    const first = await openDatabase(crypto.randomUUID());
    const setup = await readSetup(first, () => ({ state: 'disconnected', toolCount: 0 }));
    await fill();
    granted.origins = ['http://required.example/*', 'http://a/*', 'https://b/*'];
    granted.permissions = ['storage', 'nativeMessaging', 'tabs', 'notifications'];
    expect(await data().erase({ what: 'everything' })).toEqual({ count: 2 });
    for (const name of db.objectStoreNames) expect(await db.count(name)).toBe(0);
    expect(removed).toBe(1);
    expect(granted).toEqual({ origins: ['http://required.example/*'], permissions: ['storage'] });
    expect(sent.at(-1)).toMatchObject({ type: 'setup', setup });
  });

  it('is refused without a known scope', async () => {
    await fill();
    await expect(data().erase({ what: 'all' as never })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await db.count('conversations')).toBe(3);
  });
});
