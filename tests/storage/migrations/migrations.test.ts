import { startingWith } from '../../../lib/storage/schema.ts';
import 'fake-indexeddb/auto';
import { type IDBPDatabase, openDB, type OpenDBCallbacks } from 'idb';
import { expect, it, vi } from 'vitest';
import { nonceOf } from '../../../lib/storage/chats/nonce.ts';
import { repairDamaged } from '../../../lib/storage/damaged.ts';
import { openDatabase } from '../../../lib/storage/database.ts';
import { loadNewChat } from '../../../lib/storage/configuration/new-chat.ts';
import { queuedRuns } from '../../../lib/storage/chats/runs.ts';
import { indexChanges } from '../../../lib/storage/search/index.ts';
import { searchTexts } from '../../../lib/storage/search/query.ts';
import { serverWithSecrets } from '../../../lib/storage/configuration/server-secrets.ts';
import { NOW } from '../../fakes/rows.ts';
import { storedSecrets } from '../../fakes/secrets.ts';

const at = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();

/** A database as version 1 of the schema made it, kept here as it was released. */
async function version1(name: string) {
  return openDB(name, 1, {
    upgrade(db) {
      db.createObjectStore('conversations', { keyPath: 'id' }).createIndex('by-updated', 'updatedAt');
      db.createObjectStore('messages', { keyPath: 'id' }).createIndex('by-place', [
        'conversationId',
        'seq',
        'sub',
      ]);
      const runs = db.createObjectStore('runs', { keyPath: 'id' });
      runs.createIndex('by-status', 'status');
      runs.createIndex('by-conversation', ['conversationId', 'startedAt']);
      const calls = db.createObjectStore('toolCalls', { keyPath: 'callId' });
      calls.createIndex('by-message', ['messageId', 'position']);
      calls.createIndex('by-conversation', 'conversationId');
      db.createObjectStore('servers', { keyPath: 'id', autoIncrement: true });
      db.createObjectStore('tools', { keyPath: ['serverId', 'name'] });
      db.createObjectStore('providers', { keyPath: 'id', autoIncrement: true });
      db.createObjectStore('settings');
      db.createObjectStore('secrets');
      db.createObjectStore('drafts');
      db.createObjectStore('intents', { keyPath: 'id' });
    },
  });
}

const conversation = {
  id: 'c1',
  title: 'Hello',
  createdAt: at(0),
  updatedAt: at(0),
  leafId: 'u1',
  providerId: 1,
};
const message = {
  id: 'u1',
  conversationId: 'c1',
  parentId: null,
  seq: 0,
  sub: 0,
  timestamp: at(0),
  status: 'complete',
  role: 'user',
  content: 'Hello',
};
const run = { conversationId: 'c1', leafId: 'u1', iteration: 0, resumes: 0, progressAt: at(0) };
const server = {
  id: 1,
  name: 'Files',
  transport: 'sse',
  url: 'http://127.0.0.1/sse',
  enabled: true,
  toolTimeout: 1000,
  headerNames: ['X-Key'],
};
const tool = {
  serverId: 1,
  offeredName: 'mcp__1__tool',
  description: '',
  inputSchema: {},
  annotations: {},
  enabled: true,
  present: true,
};
const provider = { id: 1, name: 'Local', baseUrl: 'http://127.0.0.1/v1', model: 'small', hasKey: true };

async function filled(name: string) {
  const old = await version1(name);
  await old.put('conversations', conversation);
  await old.put('messages', message);
  await old.put('runs', { ...run, id: 'live', status: 'waiting', startedAt: at(0) });
  // By id the second one would come first: the queue went by the time.
  await old.put('runs', {
    ...run,
    id: 'z',
    status: 'queued',
    startedAt: at(1),
    queuedText: 'First',
    queuedMessageId: 'm1',
  });
  await old.put('runs', { ...run, id: 'a', status: 'queued', startedAt: at(2), queuedText: 'Second' });
  await old.put('servers', server);
  for (const permission of ['ask', 'allow', 'block'])
    await old.put('tools', { ...tool, name: permission, permission });
  await old.put('providers', provider);
  await old.put('secrets', 'hush', 'provider:1:apiKey');
  await old.put('settings', 1, 'defaultProviderId');
  await old.put('settings', 20, 'maxIterations');
  await old.put('drafts', 'half a word', 'c1');
  old.close();
}

it('a database of version 1 keeps everything and gains what later versions know', async () => {
  await filled('from-1');
  const db = await openDatabase('from-1');
  expect([...db.objectStoreNames]).toEqual(
    expect.arrayContaining(['models', 'assistants', 'grants', 'attachments']),
  );
  expect(await db.getAll('conversations')).toEqual([{ ...conversation, model: null, settings: {} }]);
  expect(await db.getAll('messages')).toEqual([message]);
  expect(await db.getAll('servers')).toEqual([{ ...server, trusted: false, oneAtATime: false }]);
  expect(await db.getAll('providers')).toEqual([{ ...provider, preset: 'custom', headerNames: [] }]);
  expect(await db.getAll('tools')).toEqual([
    { ...tool, name: 'allow', permission: 'allow' },
    { ...tool, name: 'ask' },
    { ...tool, name: 'block', permission: 'block' },
  ]);
  expect(await storedSecrets(db)).toEqual({ 'provider:1:apiKey': 'hush' });
  expect(await db.get('drafts', 'c1')).toBe('half a word');
  expect(await loadNewChat(db)).toEqual({ providerId: 1, model: null, settings: {} });
  expect((await db.getAllKeys('settings')).toSorted()).toEqual(['maxIterations', 'newChat']);
  while (await indexChanges(db)) continue;
  const { hits } = await searchTexts(db, { text: 'hello' });
  expect(hits.map(({ messageId }) => messageId).toSorted()).toEqual(['u1', undefined]);
  expect(await db.put('assistants', { name: 'Short', ...(await loadNewChat(db)) } as never)).toBe(1);
});

it('what was queued in version 1 is sent in the same order', async () => {
  await filled('queue-from-1');
  const db = await openDatabase('queue-from-1');
  const queued = await queuedRuns(db, 'c1');
  expect(queued.map((each) => each.queued)).toEqual([
    { id: 'm1', text: 'First', order: 0, steer: false },
    { id: 'a.message', text: 'Second', order: 1, steer: false },
  ]);
  expect(queued[0]).toEqual({
    ...run,
    id: 'z',
    status: 'queued',
    startedAt: at(1),
    queued: queued[0]?.queued,
  });
  expect(await db.get('runs', 'live')).toEqual({ ...run, id: 'live', status: 'waiting', startedAt: at(0) });
});

/** The stores as version 2 of the schema made them, kept here as they were released. */
function storesOfVersion2(db: IDBPDatabase) {
  const conversations = db.createObjectStore('conversations', { keyPath: 'id' });
  conversations.createIndex('by-updated', 'updatedAt');
  const messages = db.createObjectStore('messages', { keyPath: 'id' });
  messages.createIndex('by-place', ['conversationId', 'seq', 'sub']);
  const runs = db.createObjectStore('runs', { keyPath: 'id' });
  runs.createIndex('by-status', 'status');
  runs.createIndex('by-conversation', ['conversationId', 'startedAt']);
  const calls = db.createObjectStore('toolCalls', { keyPath: 'callId' });
  calls.createIndex('by-message', ['messageId', 'position']);
  calls.createIndex('by-conversation', 'conversationId');
  db.createObjectStore('servers', { keyPath: 'id', autoIncrement: true });
  db.createObjectStore('tools', { keyPath: ['serverId', 'name'] });
  db.createObjectStore('providers', { keyPath: 'id', autoIncrement: true });
  db.createObjectStore('models', { keyPath: ['providerId', 'id'] });
  db.createObjectStore('assistants', { keyPath: 'id', autoIncrement: true });
  db.createObjectStore('grants', { keyPath: ['conversationId', 'serverId', 'toolName'] });
  db.createObjectStore('settings');
  db.createObjectStore('secrets');
  db.createObjectStore('drafts');
  db.createObjectStore('intents', { keyPath: 'id' });
  return { calls, conversations, messages };
}

const version2 = (name: string) => openDB(name, 2, { upgrade: (db) => void storesOfVersion2(db) });

/** Version 3: attachments of drafts, and the tool log in its order. */
function storesOfVersion3(db: IDBPDatabase) {
  const stores = storesOfVersion2(db);
  stores.calls.createIndex('by-created', ['createdAt', 'callId']);
  db.createObjectStore('attachments', { keyPath: 'id' }).createIndex('by-conversation', 'conversationId');
  return stores;
}

const version3 = (name: string) => openDB(name, 3, { upgrade: (db) => void storesOfVersion3(db) });

/** Version 4: what is searched, prompts, and chats that are pinned, archived or deleted. */
function storesOfVersion4(db: IDBPDatabase): void {
  const { conversations, messages } = storesOfVersion3(db);
  const texts = db.createObjectStore('texts', { keyPath: 'place' });
  texts.createIndex('by-word', 'words', { multiEntry: true });
  texts.createIndex('by-conversation', 'conversationId');
  texts.createIndex('by-id', 'id');
  db.createObjectStore('unindexed', { autoIncrement: true });
  db.createObjectStore('prompts', { keyPath: 'id', autoIncrement: true });
  conversations.createIndex('by-pinned', 'pinnedAt');
  conversations.createIndex('by-archived', 'archivedAt');
  conversations.createIndex('by-deleted', 'deletedAt');
  messages.createIndex('by-deleted', 'deletedAt');
}

const version4 = (name: string) => openDB(name, 4, { upgrade: storesOfVersion4 });
/** Version 5 has the stores of version 4. */
const version5 = (name: string) => openDB(name, 5, { upgrade: storesOfVersion4 });
/** So has version 6, whose secrets are encrypted. */
const version6 = (name: string) => openDB(name, 6, { upgrade: storesOfVersion4 });
type UpgradeOf = NonNullable<OpenDBCallbacks<unknown>['upgrade']>;
function storesOfVersion7(...[db, _from, _to, tx]: Parameters<UpgradeOf>): void {
  storesOfVersion4(db);
  db.createObjectStore('files');
  tx.objectStore('messages').createIndex('by-file', 'files', { multiEntry: true });
}
const version7 = (name: string) => openDB(name, 7, { upgrade: storesOfVersion7 });
const version8 = (name: string) =>
  openDB(name, 8, {
    upgrade(...given) {
      storesOfVersion7(...given);
      given[0].createObjectStore('schedules', { keyPath: 'id', autoIncrement: true });
    },
  });

const version9 = (name: string) =>
  openDB(name, 9, {
    upgrade(...given) {
      storesOfVersion7(...given);
      for (const store of ['schedules', 'notes'])
        given[0].createObjectStore(store, { keyPath: 'id', autoIncrement: true });
    },
  });

const call = {
  conversationId: 'c1',
  runId: 'r1',
  position: 0,
  toolCallId: 'call_1',
  namespacedName: 'mcp__1__tool',
  toolName: 'tool',
  serverId: 1,
  serverName: 'Files',
  arguments: '{}',
  annotations: {},
  status: 'success',
};

it.each([
  ['1', version1],
  ['2', version2],
])('the calls of version %s come into the log in the order of their messages', async (version, create) => {
  const old = await create(`log-from-${version}`);
  await old.put('messages', { ...message, id: 'first', timestamp: at(1) });
  await old.put('messages', { ...message, id: 'second', timestamp: at(2) });
  await old.put('toolCalls', { ...call, callId: 'b.0', messageId: 'first', startedAt: at(9) });
  await old.put('toolCalls', { ...call, callId: 'a.0', messageId: 'second' });
  await old.put('toolCalls', { ...call, callId: 'c.0', messageId: 'gone', startedAt: at(3) });
  await old.put('toolCalls', { ...call, callId: 'd.0', messageId: 'gone' });
  old.close();
  const db = await openDatabase(`log-from-${version}`);
  const logged = await db.getAllFromIndex('toolCalls', 'by-created');
  expect(logged.map(({ callId, createdAt }) => [callId, createdAt])).toEqual([
    ['d.0', new Date(0).toISOString()],
    ['b.0', at(1)],
    ['a.0', at(2)],
    ['c.0', at(3)],
  ]);
  expect(logged[1]).toEqual({
    ...call,
    callId: 'b.0',
    messageId: 'first',
    startedAt: at(9),
    createdAt: at(1),
  });
});

it('a database of version 2 keeps everything', async () => {
  const old = await version2('from-2');
  const rows = {
    conversations: { ...conversation, model: null, settings: { temperature: 1 } },
    messages: message,
    servers: { ...server, trusted: true, oneAtATime: false },
    tools: { ...tool, name: 'tool', permission: 'allow' },
    providers: { ...provider, preset: 'custom', headerNames: [] },
    grants: { conversationId: 'c1', serverId: 1, toolName: 'tool', fingerprint: 'a' },
  };
  for (const [store, row] of Object.entries(rows)) await old.put(store, row);
  await old.put('secrets', { 'X-Key': 'hush' }, 'server:1:headers');
  await old.put('settings', 20, 'maxIterations');
  await old.put('drafts', 'half a word', 'c1');
  old.close();
  const db = await openDatabase('from-2');
  for (const [store, row] of Object.entries(rows))
    expect(await db.getAll(store as keyof typeof rows)).toEqual([row]);
  expect(await serverWithSecrets(db, 1)).toMatchObject({ secrets: { headers: { 'X-Key': 'hush' } } });
  expect(await db.get('drafts', 'c1')).toBe('half a word');
  expect(await db.getAll('attachments')).toEqual([]);
  expect(await repairDamaged(db, '')).toBe(0);
});

it('a database of version 3 keeps everything, and is searched', async () => {
  const old = await version3('from-3');
  const attached = { id: 'a1', conversationId: 'c1', title: 'notes.txt', text: 'Buy milk' };
  const rows = {
    conversations: { ...conversation, model: null, settings: {} },
    messages: message,
    toolCalls: { ...call, callId: 'm1.0', messageId: 'm1', createdAt: at(1) },
    attachments: attached,
  };
  for (const [store, row] of Object.entries(rows)) await old.put(store, row);
  old.close();
  const db = await openDatabase('from-3');
  for (const [store, row] of Object.entries(rows))
    expect(await db.getAll(store as keyof typeof rows)).toEqual([row]);
  expect(await db.getAllFromIndex('messages', 'by-deleted')).toEqual([]);
  expect([await db.count('prompts'), await db.count('texts')]).toEqual([0, 0]);
  while (await indexChanges(db)) continue;
  const { hits } = await searchTexts(db, { text: 'hello' });
  expect(hits.map(({ messageId }) => messageId).toSorted()).toEqual(['u1', undefined]);
});

async function contentsOf(db: IDBPDatabase, stores: string[]): Promise<Record<string, unknown[]>> {
  const contents = stores.map(async (store) => [store, await db.getAll(store)] as const);
  return Object.fromEntries(await Promise.all(contents));
}

it.each([
  ['4', version4],
  ['5', version5],
  ['6', version6],
  ['7', version7],
  ['8', version8],
  ['9', version9],
])(
  'a database of version %s keeps everything, pinned and deleted chats and the index among it',
  async (version, create) => {
    const old = await create(`from-${version}`);
    const pinned = { ...conversation, model: null, settings: {}, pinnedAt: at(2) };
    const rows: Record<string, unknown> = {
      conversations: pinned,
      messages: { ...message, deletedAt: at(3) },
      runs: { ...run, id: 'r1', status: 'done', startedAt: at(0) },
      toolCalls: { ...call, callId: 'm1.0', messageId: 'm1', createdAt: at(1) },
      servers: { ...server, trusted: true, oneAtATime: false },
      tools: { ...tool, name: 'tool', permission: 'allow' },
      providers: { ...provider, preset: 'custom', headerNames: [] },
      models: { providerId: 1, id: 'small', chosen: { vision: true }, learned: {} },
      assistants: { id: 1, name: 'Short', providerId: 1, model: null, settings: {} },
      grants: { conversationId: 'c1', serverId: 1, toolName: 'tool', fingerprint: 'a' },
      attachments: { id: 'a1', conversationId: 'c1', title: 'notes.txt', text: 'Buy milk' },
      intents: { id: 'i1', type: 'open' },
      prompts: { id: 1, name: 'Short', text: 'Make it short' },
      texts: { place: -NOW * 1024, id: 'c1', conversationId: 'c1', kind: 'title', words: ['hello'] },
      schedules: { id: 1, key: 'k', name: 'News', text: 'What is new?' },
      notes: { id: 1, text: 'Prefers tea' },
    };
    /** Of the stores whose rows do not hold their key. */
    const values = { files: 'a file', settings: 20, secrets: 'known', drafts: 'half a word' };
    const stores = [...old.objectStoreNames];
    const keys: Record<string, string> = { settings: 'maxIterations', secrets: 'nonce' };
    for (const [store, row] of Object.entries(rows)) if (stores.includes(store)) await old.put(store, row);
    for (const [store, value] of Object.entries(values))
      if (stores.includes(store)) await old.put(store, value, keys[store] ?? 'f1');
    const before = await contentsOf(old, stores);
    // What has changed since it was searched is empty where nothing has.
    expect(stores.filter((store) => before[store]?.length === 0)).toEqual(['unindexed']);
    old.close();
    const db = await openDatabase(`from-${version}`);
    expect(await contentsOf(db as unknown as IDBPDatabase, stores)).toEqual(before);
    expect(await db.getAllFromIndex('conversations', 'by-pinned')).toEqual([pinned]);
    expect(await db.getAllFromIndex('messages', 'by-deleted')).toHaveLength(1);
    expect(await db.count('unindexed')).toBe(0);
    expect((await searchTexts(db, { text: 'hello' })).hits).toMatchObject([{ id: 'c1' }]);
    await db.put('messages', { ...message, files: ['f1'] } as never);
    expect(await db.countFromIndex('messages', 'by-file', 'f1')).toBe(1);
    for (const store of ['files', 'schedules', 'notes', 'projects'] as const)
      expect(await db.count(store)).toBe(stores.includes(store) ? 1 : 0);
    await db.put('conversations', { ...pinned, project: 'k' } as never);
    expect(await db.countFromIndex('conversations', 'by-project', startingWith('k'))).toBe(1);
  },
);

it('a database of version 4 whose search had not got through its older chats finds all of them', async () => {
  const old = await version4('unfinished-4');
  await old.put('conversations', { ...conversation, model: null, settings: {} });
  for (let seq = 0; seq < 25; seq++)
    await old.put('messages', {
      ...message,
      id: `m${seq}`,
      seq,
      timestamp: at(seq),
      content: `Hello ${seq}`,
    });
  await old.put('texts', { place: -1, id: 'm3', conversationId: 'c1', kind: 'message', words: ['hello'] });
  await old.put('settings', { store: 'messages', after: 'm3' }, 'searchBackfill');
  old.close();
  const db = await openDatabase('unfinished-4');
  expect(await db.getAllKeys('settings')).toEqual([]);
  while (await indexChanges(db)) continue;
  expect(await db.count('texts')).toBe(26);
  expect((await searchTexts(db, { text: 'hello 3' })).hits).toMatchObject([{ id: 'm3' }]);
});

const plain = {
  'provider:1:apiKey': 'hush',
  'provider:1:headers': { 'X-Team': 'hush too' },
  'server:1:headers': { 'X-Key': 'hush' },
  'server:2:env': { TOKEN: 'hush' },
  'server:1:oauth': { issuers: { 'https://id.example': { metadata: {}, tokens: { accessToken: 'hush' } } } },
};

async function withSecrets(name: string) {
  const old = await version5(name);
  for (const [key, value] of Object.entries(plain)) await old.put('secrets', value, key);
  await old.put('secrets', 'known', 'nonce');
  old.close();
}

it('the secrets of version 5 are encrypted and work, and the nonce of its chats stays', async () => {
  await withSecrets('secrets-from-5');
  const db = await openDatabase('secrets-from-5');
  const { nonce, ...stored } = await storedSecrets(db);
  expect(stored).toEqual(plain);
  expect(nonce).toBeUndefined();
  expect(await db.get('secrets', 'nonce')).toBe('known');
  expect(await nonceOf(db, 'c1')).toMatch(/^[\da-f]{8}$/);
  for (const name of Object.keys(plain)) expect(await db.get('secrets', name)).toHaveProperty('sealed');
});

it('an upgrade that breaks off leaves the secrets as they were, and the next one encrypts them', async () => {
  await withSecrets('broken-off-5');
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const encrypt = crypto.subtle.encrypt.bind(crypto.subtle);
  let calls = 0;
  vi.spyOn(crypto.subtle, 'encrypt').mockImplementation((...given) =>
    ++calls === 3 ? Promise.reject(new Error('Out of memory')) : encrypt(...given),
  );
  await expect(openDatabase('broken-off-5')).rejects.toMatchObject({ name: 'AbortError' });
  vi.restoreAllMocks();
  const old = await version5('broken-off-5');
  for (const [name, value] of Object.entries(plain)) expect(await old.get('secrets', name)).toEqual(value);
  old.close();
  expect(await storedSecrets(await openDatabase('broken-off-5'))).toMatchObject(plain);
});
