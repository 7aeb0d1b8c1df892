import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../lib/storage/database.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { putGrant } from '../../../lib/storage/configuration/grants.ts';
import { putServer } from '../../../lib/storage/configuration/servers.ts';
import { setTool, syncTools } from '../../../lib/storage/configuration/tools.ts';
import { OWN_TOOLS } from '../../../lib/types/tools/tool-source.ts';

let db: Database;

beforeEach(async () => {
  db = await openDatabase(crypto.randomUUID());
});

const listed = {
  name: 'echo',
  offeredName: 'mcp__1__tool',
  description: 'Says it again.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' }, times: { type: 'number' } } },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

const permissionNow = async () => (await db.get('tools', [1, 'echo']))?.permission;

describe('tools', () => {
  it('keep the user’s choices over a reconnect and an absence; a new tool is on, without a choice', async () => {
    await syncTools(db, 1, [listed]);
    await setTool(db, 1, 'echo', { enabled: false, permission: 'allow' });
    await syncTools(db, 1, [{ ...listed, name: 'add' }]);
    const [add, echo] = await db.getAll('tools');
    expect(add).toMatchObject({ name: 'add', enabled: true, present: true });
    expect(add).not.toHaveProperty('permission');
    expect(echo).toMatchObject({ name: 'echo', enabled: false, permission: 'allow', present: false });
    await syncTools(db, 1, [listed]);
    expect(await db.get('tools', [1, 'echo'])).toMatchObject({
      enabled: false,
      permission: 'allow',
      present: true,
    });
  });

  it.each([
    ['description', { description: 'Deletes it all.' }],
    ['schema', { inputSchema: { type: 'object', properties: { text: { type: 'number' } } } }],
    ['annotations', { annotations: {} }],
  ])('lose an Allow when their %s changes, for good', async (_part, changed) => {
    await syncTools(db, 1, [listed]);
    await setTool(db, 1, 'echo', { permission: 'allow' });
    await syncTools(db, 1, [{ ...listed, ...changed }]);
    expect(await permissionNow()).toBeUndefined();
    await syncTools(db, 1, [listed]);
    expect(await permissionNow()).toBeUndefined();
  });

  it('keep a Block and an Ask through a change, and an Allow when only the order of keys is another', async () => {
    await syncTools(db, 1, [listed]);
    for (const permission of ['block', 'ask'] as const) {
      await setTool(db, 1, 'echo', { permission });
      await syncTools(db, 1, [{ ...listed, description: `Changed for ${permission}.` }]);
      expect(await permissionNow()).toBe(permission);
    }
    await syncTools(db, 1, [listed]);
    await setTool(db, 1, 'echo', { permission: 'allow' });
    const { text, times } = listed.inputSchema.properties;
    await syncTools(db, 1, [{ ...listed, inputSchema: { properties: { times, text }, type: 'object' } }]);
    expect(await permissionNow()).toBe('allow');
  });

  it('that are gone are kept only for the user’s choices, however often a server renames them', async () => {
    const named = (round: number) =>
      Array.from({ length: 100 }, (_, index) => ({ ...listed, name: `tool ${index} of ${round}` }));
    await syncTools(db, 1, named(0));
    await setTool(db, 1, 'tool 3 of 0', { enabled: false });
    await setTool(db, 1, 'tool 4 of 0', { permission: 'block' });
    for (let round = 1; round < 20; round++) await syncTools(db, 1, named(round));
    const rows = await db.getAll('tools');
    expect(rows.filter(({ present }) => present)).toHaveLength(100);
    expect(rows.filter(({ present }) => !present).map(({ name }) => name)).toEqual([
      'tool 3 of 0',
      'tool 4 of 0',
    ]);
    await setTool(db, 1, 'tool 3 of 0', { enabled: true });
    await syncTools(db, 1, named(20));
    expect(await db.count('tools')).toBe(101);
  });

  it('keep one icon that can be shown and is small, and no other', async () => {
    const icon = (length: number) => ({ src: 'data:image/png;base64,'.padEnd(length, 'A') });
    const elsewhere = { src: 'https://a.test/icon.png' };
    await syncTools(db, 1, [
      { ...listed, icons: [elsewhere, icon(8_193), icon(8_192), icon(100)] },
      { ...listed, name: 'other', icons: [icon(64_000), elsewhere] },
    ]);
    const [echo, other] = await db.getAll('tools');
    expect(echo?.icons).toEqual([icon(8_192)]);
    expect(other).not.toHaveProperty('icons');
  });

  it('lose what chats were granted as soon as a permission is set, and keep it when they are switched', async () => {
    const given = { at: '2026-01-01T00:00:00.000Z', used: 0 };
    const grant = { conversationId: 'c1', serverId: 1, toolName: 'echo', fingerprint: 'f', given };
    const others = [
      { ...grant, toolName: 'add' },
      { ...grant, serverId: 2 },
    ];
    await syncTools(db, 1, [listed]);
    for (const each of [grant, { ...grant, conversationId: 'c2' }, ...others]) await putGrant(db, each);
    await setTool(db, 1, 'echo', { enabled: false });
    expect(await db.count('grants')).toBe(4);
    await setTool(db, 1, 'echo', { permission: 'ask' });
    expect(await db.getAll('grants')).toEqual(others);
  });
});

describe('what the user saw of a tool', () => {
  const { offeredName: _offered, ...seen } = listed;
  const input = {
    name: 'Notes',
    transport: 'streamable-http',
    url: 'https://notes.example/mcp',
    enabled: true,
    toolTimeout: 1000,
    oneAtATime: false,
  } as const;
  const trust = (trusted: boolean, id?: number) => putServer(db, { ...input, trusted, ...(id && { id }) });
  const reviewOf = async (id: number, name = 'echo') => (await db.get('tools', [id, name]))?.review;

  it.each([
    ['title', { title: 'Echo' }],
    ['description', { description: 'Deletes it all.' }],
    ['schema', { inputSchema: {} }],
    ['annotations', { annotations: {} }],
  ])('is kept when its trusted server changes its %s, until that is taken back', async (_part, change) => {
    const id = await trust(true);
    await syncTools(db, id, [listed]);
    expect(await reviewOf(id)).toBeUndefined();
    await syncTools(db, id, [{ ...listed, ...change }]);
    await syncTools(db, id, [{ ...listed, ...change, description: 'A third one.' }]);
    expect(await reviewOf(id)).toEqual({ before: seen });
    await syncTools(db, id, [listed]);
    expect(await reviewOf(id)).toBeUndefined();
  });

  it('outlasts an absence, in which a server could have it forgotten', async () => {
    const id = await trust(true);
    await syncTools(db, id, [listed]);
    await syncTools(db, id, []);
    await syncTools(db, id, [{ ...listed, description: 'Deletes it all.' }]);
    expect(await reviewOf(id)).toEqual({ before: seen });
  });

  it('is nothing of a tool that comes later, however often it changes or comes back', async () => {
    const id = await trust(true);
    await syncTools(db, id, [listed]);
    const late = { ...listed, name: 'late' };
    await syncTools(db, id, [listed, late]);
    await syncTools(db, id, [listed, { ...late, description: 'Another one.' }]);
    expect(await reviewOf(id, 'late')).toEqual({});
    await syncTools(db, id, [listed]);
    expect(await db.get('tools', [id, 'late'])).toBeUndefined();
    await syncTools(db, id, [listed, late]);
    expect(await reviewOf(id, 'late')).toEqual({});
  });

  it('counts where one tool was allowed, always or in a chat, and not where nothing was', async () => {
    const id = await trust(false);
    const named = (description: string) =>
      ['always', 'chat', 'neither'].map((name) => ({ ...listed, name, description }));
    await syncTools(db, id, named('Before.'));
    await setTool(db, id, 'always', { permission: 'allow' });
    const given = { at: '2026-01-01T00:00:00.000Z', used: 0 };
    await putGrant(db, { conversationId: 'c1', serverId: id, toolName: 'chat', fingerprint: 'f', given });
    await syncTools(db, id, [...named('After.'), { ...listed, name: 'late' }]);
    await syncTools(db, id, named('After.'));
    expect(await reviewOf(id, 'always')).toMatchObject({ before: { description: 'Before.' } });
    expect(await reviewOf(id, 'chat')).toMatchObject({ before: { description: 'Before.' } });
    expect(await reviewOf(id, 'neither')).toBeUndefined();
    expect(await reviewOf(id, 'late')).toBeUndefined();
  });

  it('is what the tool is now once the user allows it, accepts it or trusts its server', async () => {
    const id = await trust(true);
    const change = async (description: string) => {
      await syncTools(db, id, [{ ...listed, description }]);
      expect(await reviewOf(id)).toBeDefined();
    };
    await syncTools(db, id, [listed]);
    await change('Second.');
    await setTool(db, id, 'echo', { permission: 'allow' });
    expect(await reviewOf(id)).toBeUndefined();
    await change('Third.');
    await setTool(db, id, 'echo', { permission: 'ask', enabled: false });
    expect(await reviewOf(id)).toBeDefined();
    expect(await setTool(db, id, 'echo', { accepted: true }, { ...listed, description: 'Stale.' })).toBe(
      false,
    );
    expect(await reviewOf(id)).toBeDefined();
    await setTool(db, id, 'echo', { accepted: true }, { ...listed, description: 'Third.' });
    expect(await reviewOf(id)).toBeUndefined();
    await change('Fourth.');
    await trust(false, id);
    expect(await reviewOf(id)).toBeDefined();
    await trust(true, id);
    expect(await reviewOf(id)).toBeUndefined();
  });

  it('does not matter of Portside’s own tools, which change with Portside', async () => {
    await syncTools(db, OWN_TOOLS, [listed]);
    await setTool(db, OWN_TOOLS, 'echo', { permission: 'allow' });
    await syncTools(db, OWN_TOOLS, [
      { ...listed, description: 'Better.' },
      { ...listed, name: 'late' },
    ]);
    expect(await reviewOf(OWN_TOOLS)).toBeUndefined();
    expect(await reviewOf(OWN_TOOLS, 'late')).toBeUndefined();
  });
});
