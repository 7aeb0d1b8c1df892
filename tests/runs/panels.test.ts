import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { newConversation, newRun } from '../../lib/runs/rows.ts';
import { listConversations } from '../../lib/storage/chats/conversations.ts';
import { NEW_CHAT } from '../../lib/protocol/chats.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { NOW, outline, userMessage } from '../fakes/rows.ts';
import { aborted, calls, failed, says, saysThenHangs, scriptedModel } from '../fakes/scripted-model.ts';
import {
  isWaiting,
  runEvent,
  send,
  startWorker as startWorkerOn,
  type WorkerOptions,
} from '../fakes/worker.ts';
import { ended, freshDatabase, snapshotOf } from './scene.ts';

let db: Database;
const startWorker = (options: Omit<WorkerOptions, 'db'>) => startWorkerOn({ ...options, db });

beforeEach(async () => {
  db = await freshDatabase();
});

describe('a panel', () => {
  it('shows a panel that opens in mid-answer all that was said so far', async () => {
    const { runs, until } = startWorker({ model: scriptedModel(saysThenHangs('So far')).model });
    await send(runs, 'Hello');
    await until(runEvent('text_delta'));
    const snapshot = await snapshotOf(runs);
    expect(outline(snapshot.messages)).toEqual(['user: Hello', 'assistant (streaming): So far']);
    await runs.stop({ conversationId: 'c1' });
  });

  it('shows a panel that opens meanwhile the calls as far as they have streamed in', async () => {
    const pause = Promise.withResolvers<void>();
    const { runs, until } = startWorker({
      model: scriptedModel(async function* stream() {
        yield { type: 'call', position: 0, name: 'mcp__1__look', arguments: '{"a":' };
        yield { type: 'call', position: 0, name: 'mcp__1__look', arguments: '1}' };
        yield { type: 'call', position: 1, name: 'mcp__1__note', arguments: '{' };
        await pause.promise;
        yield* says('Done');
      }).model,
    });
    await send(runs, 'Both');
    await until(
      (event) => event.type === 'run' && event.event.type === 'call_delta' && event.event.position === 1,
    );
    const streaming = (await snapshotOf(runs)).messages.at(-1);
    expect(streaming).toMatchObject({
      tool_calls: [
        { name: 'mcp__1__look', arguments: '{"a":1}' },
        { name: 'mcp__1__note', arguments: '{' },
      ],
    });
    pause.resolve();
    await until(ended);
  });

  it('gives a page the pictures of a result, and of many calls no more than a port can carry', async () => {
    const picture = { type: 'image' as const, data: 'x'.repeat(3_000_000), mimeType: 'image/png' };
    const long = calls(['mcp__1__look', { text: 'y'.repeat(5_000_000) }]);
    const many = calls(...Array.from({ length: 9 }, (): [string, object] => ['mcp__1__look', {}]));
    const { runs, until } = startWorker({
      model: scriptedModel(long, many, says('Done')).model,
      callTool: async (_call, _args, { started }) => {
        await started();
        return { status: 'success', result: { text: 'A picture', isError: false, blocks: [picture] } };
      },
    });
    await send(runs, 'Look');
    await until(ended);
    const snapshot = await snapshotOf(runs);
    expect(JSON.stringify(snapshot).length).toBeLessThan(30_000_000);
    expect(snapshot.toolCalls.at(-1)?.result?.blocks).toEqual([picture]);
    expect(snapshot.toolCalls.at(0)?.arguments.length).toBeLessThanOrEqual(200_000);
  });

  it('gives a page no more of a result than a page can show; the database has the whole', async () => {
    const text = 'x'.repeat(5_000_000);
    const { runs, until, sent } = startWorker({
      model: scriptedModel(calls(['mcp__1__look', {}]), says('Done')).model,
      callTool: async (_call, _args, { started }) => {
        await started();
        return { status: 'success', result: { text, isError: false, blocks: [{ type: 'text', text }] } };
      },
    });
    await send(runs, 'Look');
    await until(ended);
    const snapshot = await snapshotOf(runs);
    expect(JSON.stringify(snapshot).length).toBeLessThan(500_000);
    const told = sent.filter(({ type }) => type !== 'run'); // their own listeners get all of it
    expect(JSON.stringify(told).length).toBeLessThan(500_000);
    expect(snapshot.toolCalls[0]?.result?.omitted).toBe(4_800_000);
    expect((await db.getAll('toolCalls'))[0]?.result?.text).toHaveLength(text.length);
  });

  it('gets the size of what it does not get of the arguments of a call that waits', async () => {
    const args = { text: 'y'.repeat(300_000) };
    const { runs, until, shown } = startWorker({
      model: scriptedModel(calls(['mcp__1__note', args], ['mcp__1__note', {}])).model,
      permission: 'ask',
    });
    await send(runs, 'Note');
    await until(isWaiting);
    const omittedArguments = JSON.stringify(args).length - 200_000;
    for (const told of [(await snapshotOf(runs)).toolCalls, Object.values(shown().calls)]) {
      expect(told).toMatchObject([{ wait: 'permission', omittedArguments }, { arguments: '{}' }]);
      expect(told[1]).not.toHaveProperty('omittedArguments');
    }
    expect((await db.getAll('toolCalls'))[0]).not.toHaveProperty('omittedArguments');
    await runs.stop({ conversationId: 'c1' });
  });

  it('that opens in the middle of very long arguments gets no more of them either', async () => {
    const { runs, until } = startWorker({
      model: scriptedModel(async function* stream(_request, signal) {
        yield { type: 'call', position: 0, name: 'mcp__1__note', arguments: 'y'.repeat(900_000) };
        await aborted(signal);
        yield failed('cancelled', 'Stopped.');
      }).model,
    });
    await send(runs, 'Note');
    await until(runEvent('call_delta'));
    expect(JSON.stringify(await snapshotOf(runs)).length).toBeLessThan(250_000);
    await runs.stop({ conversationId: 'c1' });
  });

  it('sees the branch that the conversation is on, and reads no more of a long one than it shows', async () => {
    await fill(10_000);
    const { runs } = startWorker({ model: scriptedModel().model });
    const gets = vi.spyOn(IDBObjectStore.prototype, 'get');
    const lists = [vi.spyOn(IDBObjectStore.prototype, 'getAll'), vi.spyOn(IDBIndex.prototype, 'getAll')];
    const snapshot = await snapshotOf(runs);
    const listed = lists.flatMap(({ mock }) =>
      mock.results.map(({ value }) => value as IDBRequest<unknown[]>),
    );
    const rows = gets.mock.calls.length + listed.reduce((sum, { result }) => sum + result.length, 0);
    vi.restoreAllMocks();
    expect(snapshot.messages).toHaveLength(50);
    expect(snapshot.messages.at(-1)?.id).toBe('m9998');
    expect(snapshot.hasOlder).toBe(true);
    expect(snapshot.runs.map(({ id }) => id).at(-1)).toBe('run-9998');
    expect(snapshot.runs.length).toBeLessThanOrEqual(25);
    expect(rows).toBeLessThan(200);
  });

  it('shows a stream on top of the branch, in the place of what was there before it', async () => {
    const half = [{ type: 'text', text: 'Half' } as const, failed('model_incomplete', 'It broke off.')];
    const script = scriptedModel(half, saysThenHangs('Whole'));
    const { runs, until, sent } = startWorker({ model: script.model });
    await send(runs, 'Hello');
    await until(runEvent('run_end'));
    sent.length = 0;
    await runs.start({ conversationId: 'c1', runId: 'r2' });
    await until((event) => event.type === 'message' && event.message.content === 'Whole');
    expect(outline((await snapshotOf(runs)).messages)).toEqual([
      'user: Hello',
      'assistant (streaming): Whole',
    ]);
    await runs.stop({ conversationId: 'c1' });
  });

  it('that opens shows the chat that waits for the user, newer ones and an unsent draft notwithstanding', async () => {
    let now = NOW;
    const script = scriptedModel(calls(['mcp__1__note', {}]), says('Newer'));
    const { runs, until, sent } = startWorker({
      model: script.model,
      permission: 'ask',
      now: () => (now += 1000),
    });
    await send(runs, 'Note it');
    await until(isWaiting);
    const message = { id: 'newer.message', text: 'Something else' };
    await runs.start({ conversationId: 'c2', runId: 'newer', message });
    await until(runEvent('run_end', 'newer'));
    await db.put('drafts', 'Unsent', 'new');
    const shown = () => runs.firstShown();
    expect(await shown()).toBe('c1');
    expect(
      (await listConversations(db, {}, runs.stateOf)).conversations.map(({ id, state }) => [id, state]),
    ).toEqual([
      ['c2', undefined],
      ['c1', 'waiting'],
    ]);
    await runs.stop({ conversationId: 'c1' });
    expect(await shown()).toBe(NEW_CHAT);
    const told = sent.flatMap((event) =>
      event.type === 'conversation_state' ? [`${event.conversationId} ${event.state}`] : [],
    );
    expect(told).toEqual(['c1 running', 'c1 waiting', 'c2 running', 'c2 null', 'c1 running', 'c1 null']);
  });

  it('is told in its list which chat failed, until it goes on', async () => {
    const script = scriptedModel([failed('model_unauthorized', 'The key is wrong.')], saysThenHangs('Now'));
    const { runs, until } = startWorker({ model: script.model });
    const state = async () => (await listConversations(db, {}, runs.stateOf)).conversations[0]?.state;
    await send(runs, 'Hello');
    await until(ended);
    await runs.stop({ conversationId: 'c1' });
    expect(await state()).toBe('failed');
    const later = startWorker({ model: script.model });
    expect((await listConversations(db, {}, later.runs.stateOf)).conversations).toMatchObject([
      { state: 'failed' },
    ]);
    await runs.start({ conversationId: 'c1', runId: 'r2' });
    await until(runEvent('text_delta', 'r2'));
    expect(await state()).toBe('running');
    await runs.stop({ conversationId: 'c1' });
    expect(await state()).toBeUndefined();
  });
});

/** A conversation of so many messages, whose last is on another branch than the one that shows. */
async function fill(count: number): Promise<void> {
  const tx = db.transaction(['conversations', 'messages', 'runs'], 'readwrite');
  const at = (seq: number) => new Date(NOW + seq).toISOString();
  for (let seq = 0; seq < count; seq += 1) {
    const parentId = seq === 0 ? null : `m${seq - 1}`;
    await tx.objectStore('messages').put(userMessage(`${seq}`, { id: `m${seq}`, parentId, seq }));
    if (seq % 2 === 1) continue;
    const run = {
      ...newRun(`run-${seq}`, { id: 'c1', leafId: `m${seq}` }, at(seq)),
      status: 'ended' as const,
    };
    await tx.objectStore('runs').put(run);
  }
  const choice = { providerId: null, model: null, settings: {} };
  const conversation = newConversation('c1', { text: 'Long' }, choice, at(0));
  await tx.objectStore('conversations').put({ ...conversation, leafId: `m${count - 2}` });
  await tx.done;
}
