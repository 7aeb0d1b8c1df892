import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { covers, createSites } from '../../entrypoints/background/page/sites.ts';
import type { ServerInput } from '../../lib/protocol/servers.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import { putProvider } from '../../lib/storage/configuration/providers.ts';
import { putServer } from '../../lib/storage/configuration/servers.ts';
import { loadSetting, saveSettings } from '../../lib/storage/configuration/settings.ts';
import { input } from './rig.ts';

const granted = vi.hoisted(() => ({ origins: [] as string[], permissions: [] as string[] }));
vi.mock('wxt/browser', () => ({
  browser: {
    permissions: {
      getAll: async () => ({ origins: granted.origins, permissions: granted.permissions }),
      remove: async ({ origins = [], permissions = [] }: { origins?: string[]; permissions?: string[] }) => {
        if (origins.includes('https://fixed.example/*'))
          throw new Error('You cannot remove required permissions.');
        granted.origins = granted.origins.filter((origin) => !origins.includes(origin));
        granted.permissions = granted.permissions.filter((each) => !permissions.includes(each));
        return true;
      },
    },
    runtime: { getManifest: () => ({ host_permissions: ['https://fixed.example/*'] }) },
  },
}));

const program: ServerInput = {
  name: 'Local',
  enabled: true,
  toolTimeout: 1000,
  trusted: false,
  oneAtATime: false,
  transport: 'stdio',
  command: 'npx',
  args: [],
};

beforeEach(() => {
  granted.permissions = [];
  granted.origins = ['https://unused.example/*', 'http://127.0.0.1/*', 'https://fixed.example/*'];
});

async function start() {
  const db = await openDatabase(crypto.randomUUID());
  const id = await putServer(db, { ...input, url: 'http://127.0.0.1:3000/mcp' });
  await putProvider(db, {
    name: 'Local',
    preset: 'custom',
    baseUrl: 'http://127.0.0.1:11434/v1',
    model: 'm',
  });
  const reconnect = vi.fn<(of: { id: number }) => Promise<void>>(async () => {});
  const changed = vi.fn(async () => {});
  return { db, id, reconnect, changed, ...createSites(db, { reconnect, changed }) };
}

describe('the sites that the browser lets Portside reach', () => {
  it('are listed with what uses them', async () => {
    const { list } = await start();
    expect(await list()).toEqual([
      { origin: 'http://127.0.0.1/*', servers: ['Files'], providers: ['Local'], isFixed: false },
      { origin: 'https://fixed.example/*', servers: [], providers: [], isFixed: true },
      { origin: 'https://unused.example/*', servers: [], providers: [], isFixed: false },
    ]);
  });

  it('are given back, or it is said that the browser kept them', async () => {
    const { list, revoke } = await start();
    await revoke({ origin: 'https://unused.example/*' });
    expect(await list()).toHaveLength(2);
    await expect(revoke({ origin: 'https://fixed.example/*' })).rejects.toMatchObject({
      code: 'not_revoked',
    });
  });

  it('stand beside the names of open tabs, which can be taken back too', async () => {
    granted.permissions = ['alarms', 'tabs'];
    const { list, revoke } = await start();
    expect((await list()).map(({ origin }) => origin)).toContain('tabs');
    await revoke({ origin: 'tabs' });
    expect(granted.permissions).toEqual(['alarms']);
    expect((await list()).map(({ origin }) => origin)).not.toContain('tabs');
  });

  it('stand beside the starting of programs, with the servers that need it', async () => {
    granted.permissions = ['nativeMessaging'];
    const { db, list, revoke, gone, reconnect, id } = await start();
    const local = await putServer(db, { ...program, name: 'Local' });
    await putServer(db, { ...program, name: 'Off', enabled: false });
    expect((await list()).at(-1)).toEqual({
      origin: 'nativeMessaging',
      servers: ['Local', 'Off'],
      providers: [],
      isFixed: false,
    });
    await revoke({ origin: 'nativeMessaging' });
    expect(granted.permissions).toEqual([]);
    await gone({ permissions: ['nativeMessaging'] });
    expect(reconnect.mock.calls).toEqual([[{ id: local }]]);
    expect(id).not.toBe(local);
  });

  it('that are gone are noticed: their servers try again and say so, and nothing notifies any more', async () => {
    const { db, id, gone, reconnect, changed } = await start();
    await saveSettings(db, { notify: true });
    await gone({ origins: ['https://unused.example/*'] });
    expect(reconnect).not.toHaveBeenCalled();
    await gone({ origins: ['http://127.0.0.1/*'], permissions: ['notifications'] });
    expect(reconnect).toHaveBeenCalledWith({ id });
    expect(changed).toHaveBeenCalledTimes(2);
    expect(await loadSetting(db, 'notify')).toBe(false);
  });
});

it('a pattern covers every port of its host, and every host where it names none', () => {
  expect(covers('http://127.0.0.1/*', 'http://127.0.0.1:3000/mcp')).toBe(true);
  expect(covers('http://127.0.0.1/*', 'https://127.0.0.1/mcp')).toBe(false);
  expect(covers('https://*/*', 'https://example.com/')).toBe(true);
  expect(covers('*://example.com/*', 'http://example.com/')).toBe(true);
  expect(covers('https://example.com/*', 'https://example.com.evil.example/')).toBe(false);
  expect(covers('https://example.com/*', 'no address')).toBe(false);
  expect(covers('<all_urls>', 'https://example.com/')).toBe(true);
});
