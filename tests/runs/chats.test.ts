import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../lib/storage/schema.ts';
import { attachment, NOW, outline } from '../fakes/rows.ts';
import { calls, says, saysThenHangs, scriptedModel } from '../fakes/scripted-model.ts';
import {
  isWaiting,
  runEvent,
  send,
  startWorker as startWorkerOn,
  type Told,
  type WorkerOptions,
} from '../fakes/worker.ts';
import { loadPath } from '../../lib/storage/chats/messages.ts';
import { branch, ended, freshDatabase, snapshotOf } from './scene.ts';

let db: Database;
let time = NOW;
const startWorker = (options: Omit<WorkerOptions, 'db'>) =>
  startWorkerOn({ ...options, db, now: () => (time += 1000) });

beforeEach(async () => {
  db = await freshDatabase();
});

const idOf = async (text: string): Promise<string> =>
  (await db.getAll('messages')).find(({ content }) => content === text)?.id ?? '';
const conversation = async () => {
  const row = await db.get('conversations', 'c1');
  if (!row) throw new Error('No conversation.');
  return row;
};
const titleOf = (title: string) => `${title} (branch)`;
const ofType = (sent: Told[], type: Told['type']) => sent.filter((event) => event.type === type);

describe('a chat that is branched off', () => {
  async function talked() {
    const script = scriptedModel(calls(['mcp__1__look', { a: 1 }]), says('One'), says('Two'), says('Three'));
    const worker = startWorker({ model: script.model });
    await db.put('attachments', { ...attachment('a1', 'Attached'), conversationId: 'new' });
    const message = { id: 'm1', text: 'First', attachments: ['a1'] };
    await worker.runs.start({ conversationId: 'c1', runId: 'r1', message });
    await worker.until(runEvent('run_end', 'r1'));
    await send(worker.runs, 'Second', 'r2');
    await worker.until(runEvent('run_end', 'r2'));
    return { ...worker, script };
  }

  it('holds copies up to the end of the answer, and goes on by itself', async () => {
    const { runs, until, sent, script } = await talked();
    const change = { settings: { temperature: 1 }, tools: { mcp__1: false } };
    await runs.setChat({ conversationId: 'c1', ...change });
    const chat = await db.get('conversations', 'c1');
    const fromFile = { imported: true, systemFromFile: true } as const;
    if (chat) await db.put('conversations', { ...chat, ...fromFile });
    const before = await db.getAll('messages');
    const messageId = await idOf('One');
    sent.length = 0;
    const fork = await runs.chats.fork({ messageId: 'm1', conversationId: 'c2' }, titleOf);
    expect(fork).toMatchObject({
      ...change,
      ...fromFile,
      id: 'c2',
      title: 'First (branch)',
      forkedFrom: { conversationId: 'c1', messageId },
    });
    expect(ofType(sent, 'conversation')).toEqual([{ type: 'conversation', conversation: fork }]);
    expect(await db.get('conversations', 'c2')).toEqual(fork);
    const copies = await loadPath(db, 'c2', fork.leafId);
    expect(outline(copies)).toEqual(['user: First', 'assistant: ', 'tool: look done', 'assistant: One']);
    const known = new Set(before.map(({ id }) => id));
    expect(copies.filter(({ id }) => known.has(id))).toEqual([]);
    expect(copies[0]).toMatchObject({ attachments: [{ text: 'Attached' }] });
    expect(JSON.stringify(copies[0])).not.toContain('"a1"');
    const [copy] = await db.getAllFromIndex('toolCalls', 'by-conversation', 'c2');
    const [asked, result] = [copies[1]?.id, copies[2]?.id];
    expect(copy).toMatchObject({ callId: `${asked}.0`, messageId: asked, status: 'success' });
    expect(result).toBe(`${asked}.0.result`);

    await runs.start({ conversationId: 'c2', runId: 'r3', message: { id: 'm3', text: 'On' } });
    await until(runEvent('run_end', 'r3'));
    expect(script.requests.at(-1)?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    // The one it came from stays as it was.
    expect(
      outline(await db.getAllFromIndex('messages', 'by-place', IDBKeyRange.bound(['c1'], ['c1', []]))),
    ).toHaveLength(before.length);
    expect((await branch(db)).at(-1)).toBe('assistant: Two');
  });

  it('is made once, however often the same id comes, and has no grants', async () => {
    const { runs } = await talked();
    await db.put('grants', { conversationId: 'c1', serverId: 1, toolName: 'look' } as never);
    const request = { messageId: await idOf('Two'), conversationId: 'c2' };
    const fork = await runs.chats.fork(request, titleOf);
    expect(await runs.chats.fork(request, titleOf)).toEqual(fork);
    expect(await db.count('messages')).toBe(12);
    expect(await db.count('grants')).toBe(1);
    await expect(
      runs.chats.fork({ messageId: 'missing', conversationId: 'c3' }, titleOf),
    ).rejects.toMatchObject({ code: 'no_message' });
  });

  it('has a call of an app’s tool go to the app of its own copy', async () => {
    const script = scriptedModel(calls(['mcp__1__look', {}]), calls(['mcp__1__look', {}]), says('One'));
    const { runs, until } = startWorker({ model: script.model });
    await send(runs, 'First', 'r1');
    await until(runEvent('run_end', 'r1'));
    const callsIn = async (chat: string) => {
      const rows = await db.getAllFromIndex('toolCalls', 'by-conversation', chat);
      return rows.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
    };
    const [shown, called] = await callsIn('c1');
    if (shown && called) await db.put('toolCalls', { ...called, ofApp: shown.callId });
    await runs.chats.fork({ messageId: await idOf('One'), conversationId: 'c2' }, titleOf);
    const [shownThere, calledThere] = await callsIn('c2');
    expect(calledThere?.ofApp).toBe(shownThere?.callId);
    expect(calledThere?.ofApp).not.toBe(shown?.callId);
  });

  it('leaves out what is still going on: no call is made twice', async () => {
    const script = scriptedModel(says('One'), calls(['mcp__1__note', {}]));
    const { runs, until } = startWorker({ model: script.model, permission: 'ask' });
    await send(runs, 'First', 'r1');
    await until(runEvent('run_end', 'r1'));
    await send(runs, 'Second', 'r2');
    await until(isWaiting);
    const fork = await runs.chats.fork({ messageId: await idOf('Second'), conversationId: 'c2' }, titleOf);
    const copies = await loadPath(db, 'c2', fork.leafId);
    expect(outline(copies)).toEqual(['user: First', 'assistant: One', 'user: Second']);
    expect(await db.getAllFromIndex('toolCalls', 'by-conversation', 'c2')).toEqual([]);
  });
});

describe('a chat', () => {
  it('is called by the beginning of its first message, which is cut between two characters', async () => {
    const { runs, until } = startWorker({ model: scriptedModel(says('One')).model });
    await send(runs, `${'x'.repeat(38)}😀 and more`, 'r1');
    await until(runEvent('run_end', 'r1'));
    expect((await conversation()).title).toBe(`${'x'.repeat(38)}…`);
  });

  it('has the title that the user gives it, may be pinned, and archived until it is written in', async () => {
    const script = scriptedModel(says('One'), says('Two'));
    const { runs, until, sent } = startWorker({ model: script.model });
    await send(runs, 'First', 'r1');
    await until(runEvent('run_end', 'r1'));
    sent.length = 0;
    await runs.chats.set({ id: 'c1', title: 'Mine', pinned: true, archived: true });
    expect(await conversation()).toMatchObject({
      title: 'Mine',
      titledBy: 'person',
      pinnedAt: expect.any(String),
      archivedAt: expect.any(String),
    });
    expect(sent).toEqual([{ type: 'conversation', conversation: await conversation() }]);
    await runs.chats.set({ id: 'c1', pinned: false });
    expect(await conversation()).toMatchObject({ title: 'Mine', archivedAt: expect.any(String) });
    expect((await conversation()).pinnedAt).toBeUndefined();
    await send(runs, 'Second', 'r2');
    await until(runEvent('run_end', 'r2'));
    expect((await conversation()).archivedAt).toBeUndefined();
    expect((await conversation()).title).toBe('Mine');
  });

  it('keeps what is changed in it while its run goes on', async () => {
    const { runs, until } = startWorker({ model: scriptedModel(saysThenHangs('Half')).model });
    await send(runs, 'First');
    await until(runEvent('text_delta'));
    await runs.chats.set({ id: 'c1', title: 'Mine' });
    await runs.stop({ conversationId: 'c1' });
    expect(await conversation()).toMatchObject({ title: 'Mine', titledBy: 'person' });
  });
});

describe('a chat that is deleted', () => {
  it('has its run stopped, is gone for every command, and can be restored', async () => {
    const script = scriptedModel(saysThenHangs('Half'), says('Whole'));
    const { runs, until, sent } = startWorker({ model: script.model });
    await send(runs, 'First');
    await until(runEvent('text_delta'));
    await runs.chats.remove({ ids: ['c1', 'missing'] });
    expect(sent.filter(ended)).toHaveLength(1);
    expect(ofType(sent, 'conversations_gone')).toEqual([{ type: 'conversations_gone', ids: ['c1'] }]);
    expect((await snapshotOf(runs)).conversation).toBeNull();
    const none = { code: 'no_conversation' };
    await expect(send(runs, 'Again', 'r2')).rejects.toMatchObject(none);
    await expect(runs.start({ conversationId: 'c1', runId: 'r2' })).rejects.toMatchObject(none);
    await runs.chats.set({ id: 'c1', title: 'Mine' });
    expect((await conversation()).title).toBe('First');
    const worker = startWorker({ model: script.model });
    await worker.runs.resume();
    expect(worker.working.size).toBe(0);

    sent.length = 0;
    await runs.chats.restore({ ids: ['c1'] });
    expect(sent).toEqual([{ type: 'conversation', conversation: await conversation() }]);
    expect((await conversation()).deletedAt).toBeUndefined();
    await runs.start({ conversationId: 'c1', runId: 'r3' });
    await until(runEvent('run_end', 'r3'));
    expect(await branch(db)).toEqual(['user: First', 'assistant: Whole']);
  });
});
