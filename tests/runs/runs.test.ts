import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../lib/protocol.ts';
import type { Runs } from '../../lib/runs/runs.ts';
import { type Database, openDatabase } from '../../lib/storage/database.ts';
import type { CallTool } from '../../lib/types.ts';
import { NOW, outline } from '../fakes/rows.ts';
import { aborted, calls, failed, says, saysThenHangs, scriptedModel } from '../fakes/scripted-model.ts';
import {
  runEvent,
  send,
  startWorker as startWorkerOn,
  succeed,
  type WorkerOptions,
} from '../fakes/worker.ts';

let db: Database;
let databases = 0;

const startWorker = (options: Omit<WorkerOptions, 'db'>) => startWorkerOn({ ...options, db });
const ended = runEvent('run_end');

async function snapshotOf(runs: Runs): Promise<Snapshot> {
  const { promise, resolve } = Promise.withResolvers<Snapshot>();
  await runs.snapshot('c1', resolve);
  return promise;
}

/** Messages on disk, in order. */
const onDisk = async () => outline(await db.getAllFromIndex('messages', 'by-place'));

beforeEach(async () => {
  db = await openDatabase(`runs-${++databases}`);
});

describe('a run', () => {
  it('writes the user’s message and the run before the model is asked', async () => {
    const asked = Promise.withResolvers<string[]>();
    const { model } = scriptedModel(async function* look() {
      asked.resolve(await onDisk());
      yield* says('Hi');
    });
    const { runs, until } = startWorker({ model });
    await send(runs, 'Hello');
    expect(await asked.promise).toEqual(['user: Hello']);
    await until(ended);
    expect(await onDisk()).toEqual(['user: Hello', 'assistant: Hi']);
    expect(await db.get('runs', 'r1')).toMatchObject({ status: 'ended', reason: 'done', iteration: 1 });
  });

  it('has its ledger row `running` on disk before the call is dispatched, and the result with it after', async () => {
    let dispatched: unknown;
    const { runs, until } = startWorker({
      model: scriptedModel(calls(['mcp__1__note', { a: 1 }]), says('Done')).model,
      callTool: async (call, _args, { started }) => {
        await started();
        const [row] = await db.getAll('toolCalls');
        dispatched = row?.status;
        return succeed(
          call,
          {},
          { started: async () => {}, progress: () => {}, signal: AbortSignal.any([]) },
        );
      },
    });
    await send(runs, 'Note it');
    await until(ended);
    expect(dispatched).toBe('running');
    expect(await db.getAll('toolCalls')).toMatchObject([
      { status: 'success', toolName: 'note', position: 0 },
    ]);
    expect(await onDisk()).toEqual(['user: Note it', 'assistant: ', 'tool: note done', 'assistant: Done']);
  });

  it('starts once, however often its ids are sent', async () => {
    const script = scriptedModel(says('Hi'), says('Hi again'));
    const { runs, until } = startWorker({ model: script.model });
    await Promise.all([send(runs, 'Hello'), send(runs, 'Hello'), send(runs, 'Hello')]);
    await until(ended);
    await send(runs, 'Hello');
    expect(script.requests).toHaveLength(1);
    expect(await onDisk()).toEqual(['user: Hello', 'assistant: Hi']);
  });

  it('keeps the partial answer when it is stopped, and the next message works', async () => {
    const script = scriptedModel(saysThenHangs('So far'), says('Fresh'));
    const { runs, until, sent } = startWorker({ model: script.model });
    await send(runs, 'Hello');
    await until(runEvent('text_delta'));
    await runs.stop({ conversationId: 'c1' });
    expect(await onDisk()).toEqual(['user: Hello', 'assistant (partial): So far']);
    sent.length = 0;
    await send(runs, 'Again', 'r2');
    await until(ended);
    expect(outline(script.requests[1]?.messages ?? [])).toEqual([
      'user: Hello',
      'assistant (partial): So far',
      'user: Again',
    ]);
  });

  it('replaces the partial answer of a failed run when it is retried', async () => {
    const script = scriptedModel(
      [{ type: 'text', text: 'Half' }, failed('model_incomplete', 'It broke off.')],
      says('Whole'),
    );
    const { runs, until, sent } = startWorker({ model: script.model });
    await send(runs, 'Hello');
    await until(ended);
    expect(await onDisk()).toEqual(['user: Hello', 'assistant (partial): Half']);
    sent.length = 0;
    await runs.start({ conversationId: 'c1', runId: 'r2' });
    await until(ended);
    expect(await onDisk()).toEqual(['user: Hello', 'assistant: Whole']);
    expect(outline(script.requests[1]?.messages ?? [])).toEqual(['user: Hello']);
  });

  it('queues a second panel’s message and sends it when the live run has ended', async () => {
    const pause = Promise.withResolvers<void>();
    const script = scriptedModel(async function* busy() {
      await pause.promise;
      yield* says('First answer');
    }, says('Second answer'));
    const { runs, until, sent } = startWorker({ model: script.model });
    await send(runs, 'First');
    await until(runEvent('iteration_start'));
    await send(runs, 'Second', 'r2');
    expect((await snapshotOf(runs)).runs.map(({ id, status }) => [id, status])).toEqual([
      ['r1', 'working'],
      ['r2', 'queued'],
    ]);
    pause.resolve();
    await until((event) => event.type === 'run' && event.runId === 'r2' && event.event.type === 'run_end');
    expect(sent.filter(runEvent('run_end'))).toHaveLength(2);
    expect((await onDisk()).slice(2)).toEqual(['user: Second', 'assistant: Second answer']);
  });

  it('shows a panel that opens in mid-answer all that was said so far', async () => {
    const { runs, until } = startWorker({ model: scriptedModel(saysThenHangs('So far')).model });
    await send(runs, 'Hello');
    await until(runEvent('text_delta'));
    const snapshot = await snapshotOf(runs);
    expect(outline(snapshot.messages)).toEqual(['user: Hello', 'assistant (streaming): So far']);
    await runs.stop({ conversationId: 'c1' });
  });

  it('keeps no worker alive while it waits for the person', async () => {
    const script = scriptedModel(calls(['mcp__1__note', {}]), says('Done'));
    const { runs, until, working } = startWorker({ model: script.model, permission: 'ask' });
    await send(runs, 'Note it');
    await until((event) => event.type === 'run_changed' && event.run.status === 'waiting');
    expect([...working]).toEqual([]);
    const [row] = await db.getAll('toolCalls');
    expect(row).toMatchObject({ status: 'pending', wait: 'permission' });
    await runs.resolve({ callId: row?.callId ?? '', decision: 'allow' });
    await until(ended);
    expect(await db.getAll('toolCalls')).toMatchObject([{ status: 'success' }]);
  });
});

describe('a run, at its edges', () => {
  it('is not shown ahead of the disk, and no call is made ahead of it', async () => {
    const written: string[] = [];
    const log: string[] = [];
    const { runs, until, sent } = startWorker({
      model: scriptedModel(calls(['mcp__1__note', {}]), says('Done')).model,
      store: (store) => ({
        ...store,
        write: async (entry) => {
          await new Promise((resolve) => setTimeout(resolve, 5)); // a slow disk
          await store.write(entry);
          for (const call of entry.calls ?? []) written.push(`call ${call.status}`);
          if (entry.message) written.push(`${entry.message.role} message`);
        },
      }),
      callTool: async (call, args, options) => {
        await options.started();
        log.push(`dispatched with ${written.at(-1)}`);
        return succeed(call, args, { ...options, started: async () => {} });
      },
    });
    const seen = new Set<string>();
    const noticed = setInterval(() => {
      for (const event of sent) {
        if (event.type !== 'run' || seen.has(event.event.type)) continue;
        seen.add(event.event.type);
        if (event.event.type === 'message_end')
          log.push(`message shown: ${written.includes('assistant message')}`);
        if (event.event.type === 'call_end') log.push(`result shown: ${written.includes('tool message')}`);
      }
    }, 1);
    await send(runs, 'Note it');
    await until(ended);
    clearInterval(noticed);
    expect(log).toEqual(['message shown: true', 'dispatched with call running', 'result shown: true']);
  });

  it('takes back what was queued when it is stopped: nothing is sent, nothing is lost', async () => {
    const script = scriptedModel(saysThenHangs('Busy'), says('Never asked for'));
    const { runs, until, sent } = startWorker({ model: script.model });
    await send(runs, 'First');
    await until(runEvent('text_delta'));
    await send(runs, 'Second', 'r2');
    await send(runs, 'Third', 'r3');
    await runs.stop({ conversationId: 'c1' });
    expect(sent).toContainEqual({ type: 'unsent', conversationId: 'c1', texts: ['Second', 'Third'] });
    expect(await snapshotOf(runs)).toMatchObject({
      draft: 'Second\nThird',
      runs: [{ id: 'r1', status: 'ended' }],
    });
    expect(script.requests).toHaveLength(1);
  });

  it('is resumed when the worker dies while a Retry streams over a partial answer', async () => {
    const half = [{ type: 'text', text: 'Half' } as const, failed('model_incomplete', 'It broke off.')];
    const first = startWorker({ model: scriptedModel(half, saysThenHangs('Retr')).model });
    await send(first.runs, 'Hello');
    await first.until(ended);
    await first.runs.start({ conversationId: 'c1', runId: 'r2' });
    await expect.poll(onDisk).toEqual(['user: Hello', 'assistant (streaming): Retr']);
    const second = startWorker({ model: scriptedModel(says('Whole')).model });
    await second.runs.resume();
    await second.until(ended);
    expect(await onDisk()).toEqual(['user: Hello', 'assistant: Whole']);
  });

  it('shows what an earlier attempt left as partial until the new one says something', async () => {
    const half = [{ type: 'text', text: 'Half' } as const, failed('model_incomplete', 'It broke off.')];
    const { runs, until, sent } = startWorker({ model: scriptedModel(half, saysThenHangs('')).model });
    await send(runs, 'Hello');
    await until(ended);
    sent.length = 0;
    await runs.start({ conversationId: 'c1', runId: 'r2' });
    await until(runEvent('iteration_start'));
    expect(outline((await snapshotOf(runs)).messages)).toEqual(['user: Hello', 'assistant (partial): Half']);
    await runs.stop({ conversationId: 'c1' });
  });

  it('keeps the half answer of a dead worker when the resumed request fails, in its place', async () => {
    const first = startWorker({ model: scriptedModel(saysThenHangs('Half')).model });
    await send(first.runs, 'Hello');
    await expect.poll(onDisk).toEqual(['user: Hello', 'assistant (streaming): Half']);
    const script = scriptedModel([failed('model_unauthorized', 'No.')], says('Second answer'));
    const second = startWorker({ model: script.model });
    await second.runs.resume();
    await second.until(ended);
    expect(outline((await snapshotOf(second.runs)).messages)).toEqual([
      'user: Hello',
      'assistant (partial): Half',
    ]);
    second.sent.length = 0;
    await send(second.runs, 'Again', 'r2');
    await second.until(ended);
    expect(outline(script.requests[1]?.messages ?? [])).toEqual([
      'user: Hello',
      'assistant (partial): Half',
      'user: Again',
    ]);
  });

  it('keeps what was said when the model’s stream breaks in an unforeseen way', async () => {
    const { runs, until } = startWorker({
      model: scriptedModel(async function* broken() {
        yield { type: 'text', text: 'Half' };
        throw new Error('a bug');
      }).model,
    });
    await send(runs, 'Hello');
    await until(ended);
    expect(await onDisk()).toEqual(['user: Hello', 'assistant (partial): Half']);
    expect(await db.get('runs', 'r1')).toMatchObject({ reason: 'error', error: { cause: 'Error: a bug' } });
  });

  it('is stopped at once while its servers are still being waited for', async () => {
    const script = scriptedModel(says('Never'));
    const { runs, until } = startWorker({ model: script.model, prepare: () => new Promise(() => {}) });
    await send(runs, 'Hello');
    await runs.stop({ conversationId: 'c1' });
    await until(ended);
    expect(script.requests).toEqual([]);
  });

  it('gives a page the pictures of a result, and of many calls no more than a port can carry', async () => {
    const picture = { type: 'image' as const, data: 'x'.repeat(3_000_000), mimeType: 'image/png' };
    const long = calls(['mcp__1__look', { text: 'y'.repeat(5_000_000) }]);
    const many = calls(...Array.from({ length: 12 }, (): [string, object] => ['mcp__1__look', {}]));
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
    expect(JSON.stringify(sent).length).toBeLessThan(500_000);
    expect(snapshot.toolCalls[0]?.result?.omitted).toBe(4_800_000);
    expect((await db.getAll('toolCalls'))[0]?.result?.text).toHaveLength(text.length);
  });

  it('leaves no empty answer behind when the model fails late, and a failing Retry keeps the partial one', async () => {
    const late = async function* fail() {
      await new Promise((resolve) => setTimeout(resolve, 700)); // longer than streamed text may wait for the disk
      yield failed('model_unreachable', 'Gone.');
    };
    const half = [{ type: 'text', text: 'Half' } as const, failed('model_incomplete', 'It broke off.')];
    const { runs, until, sent } = startWorker({ model: scriptedModel(late, half, late).model });
    await send(runs, 'Hello');
    await until(ended);
    expect(await onDisk()).toEqual(['user: Hello']);
    for (const [runId, expected] of [
      ['r2', 'assistant (partial): Half'],
      ['r3', 'assistant (partial): Half'],
    ] as const) {
      sent.length = 0;
      await runs.start({ conversationId: 'c1', runId });
      await until(ended);
      expect(await onDisk()).toEqual(['user: Hello', expected]);
    }
  });

  it('is stopped even when Stop comes while it is starting', async () => {
    const { runs, until } = startWorker({ model: scriptedModel(saysThenHangs('Too late')).model });
    const starting = send(runs, 'Hello');
    await Promise.all([starting, runs.stop({ conversationId: 'c1' })]);
    await until(ended);
    expect(await db.get('runs', 'r1')).toMatchObject({ status: 'ended', reason: 'cancelled' });
  });

  it('keeps a provider that the person chose while it worked', async () => {
    const { runs, until } = startWorker({ model: scriptedModel(saysThenHangs('So far')).model });
    await send(runs, 'Hello');
    await until(runEvent('text_delta'));
    await runs.chooseProvider('c1', 7);
    await runs.stop({ conversationId: 'c1' });
    expect(await db.get('conversations', 'c1')).toMatchObject({ providerId: 7 });
    expect((await db.get('conversations', 'c1'))?.leafId).not.toBe('r1.message');
  });

  it('says that it is live already when it is continued a second time', async () => {
    const { runs, until } = startWorker({ model: scriptedModel(saysThenHangs('So far')).model });
    await send(runs, 'Hello');
    await until(runEvent('text_delta'));
    expect(await runs.start({ conversationId: 'c1', runId: 'r2' })).toBe('live');
    await runs.stop({ conversationId: 'c1' });
  });

  it('does not count the time it waited for the person as a stall', async () => {
    let now = NOW;
    const hang: CallTool = async (_call, _args, { started, signal }) => {
      await started();
      await aborted(signal);
      return { status: 'cancelled', result: { text: '', isError: true } };
    };
    const first = startWorker({
      model: scriptedModel(calls(['mcp__1__look', {}])).model,
      callTool: hang,
      permission: 'ask',
      now: () => now,
    });
    await send(first.runs, 'Look');
    await first.until((event) => event.type === 'run_changed' && event.run.status === 'waiting');
    now += 3_600_000;
    const [row] = await db.getAll('toolCalls');
    await first.runs.resolve({ callId: row?.callId ?? '', decision: 'allow' });
    await first.until(runEvent('call_start'));
    const second = startWorker({ model: scriptedModel(says('Done')).model, now: () => now });
    await second.runs.resume();
    await second.until(ended);
    expect(await db.get('runs', 'r1')).toMatchObject({ reason: 'done' });
  });

  it('ends for the panel, and lets the worker rest, even when nothing can be written any more', async () => {
    const { runs, until, working } = startWorker({
      model: scriptedModel(says('Hi')).model,
      store: (store) => {
        let writes = 0;
        const full = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
        return { ...store, write: (entry) => (++writes > 1 ? full() : store.write(entry)) };
      },
    });
    await send(runs, 'Hello');
    await until(ended);
    await expect.poll(() => working.size).toBe(0);
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
});

describe('a worker that starts', () => {
  it('asks the model again for an answer that broke off, and the answer takes the broken one’s place', async () => {
    const first = startWorker({ model: scriptedModel(saysThenHangs('Half an answer')).model });
    await send(first.runs, 'Hello');
    await first.until(runEvent('text_delta'));
    await expect.poll(onDisk).toEqual(['user: Hello', 'assistant (streaming): Half an answer']);

    const second = startWorker({ model: scriptedModel(says('The whole answer')).model });
    await second.runs.resume();
    await second.until(ended);
    expect(await onDisk()).toEqual(['user: Hello', 'assistant: The whole answer']);
  });

  it('makes a call of unknown outcome only when the person says so', async () => {
    const hang: CallTool = async (_call, _args, { started, signal }) => {
      await started();
      await aborted(signal);
      return { status: 'cancelled', result: { text: '', isError: true } };
    };
    const script = calls(['mcp__1__note', {}], ['mcp__1__look', {}]);
    const first = startWorker({ model: scriptedModel(script).model, callTool: hang });
    await send(first.runs, 'Note it');
    await expect
      .poll(async () => (await db.getAll('toolCalls')).map(({ status }) => status))
      .toEqual(['running', 'running']);

    const made: string[] = [];
    const second = startWorker({
      model: scriptedModel(says('Done')).model,
      callTool: (call, args, options) => {
        made.push(call.toolName);
        return succeed(call, args, options);
      },
    });
    await second.runs.resume();
    await second.until((event) => event.type === 'run_changed' && event.run.status === 'waiting');
    expect(made).toEqual(['look']);
    const [note] = await db.getAll('toolCalls');
    expect(note).toMatchObject({ status: 'unknown', wait: 'unknown' });
    await second.runs.resolve({ callId: note?.callId ?? '', decision: 'deny' });
    await second.until(ended);
    expect(made).toEqual(['look']);
    expect((await db.getAll('toolCalls')).map(({ status }) => status)).toEqual(['unknown', 'success']);
    expect((await onDisk()).at(-1)).toBe('assistant: Done');
  });

  it('finishes with a decision that was written down just before it died', async () => {
    const first = startWorker({
      model: scriptedModel(calls(['mcp__1__note', {}])).model,
      permission: 'ask',
    });
    await send(first.runs, 'Note it');
    await first.until((event) => event.type === 'run_changed' && event.run.status === 'waiting');
    const [row] = await db.getAll('toolCalls');
    if (!row) throw new Error('no row');
    await db.put('toolCalls', { ...row, status: 'denied', result: { text: 'No.', isError: true } });

    const second = startWorker({ model: scriptedModel(says('Fine')).model, permission: 'ask' });
    await second.runs.resume();
    await second.until(ended);
    expect(await onDisk()).toEqual([
      'user: Note it',
      'assistant: ',
      'tool: {"isError":true,"error":"No."}',
      'assistant: Fine',
    ]);
  });

  it('gives a run up as interrupted after three resumes without progress, and Continue goes on', async () => {
    const hang = () => scriptedModel(saysThenHangs('Half')).model;
    const first = startWorker({ model: hang() });
    await send(first.runs, 'Hello');
    await expect.poll(onDisk).toHaveLength(2);
    for (let death = 0; death < 3; death += 1) await startWorker({ model: hang() }).runs.resume();
    const last = startWorker({ model: scriptedModel(says('Whole')).model });
    await last.runs.resume();
    expect(await db.get('runs', 'r1')).toMatchObject({ status: 'ended', reason: 'interrupted' });
    expect(await onDisk()).toEqual(['user: Hello', 'assistant (partial): Half']);
    await last.runs.start({ conversationId: 'c1', runId: 'r2' });
    await last.until(ended);
    expect(await onDisk()).toEqual(['user: Hello', 'assistant: Whole']);
  });

  it('gives a run up that made no progress for ten minutes', async () => {
    const first = startWorker({ model: scriptedModel(saysThenHangs('Half')).model });
    await send(first.runs, 'Hello');
    const later = startWorker({ model: scriptedModel().model, now: () => NOW + 11 * 60_000 });
    await later.runs.resume();
    expect(await db.get('runs', 'r1')).toMatchObject({ status: 'ended', reason: 'interrupted' });
  });

  it('sends what was queued when nothing is live any more', async () => {
    const first = startWorker({ model: scriptedModel(saysThenHangs('Busy')).model });
    await send(first.runs, 'First');
    await first.until(runEvent('text_delta'));
    await send(first.runs, 'Second', 'r2');
    const run = await db.get('runs', 'r1');
    if (run) await db.put('runs', { ...run, status: 'ended', reason: 'cancelled' });

    const second = startWorker({ model: scriptedModel(says('Answer')).model });
    await second.runs.resume();
    await second.until(ended);
    expect((await onDisk()).at(-1)).toBe('assistant: Answer');
  });
});
