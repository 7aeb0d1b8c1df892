import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createOriginRule } from '../../entrypoints/background/servers/origin-rule.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { deleteProvider, putProvider } from '../../lib/storage/configuration/providers.ts';
import { putServer } from '../../lib/storage/configuration/servers.ts';

type Update = { removeRuleIds: number[]; addRules: { condition: { requestDomains: string[] } }[] };

const fake = vi.hoisted(() => ({
  declarativeNetRequest: { updateSessionRules: vi.fn(async (_update: Update) => {}) },
  runtime: { getURL: (path: string) => `chrome-extension://portside${path}` },
}));
vi.mock('wxt/browser', () => ({ browser: fake }));

let db: Database;
let databases = 0;

beforeEach(async () => {
  vi.clearAllMocks();
  db = await openDatabase(`origin-rule-${++databases}`);
});

const updates = () => fake.declarativeNetRequest.updateSessionRules.mock.calls.map(([update]) => update);
const hosts = () =>
  updates().map(({ addRules }) => addRules.flatMap(({ condition }) => condition.requestDomains));

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
    expect(updates()).toEqual([
      {
        removeRuleIds: [1],
        addRules: [
          {
            id: 1,
            action: { type: 'modifyHeaders', requestHeaders: [{ header: 'origin', operation: 'remove' }] },
            condition: {
              requestDomains: ['192.168.1.5', 'notes.example'],
              initiatorDomains: ['portside'],
              resourceTypes: ['xmlhttprequest', 'other'],
            },
          },
        ],
      },
    ]);
  });

  it('follows what is set up, and goes when nothing is', async () => {
    const { update } = createOriginRule(db);
    const id = await putProvider(db, { ...provider, baseUrl: 'http://127.0.0.1:1/v1' });
    await update();
    await update(); // nothing changed: the browser is left alone
    await deleteProvider(db, id);
    await update();
    expect(hosts()).toEqual([['127.0.0.1'], []]);
  });

  it('also holds for hosts that are asked before they are set up, only while they are', async () => {
    const rule = createOriginRule(db);
    const seen = await rule.whileAsking(['localhost'], async () => hosts().at(-1));
    expect(seen).toEqual(['localhost']);
    await rule.whileAsking(['a.example'], () => Promise.reject(new Error('no'))).catch(() => undefined);
    await rule.update();
    expect(hosts().at(-1)).toEqual([]);
  });

  it('that the browser refuses stops nothing', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    fake.declarativeNetRequest.updateSessionRules.mockRejectedValueOnce(new Error('no'));
    const rule = createOriginRule(db);
    expect(await rule.whileAsking(['localhost'], async () => 'asked')).toBe('asked');
  });
});
