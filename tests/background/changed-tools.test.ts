import 'fake-indexeddb/auto';
import { afterEach, expect, it, vi } from 'vitest';
import { createCallPermission } from '../../entrypoints/background/tools/permission/call-permission.ts';
import { createToolReviews, reviewOf } from '../../entrypoints/background/tools/permission/tool-reviews.ts';
import { readSetup } from '../../entrypoints/background/subscribe/setup.ts';
import { putServer } from '../../lib/storage/configuration/servers.ts';
import { syncTools } from '../../lib/storage/configuration/tools.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import { fingerprint } from '../../lib/trust/fingerprint.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { input } from './rig.ts';

vi.mock('wxt/browser', () => ({ browser: {} }));

afterEach(() => vi.useRealTimers());

const look = {
  name: 'look',
  offeredName: 'mcp__1__look',
  description: 'Looks.',
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true, openWorldHint: false },
};
const changedLook = { ...look, description: 'Looks, and tells.' };
const late = { ...look, name: 'late', offeredName: 'mcp__1__late' };

/** A trusted server that has changed one of its tools, and has a new one. */
async function start() {
  const db = await openDatabase(crypto.randomUUID());
  const serverId = await putServer(db, { ...input, trusted: true });
  await syncTools(db, serverId, [look]);
  const permissions = createCallPermission(db, {
    changed: async () => {},
    liveTool: async () => undefined,
    targetsOf: async () => ({ targets: {}, sites: [] }),
    originOf: async () => undefined,
    instructionsOf: () => undefined,
  });
  const reviews = createToolReviews(db, async () => {});
  const callOf = async ({ name, ...tool }: typeof look, conversationId = 'c1') => {
    const seen = await fingerprint({ name, ...tool });
    const row = { callId: 'm1.0', conversationId, serverId, toolName: name, fingerprint: seen };
    return { ...row, arguments: '{}', createdAt: new Date().toISOString() } as ToolCall;
  };
  const asks = async (tool = changedLook, conversationId = 'c1') =>
    permissions.permission(await callOf(tool, conversationId));
  expect([await asks(look), await permissions.repetition(await callOf(look))]).toEqual(['allow', 'allow']);
  await syncTools(db, serverId, [changedLook, late]);
  const setup = () => readSetup(db, () => ({ state: 'connected', toolCount: 2 }));
  return { db, serverId, permissions, reviews, callOf, asks, setup };
}

it('a trusted server’s tool that changed or is new asks, is called once only, and is marked so on every page', async () => {
  const { permissions, callOf, asks, setup } = await start();
  expect([await asks(), await asks(late)]).toEqual(['ask', 'ask']);
  expect(await permissions.repetition(await callOf(changedLook))).toBe('ask');
  expect((await setup()).tools).toMatchObject([
    { name: 'late', review: 'new', permission: 'ask' },
    { name: 'look', review: 'changed', permission: 'ask' },
  ]);
});

it('a call that trust had released is not made once its tool is another one', async () => {
  const { db, permissions, callOf } = await start();
  const call = await callOf(look);
  await db.put('toolCalls', { ...call, status: 'approved', allowed: 'once' });
  await expect(permissions.requireRunnable(call, {})).rejects.toMatchObject({ code: 'definition_changed' });
});

it('an Allow pins the new definition as far as it reaches: not once, for its chat, or always', async () => {
  const { permissions, callOf, asks, setup } = await start();
  await permissions.grant(await callOf(changedLook), 'chat');
  expect([await asks(), await asks(changedLook, 'c2')]).toEqual(['allow', 'ask']);
  vi.setSystemTime(Date.now() + 1);
  await permissions.grant(await callOf(changedLook, 'c2'), 'always');
  expect(await asks(changedLook, 'c3')).toBe('allow');
  expect((await setup()).tools.map(({ review }) => review)).toEqual(['new', undefined]);
});

it('tools are accepted as a page showed them, and as nothing else', async () => {
  const { db, serverId, reviews, asks } = await start();
  const listed = await db.getAll('tools');
  const shown = listed.map((tool) => ({ name: tool.name, ...reviewOf(tool) }));
  expect(shown).toMatchObject([
    { name: 'late', now: { description: 'Looks.' } },
    { name: 'look', before: { description: 'Looks.' }, now: { description: 'Looks, and tells.' } },
  ]);
  const worse = { ...changedLook, description: 'Deletes.' };
  await syncTools(db, serverId, [worse, late]);
  const tools = await Promise.all(
    listed.map(async (tool) => ({ name: tool.name, fingerprint: await fingerprint(tool) })),
  );
  await expect(reviews.accept({ serverId, tools })).rejects.toMatchObject({ code: 'definition_changed' });
  expect([await asks(worse), await asks(late)]).toEqual(['ask', 'allow']);
  await syncTools(db, serverId, [changedLook, late]);
  await reviews.accept({ serverId, tools });
  expect(await asks()).toBe('allow');
});

it('Always in the settings is for a tool as the page showed it, and for nothing else', async () => {
  const { db, serverId, reviews, asks } = await start();
  const seen = await fingerprint(changedLook);
  const always = { serverId, name: 'look', permission: 'allow' as const, fingerprint: seen };
  const worse = { ...changedLook, description: 'Deletes.' };
  await syncTools(db, serverId, [worse]);
  await expect(reviews.choose(always)).rejects.toMatchObject({ code: 'definition_changed' });
  expect(await asks(worse)).toBe('ask');
  await syncTools(db, serverId, [changedLook]);
  await reviews.choose(always);
  expect(await asks()).toBe('allow');
});

it('pages get no tool that is kept only to be compared', async () => {
  const { db, serverId, setup } = await start();
  await syncTools(db, serverId, [late]);
  expect((await setup()).tools.map(({ name }) => name)).toEqual(['late']);
});
