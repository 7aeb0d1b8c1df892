import 'fake-indexeddb/auto';
import { afterEach, expect, it, vi } from 'vitest';
import { forgetGranted } from '../../entrypoints/background/browser/permissions.ts';
import { searchRegistry } from '../../entrypoints/background/servers/registry.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import { registryPage } from '../fakes/registry-answers.ts';

const contains = vi.hoisted(() => vi.fn<(wanted: { origins: string[] }) => Promise<boolean>>());
vi.mock('wxt/browser', () => ({ browser: { permissions: { contains } } }));
afterEach(() => {
  forgetGranted();
  vi.unstubAllGlobals();
});

it('a registry is asked once its origin was granted, without what would tell who asks', async () => {
  const db = await openDatabase(crypto.randomUUID());
  const asked = vi.fn<typeof fetch>(async () => Response.json(registryPage));
  vi.stubGlobal('fetch', asked);
  contains.mockResolvedValueOnce(false);
  const search = () => searchRegistry(db, { query: 'git' });
  await expect(search()).rejects.toMatchObject({ code: 'origin_not_granted' });
  expect(asked).not.toHaveBeenCalled();
  contains.mockResolvedValueOnce(true);
  expect(await search()).toMatchObject({ servers: { length: 4 } });
  expect(contains).toHaveBeenLastCalledWith({ origins: ['https://registry.modelcontextprotocol.io/*'] });
  const [url, init] = asked.mock.calls[0] ?? [];
  expect(new URL(String(url)).pathname).toBe('/v0.1/servers');
  expect(init).toMatchObject({ credentials: 'omit', redirect: 'error' });
});
