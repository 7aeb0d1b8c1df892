import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../lib/storage/database.ts';
import { writeEntry } from '../../lib/storage/journal.ts';
import { putIntent, takeIntent } from '../../lib/storage/intents.ts';
import { loadMessages, loadPath } from '../../lib/storage/messages.ts';
import { deleteProvider, providerKey, putProvider } from '../../lib/storage/providers.ts';
import { deleteServer, putServer, serverHeaders } from '../../lib/storage/servers.ts';
import { loadSettings, saveSettings } from '../../lib/storage/settings.ts';
import { setTool, syncTools } from '../../lib/storage/tools.ts';
import { NOW, outline, userMessage } from '../fakes/rows.ts';

let db: Database;
let databases = 0;

beforeEach(async () => {
  db = await openDatabase(`storage-${++databases}`);
});

const server = {
  name: 'Files',
  transport: 'streamable-http',
  url: 'http://127.0.0.1/mcp',
  enabled: true,
} as const;

describe('version 1', () => {
  it('has every store that the worker uses', () => {
    expect([...db.objectStoreNames].toSorted()).toEqual([
      'conversations',
      'drafts',
      'intents',
      'messages',
      'providers',
      'runs',
      'secrets',
      'servers',
      'settings',
      'toolCalls',
      'tools',
    ]);
  });
});

describe('secrets', () => {
  it('keeps header values out of the server’s row, and a later save without headers keeps them', async () => {
    const id = await putServer(db, { ...server, toolTimeout: 1000, headers: { 'X-Key': 'hush' } });
    await putServer(db, { ...server, id, toolTimeout: 2000 });
    const row = await db.get('servers', id);
    expect(JSON.stringify(row)).not.toContain('hush');
    expect(row).toMatchObject({ headerNames: ['X-Key'], toolTimeout: 2000 });
    expect(await serverHeaders(db, id)).toEqual({ 'X-Key': 'hush' });
    await deleteServer(db, id);
    expect(await db.getAllKeys('secrets')).toEqual([]);
  });

  it('keeps the API key out of the provider’s row; empty removes it, absent keeps it', async () => {
    const fields = { name: 'Local', baseUrl: 'http://127.0.0.1/v1', model: 'small' };
    const id = await putProvider(db, { ...fields, apiKey: 'hush' });
    await putProvider(db, { ...fields, id });
    expect(await db.get('providers', id)).toEqual({ ...fields, id, hasKey: true });
    expect(await providerKey(db, id)).toBe('hush');
    await putProvider(db, { ...fields, id, apiKey: '' });
    expect(await providerKey(db, id)).toBeUndefined();
    await putProvider(db, { ...fields, id, apiKey: 'hush again' });
    await deleteProvider(db, id);
    expect(await db.getAll('providers')).toEqual([]);
    expect(await db.getAllKeys('secrets')).toEqual([]);
  });
});

describe('an entry', () => {
  it('is reported as written only when its transaction is complete', async () => {
    const complete = Promise.withResolvers<void>();
    const put = () => Promise.resolve('key');
    const transaction = () => ({ done: complete.promise, objectStore: () => ({ put }) });
    const written = writeEntry({ transaction } as unknown as Database, { message: userMessage('Hello') });
    const first = await Promise.race([
      written.then(() => 'written'),
      new Promise((resolve) => setTimeout(resolve, 20)),
    ]);
    expect(first).toBeUndefined();
    complete.resolve();
    await written;
  });
});

describe('tools', () => {
  const listed = { offeredName: 'mcp__1__tool', description: '', inputSchema: {}, annotations: {} };

  it('keep the person’s choices over a reconnect and an absence; a new tool is on and asks', async () => {
    await syncTools(db, 1, [{ name: 'echo', ...listed }]);
    await setTool(db, 1, 'echo', { enabled: false, permission: 'allow' });
    await syncTools(db, 1, [{ name: 'add', ...listed }]);
    expect(await db.getAll('tools')).toMatchObject([
      { name: 'add', enabled: true, permission: 'ask', present: true },
      { name: 'echo', enabled: false, permission: 'allow', present: false },
    ]);
    await syncTools(db, 1, [{ name: 'echo', ...listed }]);
    expect(await db.get('tools', [1, 'echo'])).toMatchObject({
      enabled: false,
      permission: 'allow',
      present: true,
    });
  });
});

describe('messages', () => {
  it('come as the branch that ends in a leaf, with the tool results that hang on it', async () => {
    const rows = [
      userMessage('one'),
      { ...userMessage('two'), id: 'a1', parentId: 'u1', seq: 1, role: 'assistant' as const, runId: 'r1' },
      {
        ...userMessage('result'),
        id: 't',
        parentId: 'a1',
        seq: 1,
        sub: 1,
        role: 'tool' as const,
        tool_call_id: 'c',
        name: 'n',
      },
      {
        ...userMessage('elsewhere'),
        id: 'a2',
        parentId: 'u1',
        seq: 1,
        role: 'assistant' as const,
        runId: 'r2',
      },
      userMessage('three', { id: 'u2', parentId: 'a1', seq: 2 }),
    ];
    for (const row of rows) await db.put('messages', row);
    expect(outline(await loadPath(db, 'c1', 'u2'))).toEqual([
      'user: one',
      'assistant: two',
      'tool: result',
      'user: three',
    ]);
    expect(outline(await loadPath(db, 'c1', 'a2'))).toEqual(['user: one', 'assistant: elsewhere']);
  });

  it('come in pages, newest last, and the last page says that there are no older ones', async () => {
    for (let seq = 0; seq < 5; seq += 1)
      await db.put('messages', userMessage(`${seq}`, { id: `u${seq}`, seq }));
    const last = await loadMessages(db, 'c1', 3);
    expect([outline(last.messages), last.hasOlder]).toEqual([['user: 2', 'user: 3', 'user: 4'], true]);
    const first = await loadMessages(db, 'c1', 3, { seq: 2, sub: 0 });
    expect([outline(first.messages), first.hasOlder]).toEqual([['user: 0', 'user: 1'], false]);
  });
});

describe('an intent', () => {
  it('is given out once, and not at all when it is stale', async () => {
    await putIntent(db, { id: 'stale', text: 'old' }, NOW - 3_600_000);
    await putIntent(db, { id: 'fresh', text: 'ask this' }, NOW);
    const taken = await Promise.all([takeIntent(db, 1, NOW), takeIntent(db, 1, NOW)]);
    expect(taken.filter((intent) => intent !== null)).toMatchObject([{ id: 'fresh', text: 'ask this' }]);
    expect(await db.count('intents')).toBe(0);
  });

  it('waits for the panel of the window in which it was left', async () => {
    await putIntent(db, { id: 'here', text: 'ask this', windowId: 2 }, NOW);
    expect(await takeIntent(db, 1, NOW)).toBeNull();
    expect(await takeIntent(db, 2, NOW)).toMatchObject({ id: 'here' });
  });
});

describe('settings', () => {
  it.each([
    [0, 1],
    [7, 7],
    [500, 50],
    [Number.NaN, 10],
  ])('take %s iterations as %s', async (wanted, kept) => {
    await saveSettings(db, { maxIterations: wanted });
    expect((await loadSettings(db)).maxIterations).toBe(kept);
  });
});
