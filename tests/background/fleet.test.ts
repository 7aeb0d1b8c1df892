import 'fake-indexeddb/auto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createFleet } from '../../entrypoints/background/data/fleet.ts';
import { FREE, fleetKey, rules, setRules } from '../../lib/fleet/rules.ts';
import { loadNewChat } from '../../lib/storage/configuration/new-chat.ts';
import { setServerEnabled } from '../../lib/storage/configuration/servers.ts';
import { loadSetting, saveSettings } from '../../lib/storage/configuration/settings.ts';
import { openDatabase } from '../../lib/storage/database.ts';

const managed = vi.hoisted(() => ({ get: vi.fn<() => Promise<object>>() }));
vi.mock('wxt/browser', () => ({ browser: { storage: { managed } } }));

afterEach(() => setRules(FREE));

const gateway = {
  name: 'Gateway',
  preset: 'custom',
  baseUrl: 'https://ai.example/v1',
  model: 'm',
  apiKey: 'org-key',
};
const wiki = (url: string) => ({ mcpServers: { Wiki: { type: 'http', url, trusted: true } } });

async function start() {
  const db = await openDatabase(crypto.randomUUID());
  const fleet = createFleet(db);
  const read = (policy: object) => {
    managed.get.mockResolvedValueOnce(policy);
    return fleet.read();
  };
  return { db, fleet, read };
}

describe('an organisation’s policy', () => {
  it('is none in a Firefox that has none, and refuses there', async () => {
    const { fleet } = await start();
    managed.get.mockRejectedValueOnce(new Error('Managed storage manifest not found'));
    await fleet.read();
    expect(rules()).toBe(FREE);
  });

  it('sets up what new chats ask, with a key that is written nowhere', async () => {
    const { db, read } = await start();
    await read({ providers: [gateway] });
    const [provider] = await db.getAll('providers');
    expect(provider).toMatchObject({ name: 'Gateway', hasKey: false });
    expect((await loadNewChat(db)).providerId).toBe(provider?.id);
    expect(provider && fleetKey(provider)).toBe('org-key');
    await read({ providers: [{ ...gateway, name: '' }] });
    expect(fleetKey({ baseUrl: gateway.baseUrl })).toBeUndefined();
    await read({ providers: [gateway] });
    expect(await db.getAll('secrets')).toEqual([]);
    expect(JSON.stringify(await db.getAll('providers'))).not.toContain('org-key');
    await read({});
    expect(await db.getAll('providers')).toEqual([]);
    expect((await loadNewChat(db)).providerId).toBeNull();
  });

  it('leaves a server as the user has it while it says the same of it, and adds another one anew', async () => {
    const { db, read } = await start();
    await read(wiki('https://wiki.example/mcp'));
    const [first] = await db.getAll('servers');
    expect(first).toMatchObject({ name: 'Wiki', enabled: true, trusted: true });
    await setServerEnabled(db, first?.id ?? 0, false);
    expect(await read(wiki('https://wiki.example/mcp'))).toEqual({ gone: [] });
    expect(await db.getAll('servers')).toMatchObject([{ id: first?.id, enabled: false }]);
    expect(await read(wiki('https://other.example/mcp'))).toEqual({ gone: [first?.id] });
    expect(await db.getAll('servers')).toMatchObject([{ url: 'https://other.example/mcp', trusted: true }]);
  });

  it('with a mistake leaves what it set up, and writes none of it', async () => {
    const { db, read } = await start();
    await read(wiki('https://wiki.example/mcp'));
    await read({ ...wiki('ftp://wiki.example'), providers: [gateway] });
    expect(rules().fault).toBe('URL is not a web address.');
    expect(await db.getAll('providers')).toEqual([]);
    expect(await db.getAll('servers')).toMatchObject([{ url: 'https://wiki.example/mcp' }]);
  });

  it('with a mistake has the key of another address go to none that it set up before', async () => {
    const { db, read } = await start();
    await read({ providers: [gateway] });
    const moved = { ...gateway, baseUrl: 'https://other.example/v1', apiKey: 'other-key' };
    await read({ ...wiki('ftp://wiki.example'), providers: [moved] });
    const [provider] = await db.getAll('providers');
    expect(provider).toMatchObject({ baseUrl: gateway.baseUrl });
    expect(provider && fleetKey(provider)).toBeUndefined();
  });

  it('locks a setting as long as it has it; the user’s choice is kept', async () => {
    const { db, read } = await start();
    await saveSettings(db, { theme: 'light' });
    await read({ settings: { theme: 'dark' } });
    expect(await loadSetting(db, 'theme')).toBe('dark');
    await expect(saveSettings(db, { theme: 'system' })).rejects.toMatchObject({
      code: 'set_by_organisation',
    });
    await read({});
    expect(await loadSetting(db, 'theme')).toBe('light');
  });
});
