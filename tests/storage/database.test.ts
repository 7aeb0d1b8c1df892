import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { STARTERS } from '../../lib/types/starter.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { writeEntry } from '../../lib/storage/chats/journal.ts';
import { nextIntent } from '../../lib/storage/chats/intents.ts';
import { countUse, grantFor, putGrant } from '../../lib/storage/configuration/grants.ts';
import { changeModel, modelRow } from '../../lib/storage/configuration/models.ts';
import { deleteProvider, providerSecrets, putProvider } from '../../lib/storage/configuration/providers.ts';
import { setTool, syncTools } from '../../lib/storage/configuration/tools.ts';
import { deleteServer, putServer, setServerEnabled } from '../../lib/storage/configuration/servers.ts';
import { loadNewChat } from '../../lib/storage/configuration/new-chat.ts';
import { loadSettings, saveSettings } from '../../lib/storage/configuration/settings.ts';
import { DEFAULT_SYSTEM } from '../../lib/types/default-system.ts';
import type { Run } from '../../lib/types/run.ts';
import { NOW, userMessage } from '../fakes/rows.ts';
import { storedSecrets } from '../fakes/secrets.ts';

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
  trusted: false,
  oneAtATime: false,
} as const;

describe('the database', () => {
  it('has every store that the worker uses', () => {
    expect([...db.objectStoreNames].toSorted()).toEqual([
      'assistants',
      'attachments',
      'conversations',
      'drafts',
      'files',
      'grants',
      'intents',
      'messages',
      'models',
      'notes',
      'projects',
      'prompts',
      'providers',
      'runs',
      'schedules',
      'secrets',
      'servers',
      'settings',
      'texts',
      'toolCalls',
      'tools',
      'unindexed',
    ]);
  });
});

describe('secrets', () => {
  it('keeps key and headers out of the provider’s row; empty removes the key, absent keeps both', async () => {
    const fields = {
      name: 'Local',
      preset: 'custom',
      baseUrl: 'http://127.0.0.1/v1',
      model: 'small',
    } as const;
    const headers = { 'X-Team': 'hush too' };
    const id = await putProvider(db, { ...fields, apiKey: 'hush', headers });
    await putProvider(db, { ...fields, id });
    expect(await db.get('providers', id)).toEqual({ ...fields, id, hasKey: true, headerNames: ['X-Team'] });
    expect(await providerSecrets(db, { ...fields, id })).toEqual({ apiKey: 'hush', headers });
    await putProvider(db, { ...fields, id, apiKey: '' });
    expect(await providerSecrets(db, { ...fields, id })).toEqual({ headers });
    await putProvider(db, { ...fields, id, apiKey: 'hush again' });
    await deleteProvider(db, id);
    expect(await db.getAll('providers')).toEqual([]);
    expect(await storedSecrets(db)).toEqual({});
  });
});

describe('a provider that moves', () => {
  const fields = { name: 'A', preset: 'custom', baseUrl: 'http://a.example/v1', model: 'm' } as const;
  const known = {
    found: { vision: true },
    learned: { dropped: ['top_p'] },
    chosen: { tools: true },
    shown: true,
  };

  it.each([
    ['to another origin', { baseUrl: 'http://b.example/v1' }, { found: {}, learned: {} }],
    ['to another kind', { preset: 'vllm' as const }, { found: {}, learned: {} }],
    ['to another API', { api: 'responses' as const }, { learned: {} }],
    ['nowhere', { baseUrl: 'http://a.example/v2', name: 'B' }, {}],
  ])('%s keeps of its models what the user said of them', async (_where, change, forgotten) => {
    const id = await putProvider(db, fields);
    const other = await putProvider(db, fields);
    for (const each of [id, other]) await changeModel(db, each, 'm', (row) => ({ ...row, ...known }));
    await putProvider(db, { ...fields, ...change, id });
    expect(await modelRow(db, id, 'm')).toMatchObject({ ...known, ...forgotten });
    const { found, learned } = { ...known, ...forgotten };
    expect(await modelRow(db, id, 'm').then((row) => [row.found, row.learned])).toEqual([found, learned]);
    expect(await modelRow(db, other, 'm')).toMatchObject(known);
  });
});

describe('a server', () => {
  it('that is switched on or off stays otherwise as it is saved at the same time', async () => {
    const id = await putServer(db, { ...server, toolTimeout: 1000 });
    const [switched] = await Promise.all([
      setServerEnabled(db, id, false),
      putServer(db, { ...server, id, enabled: false, name: 'Renamed', toolTimeout: 2000 }),
    ]);
    expect(switched).toMatchObject({ enabled: false });
    expect(await db.get('servers', id)).toMatchObject({ enabled: false, name: 'Renamed', toolTimeout: 2000 });
    expect(await setServerEnabled(db, 99, true)).toBeUndefined();
  });
});

describe('how the next chat is asked', () => {
  it('changes only what is given, also when something else changes at the same time', async () => {
    await Promise.all([
      writeEntry(db, { newChat: { providerId: 1, model: 'm' } }),
      writeEntry(db, { newChat: { settings: { temperature: 1 } } }),
    ]);
    expect(await loadNewChat(db)).toEqual({ providerId: 1, model: 'm', settings: { temperature: 1 } });
  });
});

describe('an entry', () => {
  it('is reported as written only when its transaction is complete', async () => {
    const complete = Promise.withResolvers<void>();
    const put = () => Promise.resolve('key');
    const transaction = () => ({ done: complete.promise, objectStore: () => ({ put }), commit: () => {} });
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

describe('a grant', () => {
  const given = { at: '2026-01-01T00:00:00.000Z', used: 0 };

  it('of the same definition keeps its origins and its count, and gets the new ones', async () => {
    const grant = { conversationId: 'c1', serverId: 1, toolName: 'fetch_url', fingerprint: 'a', given };
    const [a, b] = ['https://a.example', 'https://b.example'];
    await Promise.all([
      putGrant(db, { ...grant, given: { ...given, origins: [a] } }),
      putGrant(db, { ...grant, given: { ...given, origins: [b, a] } }),
    ]);
    await countUse(db, grant);
    await putGrant(db, grant);
    expect(await grantFor(db, 'c1', 1, 'fetch_url')).toMatchObject({
      given: { origins: [a, b], used: 1 },
    });
    await putGrant(db, { ...grant, fingerprint: 'b' });
    expect(await grantFor(db, 'c1', 1, 'fetch_url')).toEqual({ ...grant, fingerprint: 'b' });
  });

  it('holds for one tool in one chat, and goes with its server', async () => {
    const id = await putServer(db, { ...server, toolTimeout: 1000 });
    const grant = { conversationId: 'c1', serverId: id, toolName: 'echo', fingerprint: 'a', given };
    await putGrant(db, grant);
    await putGrant(db, { ...grant, fingerprint: 'b' });
    await putGrant(db, { ...grant, serverId: 99 });
    expect(await grantFor(db, 'c1', id, 'echo')).toEqual({ ...grant, fingerprint: 'b' });
    expect(await grantFor(db, 'c1', id, 'add')).toBeUndefined();
    expect(await grantFor(db, 'c2', id, 'echo')).toBeUndefined();
    await deleteServer(db, id);
    expect(await db.getAllKeys('grants')).toEqual([['c1', 99, 'echo']]);
  });

  it('and an Allow end when the server moves to another machine; a Block and other servers’ stay', async () => {
    const id = await putServer(db, { ...server, toolTimeout: 1000 });
    const listed = { offeredName: 'x', description: '', inputSchema: {}, annotations: {} };
    await syncTools(db, id, [
      { ...listed, name: 'echo' },
      { ...listed, name: 'blocked' },
    ]);
    await setTool(db, id, 'echo', { permission: 'allow', enabled: false });
    await setTool(db, id, 'blocked', { permission: 'block' });
    const grant = { conversationId: 'c1', serverId: id, toolName: 'add', fingerprint: 'a', given };
    await putGrant(db, grant);
    await putGrant(db, { ...grant, serverId: 99 });
    const { origin } = new URL(server.url);
    await putServer(db, { ...server, id, url: `${origin}/another/path`, toolTimeout: 1000 });
    expect(await db.get('tools', [id, 'echo'])).toMatchObject({ permission: 'allow' });
    expect(await db.count('grants')).toBe(2);
    await putServer(db, { ...server, id, url: 'http://elsewhere.example/mcp', toolTimeout: 1000 });
    const echo = await db.get('tools', [id, 'echo']);
    expect(echo).toMatchObject({ enabled: false });
    expect(echo).not.toHaveProperty('permission');
    expect(await db.get('tools', [id, 'blocked'])).toMatchObject({ permission: 'block' });
    expect(await db.getAllKeys('grants')).toEqual([['c1', 99, 'add']]);
  });
});

describe('an intent', () => {
  const createdAt = new Date(NOW).toISOString();
  const intent = { id: 'i1', windowId: 1, text: 'ask this', asks: true, createdAt };

  it('is given out in its turn, until it is ended, and not at all when it is stale', async () => {
    await db.put('intents', { ...intent, id: 'stale', createdAt: new Date(NOW - 3_600_000).toISOString() });
    await db.put('intents', { ...intent, id: 'later', createdAt: new Date(NOW + 1).toISOString() });
    await db.put('intents', { ...intent, id: 'fresh' });
    expect(await nextIntent(db, 1, NOW)).toMatchObject({ id: 'fresh', text: 'ask this' });
    expect(await nextIntent(db, 1, NOW)).toMatchObject({ id: 'fresh' });
    await db.delete('intents', 'fresh');
    expect(await nextIntent(db, 1, NOW)).toMatchObject({ id: 'later' });
    expect(await db.getAllKeys('intents')).toEqual(['later']);
  });

  it('whose run has begun is not given out again, even if it was not ended', async () => {
    await db.put('intents', intent);
    await db.put('runs', { id: intent.id, conversationId: intent.id } as Run);
    expect(await nextIntent(db, 1, NOW)).toBeNull();
    expect(await db.count('intents')).toBe(0);
  });

  it('waits for the panel of the window in which it was left', async () => {
    await db.put('intents', { ...intent, windowId: 2 });
    expect(await nextIntent(db, 1, NOW)).toBeNull();
    expect(await nextIntent(db, 2, NOW)).toMatchObject({ windowId: 2 });
  });
});

describe('settings', () => {
  it.each([
    ['maxIterations', 0, 1],
    ['maxIterations', 7, 7],
    ['maxIterations', 500, 50],
    ['maxIterations', Number.NaN, 25],
    ['maxTools', -1, 1],
    ['maxTools', 2000, 1000],
    ['maxToolShare', 0, 1],
    ['maxToolShare', 99, 90],
  ] as const)('take %s %s as %s', async (name, wanted, kept) => {
    await saveSettings(db, { [name]: wanted });
    expect((await loadSettings(db))[name]).toBe(kept);
  });

  it('are the defaults until they are chosen, and each stays as it was when another changes', async () => {
    const defaults = {
      system: DEFAULT_SYSTEM,
      maxIterations: 25,
      language: 'browser',
      theme: 'system',
      textSize: 'normal',
      enterSends: true,
      whileLive: 'queue',
      atEntry: 'ask',
      askBox: false,
      panelScope: 'window',
      makeTitles: true,
      actionPictures: true,
      notify: false,
      memory: false,
      schedulesPaused: false,
      tierPermissions: { reads: 'allow', writes: 'ask', sends: 'ask', destructive: 'ask' },
      maxTools: 128,
      maxToolShare: 10,
      blockedSites: '',
      maxLoggedCalls: 5000,
      lockAfter: '8h',
      registryUrl: 'https://registry.modelcontextprotocol.io',
      starters: Object.fromEntries(STARTERS.map((id) => [id, {}])),
      seenHints: [],
    };
    expect(await loadSettings(db)).toEqual(defaults);
    await saveSettings(db, { theme: 'dark' });
    await saveSettings(db, { maxTools: 40 });
    expect(await loadSettings(db)).toEqual({ ...defaults, theme: 'dark', maxTools: 40 });
  });

  it.each([
    ['language', 'tlh', 'browser'],
    ['theme', 'neon', 'system'],
    ['textSize', 'larger', 'larger'],
    ['textSize', 12, 'normal'],
    ['enterSends', false, false],
    ['enterSends', 'no', true],
    ['whileLive', 'now', 'now'],
    ['panelScope', 'tab', 'tab'],
    ['panelScope', {}, 'window'],
    ['makeTitles', null, true],
    ['notify', true, true],
    ['notify', 'yes', false],
  ] as const)('take %s %o as %s', async (name, wanted, kept) => {
    await saveSettings(db, { [name]: wanted });
    expect(await db.get('settings', name)).toBe(kept);
    expect((await loadSettings(db))[name]).toBe(kept);
  });

  const untouched = Object.fromEntries(STARTERS.map((id) => [id, {}]));

  it.each([
    ['starters', { explain: { text: ' ', isOff: 'yes' }, other: { isOff: true } }, untouched],
    [
      'starters',
      { rewrite: { isOff: true, text: 'Shorter.' } },
      { ...untouched, rewrite: { isOff: true, text: 'Shorter.' } },
    ],
    ['seenHints', ['keyword', 'none'], ['keyword']],
  ] as const)('take of %s %o what is known', async (name, wanted, kept) => {
    await saveSettings(db, { [name]: wanted });
    expect((await loadSettings(db))[name]).toEqual(kept);
  });

  it('keep each tier’s permission when others are changed, at once too', async () => {
    const chosen = [{ reads: 'ask' }, { writes: 'block' }, { sends: 'allow' }] as const;
    await Promise.all(chosen.map((tierPermissions) => saveSettings(db, { tierPermissions })));
    const { tierPermissions } = await loadSettings(db);
    expect(tierPermissions).toEqual({ reads: 'ask', writes: 'block', sends: 'allow', destructive: 'ask' });
  });

  it('keep each starter when others are changed, at once too', async () => {
    const chosen = [
      { explain: { isOff: true } },
      { rewrite: { text: 'Shorter.' } },
      { explain: {} },
    ] as const;
    await Promise.all(chosen.map((starters) => saveSettings(db, { starters })));
    expect((await loadSettings(db)).starters).toEqual({ ...untouched, rewrite: { text: 'Shorter.' } });
  });

  it('keep nothing that is none of them', async () => {
    await saveSettings(db, { apiKey: 'hush' } as never);
    expect(await db.getAllKeys('settings')).not.toContain('apiKey');
  });
});
