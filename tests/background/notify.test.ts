import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { OWN_TOOLS } from '../../lib/types/tools/tool-source.ts';
import { createNotify, firstWords } from '../../entrypoints/background/browser/notify.ts';
import type { Happening } from '../../lib/runs/deps.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import { cacheConfiguration } from '../../lib/storage/configuration/cache.ts';
import { putServer } from '../../lib/storage/configuration/servers.ts';
import { saveSettings } from '../../lib/storage/configuration/settings.ts';
import { input } from './rig.ts';

const shown = vi.hoisted(() => new Map<string, { title: string; message: string }>());
const created = vi.hoisted(() => [] as string[]);
vi.mock('wxt/browser', () => ({
  browser: {
    runtime: { getURL: (path: string) => path },
    notifications: {
      create: async (id: string, options: { title: string; message: string }) => {
        shown.set(id, options);
        created.push(options.message);
      },
      clear: async (id: string) => shown.delete(id),
    },
  },
}));

beforeEach(() => {
  shown.clear();
  created.length = 0;
});

const at = '2026-11-22T10:00:00.000Z';
const chat = {
  id: 'c1',
  title: 'Notes',
  createdAt: at,
  updatedAt: at,
  leafId: 'm1',
  providerId: null,
  model: null,
  settings: {},
};
const answer = {
  id: 'm1',
  conversationId: 'c1',
  parentId: null,
  seq: 1,
  sub: 0,
  timestamp: at,
  status: 'complete' as const,
  role: 'assistant' as const,
  content: '# Done\n\nThe **note** is `written`, see [here](https://example.com/?q=s3cret).',
  runId: 'r1',
};

async function start({ notify = true, seen = false } = {}) {
  const db = await openDatabase(crypto.randomUUID());
  await db.put('conversations', chat);
  await db.put('messages', answer);
  await saveSettings(db, { notify });
  return { db, ...createNotify(db, () => seen) };
}

const call = {
  callId: 'm1.0',
  toolName: 'write_note',
  namespacedName: 'mcp__1__write_note',
  serverId: null,
  arguments: '{"token":"s3cret"}',
};
const asked: Happening = { type: 'approval_required', wait: 'permission', ...call };
const ended = (reason: 'done' | 'cancelled' | 'limit'): Happening => ({
  type: 'run_end',
  runId: 'r1',
  reason,
});
const said = () => shown.get('chat:c1')?.message;

describe('a notification', () => {
  it('tells of a call that waits, with the chat’s title and without what the call is sent', async () => {
    const { runEvent } = await start();
    await runEvent('c1', asked);
    expect(shown.get('chat:c1')).toMatchObject({ title: 'Notes', message: 'Asks to run write_note.' });
  });

  it('tells of an unknown outcome and of what a server asks', async () => {
    const { runEvent } = await start();
    await runEvent('c1', { type: 'approval_required', wait: 'unknown', ...call });
    expect(said()).toContain('write_note may or may not have run');
    const request = { id: 'q1', conversationId: 'c1', serverName: 'Files' };
    await runEvent('c1', { type: 'server_request', request } as Happening);
    expect(said()).toBe('Files has a question for you.');
    await runEvent('c1', { type: 'approval_required', ...call, wait: 'hand_over', serverId: OWN_TOOLS });
    expect(said()).toBe('Portside has a question for you.');
    expect(shown.size).toBe(1);
  });

  it('has no sentence of a server for its own: a name that is more than one stands in quotation marks, cut', async () => {
    const { db, runEvent } = await start();
    const name = `Trust me. ${'Allow it all. '.repeat(9)}`;
    const serverId = await putServer(db, { ...input, name });
    await runEvent('c1', { ...asked, serverId, toolName: name });
    const cut = '“Trust me. Allow it all. Allow it all. A…”';
    expect(said()).toBe(`Asks to run ${cut} from ${cut}.`);
    await runEvent('c1', { ...asked, wait: 'unknown', toolName: name });
    expect(said()).toContain(`${cut} may or may not have run`);
    await runEvent('c1', { ...asked, wait: 'hand_over', serverId });
    expect(said()).toBe(`${cut} has a question for you.`);
    const request = { id: 'q1', conversationId: 'c1', serverName: name };
    await runEvent('c1', { type: 'server_request', request } as Happening);
    expect(said()).toBe(`${cut} has a question for you.`);
  });

  it('tells how the answer begins, without its marks and addresses', async () => {
    const { runEvent } = await start();
    await runEvent('c1', ended('done'));
    expect(said()).toBe('Done The note is written, see here.');
  });

  it('tells what went wrong, in its sentence alone', async () => {
    const { runEvent } = await start();
    const error = { code: 'x', message: 'The key was refused.', cause: 'Bearer s3cret', retryable: false };
    await runEvent('c1', { type: 'run_end', runId: 'r1', reason: 'error', error });
    expect(said()).toBe('The key was refused.');
    await runEvent('c1', ended('limit'));
    expect(created).toHaveLength(1); // of the same run
  });

  it('goes when the call is answered, the run is stopped, or a panel shows the chat', async () => {
    const { runEvent, seen } = await start();
    await runEvent('c1', asked);
    await runEvent('c1', { type: 'approval_resolved', callId: 'm1.0', decision: 'allow' });
    expect(shown.size).toBe(0);
    await runEvent('c1', asked);
    await runEvent('c1', ended('cancelled'));
    expect(shown.size).toBe(0);
    await runEvent('c1', asked);
    await seen('c1');
    expect(shown.size).toBe(0);
  });

  it('goes with its chat', async () => {
    const { runEvent, gone } = await start();
    await runEvent('c1', asked);
    await gone(['c1']);
    expect(shown.size).toBe(0);
  });

  it('does not come twice for one thing, also not from a worker that starts anew', async () => {
    const { db, runEvent } = await start();
    await runEvent('c1', asked);
    await createNotify(db, () => false).runEvent('c1', asked);
    expect(created).toHaveLength(1);
  });

  it('has nothing written, nor a setting read again, for a chat of which it tells nothing, as of one that begins', async () => {
    const opened = await openDatabase(crypto.randomUUID());
    const db = cacheConfiguration(opened);
    const { seen } = createNotify(db, () => true);
    await db.get('settings', 'theme');
    const began = vi.spyOn(opened, 'transaction');
    const reads = vi.spyOn(IDBObjectStore.prototype, 'get');
    await seen('c1');
    await db.get('settings', 'theme');
    const keys = reads.mock.calls.map(([key]) => key);
    reads.mockRestore();
    expect(began).not.toHaveBeenCalledWith('settings', 'readwrite');
    expect(keys).toEqual(['notified']);
  });

  it('does not come for a chat that is seen, or unless the user wants it', async () => {
    for (const options of [{ seen: true }, { notify: false }]) {
      const { runEvent } = await start(options);
      await runEvent('c1', asked);
      await runEvent('c1', ended('done'));
    }
    expect(created).toEqual([]);
  });
});

describe('how a text begins', () => {
  it('is cut between words', () => {
    const cut = firstWords('word '.repeat(100));
    expect(cut.length).toBeLessThanOrEqual(140);
    expect(cut.endsWith('word…')).toBe(true);
  });

  it('is empty for a text of marks', () => {
    expect(firstWords('```\n```')).toBe('');
  });
});
