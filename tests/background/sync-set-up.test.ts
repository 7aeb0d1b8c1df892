import 'fake-indexeddb/auto';
import { expect, it, vi } from 'vitest';
import { createSync, type SyncDeps } from '../../entrypoints/background/data/sync.ts';
import { setRules, FREE } from '../../lib/fleet/rules.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import { putSecret } from '../../lib/storage/secrets/secret-store.ts';

const heard = vi.hoisted(() => ({ connected: (_port: object): void => {}, name: '' }));
vi.mock('wxt/browser', () => ({
  browser: {
    runtime: {
      id: 'portside',
      getURL: (path: string) => `chrome-extension://portside${path}`,
      onConnect: {
        addListener: (listen: typeof heard.connected) => (heard.connected = listen),
        removeListener: () => undefined,
      },
      sendMessage: async ({ sync }: { sync: string }) => void (heard.name = sync),
    },
  },
}));

const password = 'secret';
const passphrase = 'correct horse battery';

it.each([
  ['a short passphrase', { url: 'https://cloud.example/dav', passphrase: 'x'.repeat(11) }],
  ['a password in the address', { url: 'https://ada:secret@cloud.example/dav', passphrase }],
  ['an address that would take the password unencrypted', { url: 'http://cloud.example/dav', passphrase }],
])('no store is set up with %s, and none is asked', async (_what, { url, ...given }) => {
  const during = vi.fn<SyncDeps['during']>();
  const db = await openDatabase(crypto.randomUUID());
  const { setUp } = createSync(db, { during } as Partial<SyncDeps> as SyncDeps);
  const place = { type: 'webdav', url, user: 'ada' } as const;
  await expect(setUp({ place, password, ...given })).rejects.toMatchObject({ code: 'invalid_input' });
  expect(during).not.toHaveBeenCalled();
});

it('where the organisation allows no sync, none is set up, and none that is there is done', async () => {
  const during = vi.fn<SyncDeps['during']>();
  const db = await openDatabase(crypto.randomUUID());
  const place = { type: 'webdav', url: 'https://cloud.example/dav', user: 'ada' } as const;
  await db.put('settings', { place, machine: 'm', paused: false }, 'sync');
  await putSecret(
    db.transaction('secrets', 'readwrite').store,
    { password, key: { id: 'k', bytes: [] } },
    'sync',
  );
  const sync = createSync(db, { during } as Partial<SyncDeps> as SyncDeps);
  setRules({ ...FREE, sync: false });
  try {
    const refused = { code: 'set_by_organisation' };
    await expect(sync.setUp({ place, password, passphrase })).rejects.toMatchObject(refused);
    await expect(sync.now()).rejects.toMatchObject(refused);
    await sync.look();
  } finally {
    setRules(FREE);
  }
  expect(during).not.toHaveBeenCalled();
});

it('the password goes to the document that syncs, whatever page hears of its port', async () => {
  const told: [page: string, message: unknown][] = [];
  const portOf = (page: string) => ({
    name: heard.name,
    sender: { id: 'portside', url: `chrome-extension://portside/${page}.html` },
    onMessage: { addListener: (tell: (said: object) => void) => tell({ end: { fault: { code: 'full' } } }) },
    onDisconnect: { addListener: () => undefined },
    postMessage: (message: unknown) => void told.push([page, message]),
    disconnect: () => undefined,
  });
  const db = await openDatabase(crypto.randomUUID());
  const offscreen = { acquire: async () => () => undefined };
  const during: SyncDeps['during'] = (job) => job();
  const { setUp } = createSync(db, { during, offscreen } as Partial<SyncDeps> as SyncDeps);
  const place = { type: 'webdav', url: 'https://cloud.example/dav', user: 'ada' } as const;
  const done = setUp({ place, password, passphrase });
  await vi.waitFor(() => expect(heard.name).not.toBe(''));
  for (const page of ['sidepanel', 'options', 'offscreen']) heard.connected(portOf(page));
  await done;
  expect(told.map(([page]) => page)).toEqual(['offscreen']);
});
