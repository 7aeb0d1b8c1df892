import 'fake-indexeddb/auto';
import { describe, expect, it, vi } from 'vitest';
import { type AppsDeps, createApps } from '../../entrypoints/background/apps/apps.ts';
import { denied, skipped } from '../../lib/agent/refusals.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Conversation } from '../../lib/types/conversation.ts';
import type { Server } from '../../lib/types/server.ts';
import type { Tool } from '../../lib/types/tools/server-tool.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';

vi.mock('wxt/browser', () => ({ browser: {} }));

const made = { serverId: 3, toolName: 'berths', conversationId: 'c', arguments: '{}', app: 'ui://v' };
const call = { ...made, callId: 'm.0', messageId: 'm', position: 0, createdAt: '' } as unknown as ToolCall;
const request = { callId: 'm.0', requestId: '1', name: 'berths', arguments: {} };

/** @param result of the call that the app shows */
async function start(deps: object, result = skipped()) {
  const db = await openDatabase(crypto.randomUUID());
  await db.put('toolCalls', { ...call, status: 'unknown', result });
  await db.put('servers', { id: 3, name: 'Harbour' } as Server);
  await db.put('conversations', { id: 'c', title: '' } as Conversation);
  const tool = { serverId: 3, name: 'berths', present: true, enabled: true } as Tool;
  await db.put('tools', tool);
  return { db, tool, apps: createApps(db, { now: () => 0, ...deps } as unknown as AppsDeps) };
}

describe('an app', () => {
  it('is told nothing that the user says to the model', async () => {
    const runs = { appCalls: { call: async () => ({ result: denied('My boss must not know') }) } };
    const { apps } = await start({ runs }, skipped('My boss must not know'));
    const told = [await apps.input({ callId: 'm.0' }), await apps.callTool(request)];
    expect(told).toMatchObject([
      { cancelled: expect.stringContaining('It is not known whether it was executed') },
      {
        content: [{ type: 'text', text: expect.stringContaining('did not allow this call') }],
        isError: true,
      },
    ]);
    expect(JSON.stringify(told)).not.toContain('boss');
  });

  it.each<[string, Partial<Tool>]>([
    ['is for models alone', { app: { uri: 'ui://v', only: 'model' } }],
    ['is gone', { present: false }],
    ['can’t be used', { problem: 'Its schema is none.' }],
    ['is switched off', { enabled: false }],
    ['is another server’s', { serverId: 4, name: 'other' }],
  ])('has no tool called that %s', async (_what, more) => {
    const { db, apps, tool } = await start({});
    await db.put('tools', { ...tool, ...more });
    const called = apps.callTool({ ...request, name: more.name ?? 'berths' });
    await expect(called).rejects.toMatchObject({ code: 'no_app_tool' });
  });

  it('leaves its server’s mark beside what it puts into the user’s message, in which nothing is invisible', async () => {
    const keep = vi.fn();
    const { apps } = await start({ attachments: { newId: () => 'a1', keep } });
    const { text } = await apps.takeMessage({ callId: 'm.0', text: 'Send\u200b <s>it' });
    expect(text).toMatch(/^Send &lt;s>it\n\[1 invisible/);
    const source = { type: 'prompt', serverId: 3, serverName: 'Harbour', name: 'berths', isTyped: true };
    expect(keep.mock.calls).toEqual([[expect.objectContaining({ conversationId: 'c', source }), { text }]]);
  });
});
