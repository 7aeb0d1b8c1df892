import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../lib/storage/database.ts';
import { putGrant } from '../../lib/storage/grants.ts';
import { listTools, setTool, syncTools } from '../../lib/storage/tools.ts';

let db: Database;

beforeEach(async () => {
  db = await openDatabase(crypto.randomUUID());
});

const listed = {
  name: 'echo',
  offeredName: 'mcp__1__tool',
  description: 'Says it again.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' }, times: { type: 'number' } } },
  annotations: { readOnlyHint: true },
};

const permissionNow = async () => (await db.get('tools', [1, 'echo']))?.permission;

describe('tools', () => {
  it('keep the person’s choices over a reconnect and an absence; a new tool is on, without a choice', async () => {
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

  it('are listed without their schemas', async () => {
    await syncTools(db, 1, [listed]);
    expect(await listTools(db)).toMatchObject([{ name: 'echo', description: 'Says it again.' }]);
    expect((await listTools(db))[0]).not.toHaveProperty('inputSchema');
  });

  it('lose what chats were granted as soon as a permission is set, and keep it when they are switched', async () => {
    const grant = { conversationId: 'c1', serverId: 1, toolName: 'echo', fingerprint: 'f' };
    const others = [
      { ...grant, toolName: 'add' },
      { ...grant, serverId: 2 },
    ];
    await syncTools(db, 1, [listed]);
    for (const given of [grant, { ...grant, conversationId: 'c2' }, ...others]) await putGrant(db, given);
    await setTool(db, 1, 'echo', { enabled: false });
    expect(await db.count('grants')).toBe(4);
    await setTool(db, 1, 'echo', { permission: 'ask' });
    expect(await db.getAll('grants')).toEqual(others);
  });
});
