import 'fake-indexeddb/auto';
import { describe, expect, it, vi } from 'vitest';
import { createCallPermission } from '../../entrypoints/background/tools/permission/call-permission.ts';
import { createGrants } from '../../entrypoints/background/tools/permission/grants.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Tool } from '../../lib/types/tools/server-tool.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { PAGE_TOOLS } from '../../lib/types/tools/tool-source.ts';

vi.mock('wxt/browser', () => ({ browser: {} }));

const site = 'https://shop.example';
const start = Date.now();
const at = (second: number) => new Date(start + second * 1000).toISOString();
const add: Tool = {
  serverId: PAGE_TOOLS,
  name: 'shop.example:add',
  offeredName: 'page__7__add',
  description: 'Adds an item',
  inputSchema: { type: 'object', properties: {} },
  annotations: { openWorldHint: true },
  enabled: true,
  present: true,
};

/** A chat whose model was offered the tools of a page, and what that page has by now. */
async function chat() {
  const db = await openDatabase(crypto.randomUUID());
  const settings = { providerId: null, model: null, settings: {}, createdAt: at(0), updatedAt: at(0) };
  await db.put('conversations', { ...settings, id: 'c1', title: 'Shop', leafId: 'm3' });
  const page: { tool: Tool | undefined } = { tool: add };
  const permission = createCallPermission(db, {
    changed: async () => {},
    originOf: async () => undefined,
    liveTool: async ({ reads }) =>
      reads === site || reads === 'https://other.example' ? page.tool : undefined,
    targetsOf: async () => ({ targets: { e1: 'button' }, sites: [] }),
    instructionsOf: () => undefined,
  });
  const answers = async (seq: number, offeredBy: string[] = [site]) =>
    db.put('messages', {
      id: `m${seq}`,
      parentId: seq === 0 ? null : `m${seq - 1}`,
      seq,
      sub: 0,
      conversationId: 'c1',
      timestamp: at(0),
      status: 'complete',
      role: 'assistant',
      content: '',
      runId: 'r1',
      offeredBy,
    });
  for (const seq of [0, 1, 2, 3]) await answers(seq);
  const call = async (seq: number, more: Partial<ToolCall> = {}): Promise<ToolCall> => {
    const made = {
      callId: `m${seq}.0`,
      messageId: `m${seq}`,
      conversationId: 'c1',
      serverId: PAGE_TOOLS,
      serverName: 'shop.example',
      toolName: add.name,
      namespacedName: add.offeredName,
      arguments: '{"ref":"e1","to":"https://elsewhere.example/"}',
      annotations: {},
      createdAt: at(seq * 60),
      reads: site,
      tab: 7,
      ...more,
    } as ToolCall;
    return { ...made, ...(await permission.definitionOf(made)) };
  };
  return { db, page, permission, answers, call };
}

describe('a call of a page’s tool', () => {
  it('asks, with the definition that it is asked for, and no elements', async () => {
    const { permission, call } = await chat();
    const asked = await call(1);
    expect(await permission.judge(asked)).toEqual({ permission: 'ask' });
    expect(asked).toMatchObject({ fingerprint: expect.any(String), reads: site });
    expect(asked.targets).toBeUndefined();
    expect(await permission.repetition(asked)).toBe('ask');
  });

  it.each(['chat', 'always'] as const)(
    'that is allowed (%s) is so in this chat, at this site and with this definition alone',
    async (scope) => {
      const { db, page, permission, call } = await chat();
      await permission.grant(await call(1), scope);
      expect(await permission.judge(await call(2))).toMatchObject({ permission: 'allow', basis: 'chat' });
      const elsewhere = await call(2, { reads: 'https://other.example' });
      expect(await permission.permission(elsewhere)).toBe('ask');
      expect(await permission.permission(await call(2, { conversationId: 'c2' }))).toBe('ask');
      page.tool = { ...add, description: 'Buys an item' };
      expect(await permission.permission(await call(2))).toBe('ask');
      expect(await db.getAll('tools')).toEqual([]);
      expect(await createGrants(db, async () => {}).list()).toMatchObject([
        { toolName: add.name, isVoid: false, given: { origins: [site] } },
      ]);
    },
  );

  it('asks again once the chat has read what another site, or its own page, says', async () => {
    const { db, permission, answers, call } = await chat();
    await permission.grant(await call(1), 'chat');
    await answers(2, [site, 'https://news.example']);
    expect(await permission.judge(await call(2))).toEqual({ permission: 'ask', again: true });
    expect(await permission.taintOf(await call(2))).toMatchObject({ from: ['news.example'], again: true });
    await answers(2);
    expect(await permission.permission(await call(2))).toBe('allow');
    const before = {
      ...(await call(1)),
      runId: 'r1',
      position: 0,
      toolCallId: 'x',
      status: 'success' as const,
    };
    await db.put('toolCalls', { ...before, result: { text: 'Buy more', isError: false, url: `${site}/` } });
    const [first] = [await db.get('messages', 'm1')];
    if (first?.role === 'assistant')
      await db.put('messages', {
        ...first,
        tool_calls: [{ id: 'x', name: 'page__7__add', arguments: '{}' }],
      });
    expect(await permission.judge(await call(2))).toEqual({ permission: 'ask', again: true });
  });

  it('is refused without a question once the tool is gone', async () => {
    const { page, permission, call } = await chat();
    const made = await call(1);
    page.tool = undefined;
    expect(await permission.permission(made)).toBe('allow');
    await expect(permission.requireRunnable(made, {})).rejects.toMatchObject({ code: 'tool_gone' });
  });

  it('is refused when the tool changed since it was allowed once', async () => {
    const { db, page, permission, call } = await chat();
    const made = { ...(await call(1)), runId: 'r1', position: 0, toolCallId: 'x' };
    await db.put('toolCalls', { ...made, status: 'approved', allowed: 'once' });
    await permission.requireRunnable(made, {});
    page.tool = { ...add, annotations: { openWorldHint: true, title: 'Add' } };
    await expect(permission.requireRunnable(made, {})).rejects.toMatchObject({ code: 'definition_changed' });
  });
});

it('what pages say of their tools counts as read by the chat, for every other tool', async () => {
  const { permission, call } = await chat();
  const read = await call(1, { serverId: null, toolName: 'read_more' });
  expect(await permission.taintOf(read)).toMatchObject({ from: ['shop.example'] });
  expect(await permission.originsRead(read)).toEqual([]);
  expect(await permission.taintOf(await call(1))).toBeUndefined();
});
