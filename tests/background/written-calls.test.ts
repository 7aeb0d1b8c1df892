import 'fake-indexeddb/auto';
import { describe, expect, it, vi } from 'vitest';
import { requireWritten } from '../../entrypoints/background/apps/shown-call.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import { saveSettings } from '../../lib/storage/configuration/settings.ts';
import type { Conversation } from '../../lib/types/conversation.ts';
import type { Server } from '../../lib/types/server.ts';
import type { Tool } from '../../lib/types/tools/server-tool.ts';

vi.mock('wxt/browser', () => ({ browser: {} }));

const tool = {
  serverId: 3,
  name: 'berths',
  annotations: { readOnlyHint: true, openWorldHint: false },
  app: { uri: 'ui://v' },
  present: true,
  enabled: true,
} as Tool;

/** Whether an app may show a call of `berths` whose arguments are still written. */
async function isShown(
  more: Partial<Tool> = {},
  server: Partial<Server> = {},
  chat: Partial<Conversation> = {},
  reads: 'allow' | 'ask' = 'allow',
): Promise<boolean> {
  const db = await openDatabase(crypto.randomUUID());
  await db.put('tools', { ...tool, ...more });
  await db.put('servers', { id: 3, name: 'Harbour', trusted: true, ...server } as Server);
  await db.put('conversations', { id: 'c', title: '', ...chat } as Conversation);
  await saveSettings(db, { tierPermissions: { reads } });
  const call = { conversationId: 'c', serverId: 3, toolName: 'berths' };
  return requireWritten(db, call).then(
    ({ uri }) => uri === 'ui://v',
    () => false,
  );
}

describe('an app of a call whose arguments are still written', () => {
  it('is shown where every call of its tool is allowed', async () => {
    expect(await isShown()).toBe(true);
  });

  it.each<[string, Promise<boolean>]>([
    ['of a server that is not trusted', isShown({}, { trusted: false })],
    ['that may send', isShown({ annotations: { readOnlyHint: true } })],
    ['that may write', isShown({ annotations: {} })],
    ['that the user wants to be asked about', isShown({ permission: 'ask' })],
    ['that was allowed for some addresses, maybe', isShown({ permission: 'allow' })],
    ['that changed', isShown({ review: {} })],
    ['that is gone', isShown({ present: false })],
    ['that is switched off', isShown({ enabled: false })],
    ['without an app', isShown({ app: {} })],
    ['of a server whose apps are off', isShown({}, { withoutApps: true })],
    ['in a deleted chat', isShown({}, {}, { deletedAt: '2026-01-01' })],
    ['where reads are asked about', isShown({}, {}, {}, 'ask')],
  ])('is not shown for a tool %s', async (_, shown) => {
    expect(await shown).toBe(false);
  });
});
