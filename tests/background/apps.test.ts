import 'fake-indexeddb/auto';
import { expect, it, vi } from 'vitest';
import { type AppsDeps, createApps } from '../../entrypoints/background/apps/apps.ts';
import { denied, skipped } from '../../lib/agent/refusals.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Conversation } from '../../lib/types/conversation.ts';
import type { Server } from '../../lib/types/server.ts';
import type { Tool } from '../../lib/types/server-tool.ts';
import type { ToolCall } from '../../lib/types/tool.ts';

vi.mock('wxt/browser', () => ({ browser: {} }));

it('an app is told nothing that the user says to the model', async () => {
  const db = await openDatabase(crypto.randomUUID());
  const own = { serverId: 3, toolName: 'berths', conversationId: 'c', arguments: '{}', app: 'ui://v' };
  const call = { ...own, callId: 'm.0', messageId: 'm', position: 0, createdAt: '' } as unknown as ToolCall;
  await db.put('toolCalls', { ...call, status: 'unknown', result: skipped('My boss must not know') });
  await db.put('servers', { id: 3, name: 'Harbour' } as Server);
  await db.put('conversations', { id: 'c', title: '' } as Conversation);
  await db.put('tools', { serverId: 3, name: 'berths', present: true, enabled: true } as Tool);
  const runs = { appCalls: { call: async () => ({ result: denied('My boss must not know') }) } };
  const apps = createApps(db, { runs, now: () => 0 } as unknown as AppsDeps);
  const request = { callId: 'm.0', requestId: '1', name: 'berths', arguments: {} };
  const told = [await apps.input({ callId: 'm.0' }), await apps.callTool(request)];
  expect(told).toMatchObject([
    { cancelled: expect.stringContaining('It is not known whether it was executed') },
    { content: [{ type: 'text', text: expect.stringContaining('did not allow this call') }], isError: true },
  ]);
  expect(JSON.stringify(told)).not.toContain('boss');
});
