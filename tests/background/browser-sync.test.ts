import 'fake-indexeddb/auto';
import { beforeEach, expect, it, vi } from 'vitest';
import { createBrowserSync } from '../../entrypoints/background/data/browser-sync.ts';
import { createPrompts } from '../../entrypoints/background/chat/prompts.ts';
import { loadSetting, saveSettings } from '../../lib/storage/configuration/settings.ts';
import { openDatabase } from '../../lib/storage/database.ts';

/** The one that the browser keeps the same on all machines. */
const area = vi.hoisted(() => new Map<string, unknown>());
const setAccessLevel = vi.hoisted(() => vi.fn<(access: { accessLevel: string }) => Promise<void>>());
vi.mock('wxt/browser', () => ({
  browser: {
    storage: {
      sync: {
        setAccessLevel,
        get: async () => Object.fromEntries(area),
        set: async (items: object) => Object.entries(items).forEach(([key, value]) => area.set(key, value)),
        remove: async (keys: string[]) => keys.forEach((key) => area.delete(key)),
      },
    },
  },
}));
beforeEach(() => area.clear());

async function machine(changed: () => Promise<void> = async () => {}) {
  const db = await openDatabase(crypto.randomUUID());
  const prompts = createPrompts(db, changed);
  const sync = createBrowserSync(db, { prompts, changed });
  return { db, prompts, ...sync, named: async () => (await db.getAll('prompts')).map(({ name }) => name) };
}

it('settings and prompts come to another machine, change and go there, and nothing does before it is switched on', async () => {
  const [one, other] = [await machine(), await machine()];
  await saveSettings(one.db, {
    theme: 'dark',
    tierPermissions: { reads: 'block' },
    blockedSites: 'a.example',
  });
  const { id } = (await one.prompts.save({ name: 'Sum up', text: '{{text}}' })) as { id: number };
  await one.look();
  expect(area.size).toBe(0);
  await one.set({ on: true });
  await other.prompts.save({ name: 'Translate', text: 'To French' });
  await other.set({ on: true });
  expect([...area.keys()].toSorted()).toEqual(['prompt/Sum up', 'prompt/Translate', 'setting/theme']);
  expect(setAccessLevel).toHaveBeenCalledWith({ accessLevel: 'TRUSTED_CONTEXTS' });
  expect(await loadSetting(other.db, 'theme')).toBe('dark');
  await one.look();
  expect(await one.named()).toEqual(['Sum up', 'Translate']);
  await one.prompts.remove({ id });
  await saveSettings(other.db, { theme: 'light', enterSends: false });
  await one.look();
  await other.look();
  await one.look();
  expect(await other.named()).toEqual(['Translate']);
  expect([await loadSetting(one.db, 'theme'), await loadSetting(one.db, 'enterSends')]).toEqual([
    'light',
    false,
  ]);
});

it('takes no setting that says what may be done', async () => {
  const { db, set } = await machine();
  area.set('setting/tierPermissions', JSON.stringify({ writes: 'allow' }));
  area.set('setting/theme', JSON.stringify('dark'));
  await set({ on: true });
  expect(await loadSetting(db, 'theme')).toBe('dark');
  expect((await loadSetting(db, 'tierPermissions')).writes).toBe('ask');
});

it('what the browser takes no more of stays here, and is named', async () => {
  const one = await machine();
  await one.prompts.save({ name: 'Long', text: 'ü'.repeat(5_000) });
  for (let at = 0; at < 20; at++) await one.prompts.save({ name: `Filling ${at}`, text: 'x'.repeat(8_000) });
  await one.set({ on: true });
  const { left } = (await one.db.get('settings', 'browserSync')) as { left: string[] };
  expect(left).toContain('Long');
  expect(left.length).toBe(9);
  expect(area.size).toBe(12);
  expect((await one.named()).length).toBe(21);
});

it('a prompt that can’t be taken, since a skill has its name here, stays elsewhere', async () => {
  const one = await machine();
  area.set('prompt/Sum up', '"{{text}}"').set('prompt/Broken', '{');
  await one.db.put('prompts', { id: 1, name: 'Sum up', text: '---', skill: { description: '', files: [] } });
  await one.set({ on: true });
  await one.look();
  expect([...area.keys()]).toEqual(['prompt/Sum up', 'prompt/Broken']);
  expect(await one.named()).toEqual(['Sum up']);
});

it('what grew too large for it stays as it is here, however often it is looked at', async () => {
  const one = await machine();
  const { id } = (await one.prompts.save({ name: 'P', text: 'Short' })) as { id: number };
  await one.set({ on: true });
  await one.prompts.save({ id, name: 'P', text: 'x'.repeat(9_000) });
  for (let times = 0; times < 3; times++) await one.look();
  expect((await one.db.getAll('prompts'))[0]?.text).toHaveLength(9_000);
  expect(area.get('prompt/P')).toBe('"Short"');
});

it('what can’t be taken is no change, which would be looked at again', async () => {
  const changed = vi.fn(async () => {});
  const one = await machine(changed);
  area.set('prompt/Sum up', '"{{text}}"');
  const skill = { description: '', files: [] };
  await one.db.put('prompts', { id: 1, name: 'Sum up', text: '---', skill } as never);
  await one.set({ on: true });
  changed.mockClear();
  await one.look();
  expect(changed).not.toHaveBeenCalled();
});
