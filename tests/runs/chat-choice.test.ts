import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { NEW_CHAT } from '../../lib/protocol/chats.ts';
import type { Database } from '../../lib/storage/schema.ts';
import type { ToolChanges } from '../../lib/types/conversation.ts';
import { loadNewChat } from '../../lib/storage/configuration/new-chat.ts';
import { says, saysThenHangs, scriptedModel } from '../fakes/scripted-model.ts';
import { runEvent, send, startWorker as startWorkerOn, type WorkerOptions } from '../fakes/worker.ts';
import { ended, freshDatabase } from './scene.ts';

let db: Database;
const startWorker = (options: Omit<WorkerOptions, 'db'>) => startWorkerOn({ ...options, db });

beforeEach(async () => {
  db = await freshDatabase();
});

describe('how a chat is asked', () => {
  it('keeps a provider that the user chose while it worked', async () => {
    const { runs, until } = startWorker({ model: scriptedModel(saysThenHangs('So far')).model });
    await send(runs, 'Hello');
    await until(runEvent('text_delta'));
    await runs.setChat({ conversationId: 'c1', providerId: 7 });
    await runs.stop({ conversationId: 'c1' });
    expect(await db.get('conversations', 'c1')).toMatchObject({ providerId: 7 });
    expect((await db.get('conversations', 'c1'))?.leafId).not.toBe('r1.message');
  });

  it('is what was chosen for the new chat; the next one keeps provider and model, and nothing else', async () => {
    const { runs, until, begun } = startWorker({ model: scriptedModel(says('Hi'), says('Hi')).model });
    await runs.setChat({ conversationId: NEW_CHAT, providerId: 7, model: 'large' });
    await runs.setChat({ conversationId: NEW_CHAT, settings: { system: 'Be brief.' }, project: 'k' });
    await send(runs, 'Hello');
    await until(ended);
    const choice = { providerId: 7, model: 'large' };
    expect(await db.get('conversations', 'c1')).toMatchObject({
      ...choice,
      settings: { system: 'Be brief.' },
      project: 'k',
    });
    expect(await loadNewChat(db)).toEqual({ ...choice, settings: {}, tools: {}, project: null });
    expect(begun).toHaveLength(1);
    await send(runs, 'More', 'r2');
    expect(begun).toHaveLength(1);
  });

  it('has tools on or off for itself alone', async () => {
    const { runs, until } = startWorker({ model: scriptedModel(says('Hi'), says('Hi')).model });
    await runs.setChat({ conversationId: NEW_CHAT, tools: { mcp__1: false } });
    await send(runs, 'Hello');
    await until(ended);
    expect(await db.get('conversations', 'c1')).toMatchObject({ tools: { mcp__1: false } });
    const tools = { mcp__1: false, mcp__1__look: true };
    expect(await runs.setChat({ conversationId: 'c1', tools })).toBe(false);
    await runs.setChat({ conversationId: 'c1', settings: { temperature: 0 } });
    expect(await db.get('conversations', 'c1')).toMatchObject({ tools, settings: { temperature: 0 } });
    expect((await loadNewChat(db)).tools).toEqual({});
  });

  it('has a file’s system prompt for the user’s own once they change it, and not with anything else', async () => {
    const { runs, until } = startWorker({ model: scriptedModel(says('Hi')).model });
    await send(runs, 'Hello');
    await until(ended);
    const chat = await db.get('conversations', 'c1');
    const settings = { system: 'Be brief.' };
    if (chat) await db.put('conversations', { ...chat, settings, imported: true, systemFromFile: true });
    await runs.setChat({ conversationId: 'c1', settings: { ...settings, temperature: 0 } });
    await runs.setChat({ conversationId: 'c1', model: 'large' });
    expect(await db.get('conversations', 'c1')).toMatchObject({ systemFromFile: true });
    await runs.setChat({ conversationId: 'c1', settings: { system: 'Be kind.' } });
    const now = await db.get('conversations', 'c1');
    expect(now).toMatchObject({ settings: { system: 'Be kind.' }, imported: true });
    expect(now).not.toHaveProperty('systemFromFile');
  });

  it.each(['c1', NEW_CHAT])('has every choice of tools that two panels made at once (%s)', async (id) => {
    const { runs, until } = startWorker({ model: scriptedModel(says('Hi')).model });
    await send(runs, 'Hello');
    await until(ended);
    const now = async () =>
      (id === NEW_CHAT ? await loadNewChat(db) : await db.get('conversations', id))?.tools;
    const change = (tools: ToolChanges) => runs.setChat({ conversationId: id, tools });
    await Promise.all([change({ mcp__1: false }), change({ mcp__2__echo: true }), change({ mcp__3: true })]);
    expect(await now()).toEqual({ mcp__1: false, mcp__2__echo: true, mcp__3: true });
    await Promise.all([change({ mcp__1: null, mcp__4: null }), change({ mcp__3: false })]);
    expect(await now()).toEqual({ mcp__2__echo: true, mcp__3: false });
  });

  it('keeps its provider and model when what is taken over names none', async () => {
    const { runs } = startWorker({ model: scriptedModel().model });
    await runs.setChat({ conversationId: NEW_CHAT, providerId: 7, model: 'large' });
    const plain = { providerId: null, model: null, settings: { system: 'Be plain.' } };
    await runs.setChat({ conversationId: NEW_CHAT, ...plain });
    expect(await loadNewChat(db)).toEqual({ ...plain, providerId: 7, model: 'large' });
  });

  it('says whether the next new chat is asked otherwise, too', async () => {
    const { runs, until } = startWorker({ model: scriptedModel(says('Hi')).model });
    await send(runs, 'Hello');
    await until(ended);
    expect(await runs.setChat({ conversationId: 'c1', settings: { temperature: 0 } })).toBe(false);
    expect(await runs.setChat({ conversationId: 'c1', model: 'large' })).toBe(true);
    expect(await runs.setChat({ conversationId: NEW_CHAT, settings: {} })).toBe(true);
    expect(await runs.setChat({ conversationId: 'missing', providerId: 9 })).toBe(false);
  });

  it('changes for one chat; the provider and model chosen last are the next new chat’s', async () => {
    const { runs, until } = startWorker({ model: scriptedModel(says('Hi')).model });
    await send(runs, 'Hello');
    await until(ended);
    await runs.setChat({ conversationId: 'c1', model: 'large' });
    await runs.setChat({ conversationId: 'c1', settings: { temperature: 0 } });
    expect(await loadNewChat(db)).toEqual({ providerId: null, model: 'large', settings: {} });
    await runs.setChat({ conversationId: 'c1', providerId: 3 });
    const own = { providerId: 3, model: null, settings: { temperature: 0 } };
    expect(await db.get('conversations', 'c1')).toMatchObject(own);
    await runs.setChat({ conversationId: 'missing', providerId: 9 });
    expect((await loadNewChat(db)).providerId).toBe(3);
  });
});
