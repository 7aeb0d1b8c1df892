import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../lib/storage/schema.ts';
import type { CallTool } from '../../lib/types/tools/call-tool.ts';
import { mayRunAgain } from '../../lib/types/tools/tool-call.ts';
import { outline, unfenced } from '../fakes/rows.ts';
import { calls, says, saysThenHangs, scriptedModel } from '../fakes/scripted-model.ts';
import {
  isWaiting,
  runEvent,
  send,
  startWorker as startWorkerOn,
  succeed,
  type WorkerOptions,
} from '../fakes/worker.ts';
import { branch, ended, freshDatabase, snapshotOf, stored } from './scene.ts';

let db: Database;
const startWorker = (options: Omit<WorkerOptions, 'db'>) => startWorkerOn({ ...options, db });

beforeEach(async () => {
  db = await freshDatabase();
});

/** Fails the first time each tool is called. */
function failingOnce(): { callTool: CallTool; made: string[] } {
  const made: string[] = [];
  const callTool: CallTool = async (call, args, options) => {
    made.push(call.toolName);
    if (made.filter((name) => name === call.toolName).length > 1) return succeed(call, args, options);
    await options.started();
    return { status: 'error', result: { text: 'It broke.', isError: true } };
  };
  return { callTool, made };
}

const both = calls(['mcp__1__note', {}], ['mcp__1__look', {}]);
const again = { conversationId: 'c1', runId: 'again' };

describe('a call that is run again', () => {
  it('alone is made, and the model goes on from its result; what came after stays on a branch of its own', async () => {
    const { callTool: failOnce, made } = failingOnce();
    const pause = Promise.withResolvers<void>();
    const callTool: CallTool = async (...asked) => {
      if (made.length === 2) await pause.promise;
      return failOnce(...asked);
    };
    const script = scriptedModel(both, says('It failed'), says('Never mind'), says('It worked'));
    const { runs, until, sent, shown } = startWorker({ model: script.model, callTool });
    await send(runs, 'Do both', 'a');
    await until(runEvent('run_end', 'a'));
    await send(runs, 'Well', 'b');
    await until(runEvent('run_end', 'b'));
    const [note] = await db.getAll('toolCalls');
    sent.length = 0;
    await runs.runAgain({ callId: note?.callId ?? '', runId: again.runId });
    // Panels get the other branch whole, before anything happened on it.
    await until(({ type }) => type === 'snapshot');
    expect(outline(shown().messages)).toEqual(['user: Do both', 'assistant: ', 'tool: ']);
    expect(shown().calls[note?.callId ?? '']).toMatchObject({ status: 'pending' });
    expect(shown().calls[note?.callId ?? '']).not.toHaveProperty('result');
    expect(shown().calls[note?.callId ?? '']).toMatchObject({ earlier: [{ isError: true }] });
    pause.resolve();
    await until(runEvent('run_end', again.runId));

    expect(made).toEqual(['note', 'look', 'note']);
    const failure = 'tool: {"isError":true,"error":"It broke."}';
    expect(await branch(db)).toEqual([
      'user: Do both',
      'assistant: ',
      'tool: note done',
      failure,
      'assistant: It worked',
    ]);
    expect(outline(script.requests.at(-1)?.messages ?? []).map(unfenced)).toEqual(
      (await branch(db)).slice(0, -1),
    );
    expect(await stored(db)).toEqual(expect.arrayContaining(['assistant: It failed', 'user: Well']));
    expect(await db.getAll('toolCalls')).toMatchObject([{ status: 'success' }, { status: 'error' }]);
  });

  it('is made once, however often the same ids are sent', async () => {
    const { callTool, made } = failingOnce();
    const script = scriptedModel(calls(['mcp__1__note', {}]), says('It failed'), says('It worked'));
    const { runs, until, sent } = startWorker({ model: script.model, callTool });
    await send(runs, 'Note it');
    await until(ended);
    sent.length = 0;
    const callId = (await db.getAll('toolCalls'))[0]?.callId ?? '';
    await Promise.all([1, 2].map(() => runs.runAgain({ callId, runId: again.runId })));
    await until(ended);
    await runs.runAgain({ callId, runId: again.runId });
    expect(made).toEqual(['note', 'note']);
  });

  it('may be one whose server died in the middle: its outcome is unknown, and the model went on without', async () => {
    const text = 'The connection broke. It is not known whether the call was carried out.';
    let made = 0;
    const callTool: CallTool = async (call, args, options) => {
      made += 1;
      if (made > 1) return succeed(call, args, options);
      await options.started();
      return { status: 'unknown', result: { text, isError: true } };
    };
    const script = scriptedModel(calls(['mcp__1__note', {}]), says('Hm'), says('It worked'));
    const { runs, until, sent } = startWorker({ model: script.model, callTool });
    await send(runs, 'Note it');
    await until(ended);
    expect(await stored(db)).toContain(`tool: ${JSON.stringify({ isError: true, error: text })}`);
    const [row] = await db.getAll('toolCalls');
    expect(row).toMatchObject({ status: 'unknown', result: { isError: true } });
    expect(row).not.toHaveProperty('wait');
    expect(row && mayRunAgain(row)).toBe(true);
    expect(runs.stateOf('c1')).toBeUndefined();
    sent.length = 0;
    await runs.runAgain({ callId: row?.callId ?? '', runId: again.runId });
    await until(runEvent('run_end', again.runId));
    expect(made).toBe(2);
    expect((await branch(db)).at(-1)).toBe('assistant: It worked');
  });

  it('may be one of which the log keeps only the arguments', async () => {
    const { callTool, made } = failingOnce();
    const script = scriptedModel(calls(['mcp__1__note', { a: 1 }]), says('It failed'), says('It worked'));
    const { runs, until } = startWorker({ model: script.model, callTool });
    await send(runs, 'Note it');
    await until(ended);
    const row = (await db.getAll('toolCalls'))[0]!;
    await db.put('toolCalls', { ...row, result: { text: '', isError: true, dropped: true } });
    await runs.runAgain({ callId: row.callId, runId: again.runId });
    await until(runEvent('run_end', again.runId));
    expect(made).toEqual(['note', 'note']);
    expect(await db.getAll('toolCalls')).toMatchObject([
      { status: 'success', arguments: '{"a":1}', result: { text: 'note done' } },
    ]);
  });

  it('may be one that succeeded', async () => {
    const script = scriptedModel(calls(['mcp__1__look', {}]), says('Once'), says('Twice'));
    const { runs, until } = startWorker({ model: script.model });
    await send(runs, 'Look');
    await until(ended);
    const [row] = await db.getAll('toolCalls');
    expect(row).toMatchObject({ status: 'success' });
    if (row) await db.put('toolCalls', { ...row, imported: true });
    await runs.runAgain({ callId: row?.callId ?? '', runId: again.runId });
    await until(runEvent('run_end', again.runId));
    expect((await db.getAll('toolCalls'))[0]).not.toHaveProperty('imported');
    expect(await branch(db)).toEqual(['user: Look', 'assistant: ', 'tool: look done', 'assistant: Twice']);
  });

  it('is not one that was refused, nor one that succeeded and that the log keeps no more', async () => {
    const script = scriptedModel(calls(['mcp__1__look', {}], ['mcp__1__note', '[1]']), says('Done'));
    const { runs, until } = startWorker({ model: script.model });
    await send(runs, 'Look');
    await until(ended);
    const [row] = await db.getAll('toolCalls');
    if (row) await db.put('toolCalls', { ...row, result: { text: '', isError: false, dropped: true } });
    const before = await db.getAll('toolCalls');
    expect(before).toMatchObject([{ status: 'success' }, { status: 'error', refused: true }]);
    for (const { callId } of [...before, { callId: 'missing' }])
      await expect(runs.runAgain({ callId, runId: again.runId })).rejects.toMatchObject({
        code: 'not_repeatable',
      });
    expect(await db.getAll('toolCalls')).toEqual(before);
    expect(await db.get('runs', again.runId)).toBeUndefined();
  });

  it('waits for its turn: not while the conversation’s run goes on', async () => {
    const { callTool, made } = failingOnce();
    const script = scriptedModel(calls(['mcp__1__note', {}]), saysThenHangs('Hm'), says('It worked'));
    const { runs, until } = startWorker({ model: script.model, callTool });
    await send(runs, 'Note it');
    await until(runEvent('text_delta'));
    const callId = (await db.getAll('toolCalls'))[0]?.callId ?? '';
    const request = { callId, runId: again.runId };
    await expect(runs.runAgain(request)).rejects.toMatchObject({ code: 'run_live' });
    await runs.stop({ conversationId: 'c1' });
    await runs.runAgain(request);
    await until(runEvent('run_end', again.runId));
    expect(made).toEqual(['note', 'note']);
    expect((await snapshotOf(runs)).messages.at(-1)).toMatchObject({ content: 'It worked' });
  });

  it('asks first when it was never allowed: it was stopped while the user was asked', async () => {
    const made: string[] = [];
    const script = scriptedModel(calls(['mcp__1__note', {}]), says('Noted'));
    const { runs, until, sent } = startWorker({
      model: script.model,
      permission: 'ask',
      definitionOf: async () => ({ fingerprint: 'f1', annotations: {} }),
      callTool: (call, args, options) => {
        made.push(call.toolName);
        return succeed(call, args, options);
      },
    });
    await send(runs, 'Note it');
    await until(isWaiting);
    await runs.stop({ conversationId: 'c1' });
    expect(await db.getAll('toolCalls')).toMatchObject([{ status: 'cancelled' }]);
    sent.length = 0;
    const callId = (await db.getAll('toolCalls'))[0]?.callId ?? '';
    await runs.runAgain({ callId, runId: again.runId });
    await until(isWaiting);
    expect(made).toEqual([]);
    await runs.resolve({ callId, decision: 'allow' });
    await until(runEvent('run_end', again.runId));
    expect(made).toEqual(['note']);
  });

  it('asks again where permission is needed, with what the user had made of the arguments', async () => {
    const { callTool, made } = failingOnce();
    const script = scriptedModel(calls(['mcp__1__note', {}]), says('It failed'), says('It worked'));
    const { runs, until, sent } = startWorker({ model: script.model, permission: 'ask', callTool });
    await send(runs, 'Note it');
    await until(isWaiting);
    const callId = (await db.getAll('toolCalls'))[0]?.callId ?? '';
    await runs.resolve({ callId, decision: 'allow', arguments: '{"text":"Mine"}' });
    await until(ended);
    sent.length = 0;
    await runs.runAgain({ callId, runId: again.runId });
    await until((event) => isWaiting(event) || ended(event));
    expect(made).toEqual(['note']);
    expect(await db.getAll('toolCalls')).toMatchObject([{ wait: 'permission', edited: '{"text":"Mine"}' }]);
    expect(await db.get('toolCalls', callId)).not.toHaveProperty('allowed');
    await runs.resolve({ callId, decision: 'allow' });
    await until(runEvent('run_end', again.runId));
    expect(made).toEqual(['note', 'note']);
  });

  it.each([
    ['its tool is blocked', { permission: 'block' as const }, /blocked/],
    ['its arguments no longer fit', { checkArguments: () => '`text` is missing' }, /^`text` is missing$/],
  ])('is left alone when %s', async (_why, options, cause) => {
    const { callTool } = failingOnce();
    const script = scriptedModel(calls(['mcp__1__note', {}]), says('It failed'));
    const first = startWorker({ model: script.model, callTool });
    await send(first.runs, 'Note it');
    await first.until(ended);
    const before = await db.getAll('toolCalls');
    const later = startWorker({ model: scriptedModel().model, ...options });
    const request = { callId: before[0]?.callId ?? '', runId: again.runId };
    await expect(later.runs.runAgain(request)).rejects.toMatchObject({
      code: 'not_repeatable',
      detail: expect.stringMatching(cause),
    });
    expect(await db.getAll('toolCalls')).toEqual(before);
    expect(await db.get('runs', again.runId)).toBeUndefined();
  });
});
