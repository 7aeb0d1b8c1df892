import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createOriginRule } from '../../entrypoints/background/servers/origin-rule.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { deleteProvider, putProvider } from '../../lib/storage/configuration/providers.ts';
import { putServer } from '../../lib/storage/configuration/servers.ts';

type Rule = { id: number; condition: { urlFilter: string } };
type Update = { removeRuleIds: number[]; addRules: Rule[] };

const fake = vi.hoisted(() => ({
  rules: [] as Rule[],
  declarativeNetRequest: {
    getSessionRules: async () => fake.rules,
    updateSessionRules: vi.fn(async ({ removeRuleIds, addRules }: Update) => {
      fake.rules = [...fake.rules.filter(({ id }) => !removeRuleIds.includes(id)), ...addRules];
    }),
  },
  runtime: { getURL: (path: string) => `chrome-extension://portside${path}` },
}));
vi.mock('wxt/browser', () => ({ browser: fake }));

let db: Database;
let databases = 0;

beforeEach(async () => {
  vi.clearAllMocks();
  fake.rules = [];
  db = await openDatabase(`origin-rule-${++databases}`);
});

const updates = () => fake.declarativeNetRequest.updateSessionRules.mock.calls.map(([update]) => update);
const filters = () => fake.rules.map(({ condition }) => condition.urlFilter);

const provider = { name: 'A', preset: 'custom', model: 'm' } as const;
const server = {
  name: 'Notes',
  transport: 'streamable-http',
  url: 'https://notes.example/mcp',
  enabled: true,
  toolTimeout: 1,
  trusted: false,
  oneAtATime: false,
} as const;

describe('the rule for Origin headers', () => {
  it('is of Portside’s own requests to what is set up, and of nothing else', async () => {
    await putProvider(db, { ...provider, baseUrl: 'http://192.168.1.5:11434/v1' });
    await putServer(db, server);
    const { url: _url, transport: _transport, ...common } = server;
    await putServer(db, { ...common, transport: 'stdio', command: 'npx', args: [] }); // has no host
    await createOriginRule(db).update();
    const action = { type: 'modifyHeaders', requestHeaders: [{ header: 'origin', operation: 'remove' }] };
    const of = { initiatorDomains: ['portside'], resourceTypes: ['xmlhttprequest', 'other'] };
    expect(fake.rules).toEqual([
      { id: 1, action, condition: { urlFilter: '|http://192.168.1.5:11434/', ...of } },
      { id: 2, action, condition: { urlFilter: '|https://notes.example/', ...of } },
    ]);
  });

  it('follows what is set up, and goes when nothing is', async () => {
    const { update } = createOriginRule(db);
    const id = await putProvider(db, { ...provider, baseUrl: 'http://127.0.0.1:1/v1' });
    await update();
    await update(); // nothing changed: the browser is left alone
    await deleteProvider(db, id);
    await update();
    expect(updates()).toHaveLength(2);
    expect(filters()).toEqual([]);
  });

  it('replaces those of the worker before', async () => {
    await putServer(db, server);
    await createOriginRule(db).update();
    await createOriginRule(db).update();
    expect(filters()).toEqual(['|https://notes.example/']);
  });

  it('also holds for origins that are asked before they are set up, only while they are', async () => {
    const rule = createOriginRule(db);
    const seen = await rule.whileAsking(['http://localhost:8080/v1'], async () => filters());
    expect(seen).toEqual(['|http://localhost:8080/']);
    await rule
      .whileAsking(['http://a.example'], () => Promise.reject(new Error('no')))
      .catch(() => undefined);
    await rule.update();
    expect(filters()).toEqual([]);
  });

  it('holds for no request of a sign-in', async () => {
    await putServer(db, server);
    const rule = createOriginRule(db);
    await rule.update();
    const seen = await rule.whileSigningIn('https://notes.example/token', async () => filters());
    expect(seen).toEqual([]);
    await rule.update();
    expect(filters()).toEqual(['|https://notes.example/']);
  });

  it('that the browser refuses stops nothing', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    fake.declarativeNetRequest.updateSessionRules.mockRejectedValueOnce(new Error('no'));
    const rule = createOriginRule(db);
    expect(await rule.whileAsking(['http://localhost'], async () => 'asked')).toBe('asked');
  });
});
