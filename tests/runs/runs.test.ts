import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PanelEvent, Snapshot } from '../../lib/protocol.ts';
import { createRuns, type Runs } from '../../lib/runs/runs.ts';
import { type Database, openDatabase } from '../../lib/storage/database.ts';
import { createRunStore } from '../../lib/storage/run-store.ts';
import type { CallTool, Permission, StreamModel } from '../../lib/types.ts';
import { NOW, offered, outline } from '../fakes/rows.ts';
import { aborted, calls, failed, says, saysThenHangs, scriptedModel } from '../fakes/scripted-model.ts';

const tools = [offered('note'), offered('look', { readOnlyHint: true })];
const succeed: CallTool = async ({ toolName }, _args, { started }) => {
  await started();
  return { status: 'success', result: { text: `${toolName} done`, isError: false } };
};

type WorkerOptions = { model: StreamModel; callTool?: CallTool; permission?: Permission; now?: () => number };

let db: Database;
let databases = 0;

/** One life of the service worker on the database; what it sent, and a way to wait for it. */
function startWorker({ model, callTool = succeed, permission = 'allow', now = () => NOW }: WorkerOptions) {
  const sent: PanelEvent[] = [];
  const working = new Set<string>();
  const waiters: (() => void)[] = [];
  const runs = createRuns({
    store: createRunStore(db),
    prepare: async () => ({ model, tools, missing: [] }),
    callTool,
    permission: async () => permission,
    maxIterations: async () => 10,
    defaultProvider: async () => null,
    send: (_conversationId, event) => {
      sent.push(event);
      waiters.splice(0).forEach((wake) => wake());
    },
    working: (id, works) => void (works ? working.add(id) : working.delete(id)),
    now,
    newId: () => crypto.randomUUID(),
  });
  const until = async (seen: (event: PanelEvent) => boolean) => {
    while (!sent.some(seen)) await new Promise<void>((resolve) => waiters.push(resolve));
  };
  return { runs, sent, working, until };
}

const runEvent = (type: string) => (event: PanelEvent) => event.type === 'run' && event.event.type === type;
const ended = runEvent('run_end');
const send = (runs: Runs, text: string, runId = 'r1') =>
  runs.start({ conversationId: 'c1', runId, message: { id: `${runId}.message`, text } });

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
    const script = scriptedModel(saysThenHangs('Busy'), says('Second answer'));
    const { runs, until, sent } = startWorker({ model: script.model });
    await send(runs, 'First');
    await until(runEvent('text_delta'));
    await send(runs, 'Second', 'r2');
    expect((await snapshotOf(runs)).runs.map(({ id, status }) => [id, status])).toEqual([
      ['r1', 'working'],
      ['r2', 'queued'],
    ]);
    await runs.stop({ conversationId: 'c1' });
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
