import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../lib/storage/database.ts';
import type { ModelRequest, StreamModel } from '../../lib/types/model.ts';
import type { CallTool } from '../../lib/types/tools/call-tool.ts';
import { NOW, outline } from '../fakes/rows.ts';
import { aborted, calls, says } from '../fakes/scripted-model.ts';
import { isWaiting, runEvent, send, startWorker, succeed } from '../fakes/worker.ts';
import { dyingAfter } from './dying.ts';

/** Calls a tool that writes and one that reads, then answers; it goes by the history alone, as models do. */
const model: StreamModel = async function* answer({ messages }: ModelRequest) {
  const asked = messages.at(-1)?.role === 'user';
  yield* asked ? calls(['mcp__1__note', {}], ['mcp__1__look', {}]) : says('Done');
};

let databases = 0;

/** Kills a first worker after so many writes, lets a second one finish, and tells what came of it. */
async function crashAfter(writes: number) {
  const db = await openDatabase(`crash-${++databases}`);
  const executed: string[] = [];
  const callTool: CallTool = (call, args, options) => {
    const started = async () => {
      await options.started();
      executed.push(call.toolName);
    };
    return succeed(call, args, { ...options, started });
  };
  const { store, died } = dyingAfter(writes);
  const first = startWorker({ db, model, callTool, store });
  const sending = send(first.runs, 'Do both');
  const survived = await Promise.race([
    died.then(() => false),
    sending.then(() => first.until(runEvent('run_end'))).then(() => true),
  ]);

  const second = startWorker({ db, model, callTool });
  await second.runs.resume();
  await send(second.runs, 'Do both'); // the panel that got no answer says it again
  for (;;) {
    const run = await db.get('runs', 'r1');
    if (run?.status === 'ended') break;
    const waiting = (await db.getAll('toolCalls')).find(({ wait }) => wait !== undefined);
    if (waiting) await second.runs.resolve({ callId: waiting.callId, decision: 'deny' });
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const rows = await db.getAll('toolCalls');
  const note = rows.find(({ toolName }) => toolName === 'note')?.status;
  const noted = executed.filter((tool) => tool === 'note').length;
  return {
    survived,
    note,
    /** Whether the ledger tells the truth: a success was executed once, an unknown one at most once. */
    truthful: note === 'success' ? noted === 1 : note === 'unknown' && noted <= 1,
    outcome: {
      reason: (await db.get('runs', 'r1'))?.reason,
      look: rows.find(({ toolName }) => toolName === 'look')?.status,
      roles: (await db.getAllFromIndex('messages', 'by-place')).map(({ role }) => role),
      answer: outline(await db.getAllFromIndex('messages', 'by-place')).at(-1),
    },
  };
}

describe('a user’s decision', () => {
  it.each([
    ['allow', 'success', 1],
    ['deny', 'denied', 0],
  ] as const)('to %s holds when the worker dies right after it', async (decision, status, executions) => {
    const db = await openDatabase(`crash-${++databases}`);
    const first = startWorker({ db, model, permission: 'ask' });
    await send(first.runs, 'Do both');
    await first.until(isWaiting);
    const waiting = await db.getAll('toolCalls');
    // The decisions are written by a worker that has nothing else to do with the run, and is gone then.
    const dying = startWorker({ db, model, permission: 'ask' });
    for (const { callId } of waiting) await dying.runs.resolve({ callId, decision });

    const executed: string[] = [];
    const third = startWorker({
      db,
      model,
      permission: 'ask',
      callTool: (call, args, options) => {
        executed.push(call.toolName);
        return succeed(call, args, options);
      },
    });
    await third.runs.resume();
    await third.until(runEvent('run_end'));
    expect((await db.getAll('toolCalls')).map((row) => row.status)).toEqual([status, status]);
    expect(executed).toHaveLength(2 * executions);
  });
});

describe('what was queued', () => {
  it('keeps its order when the worker dies: the run that had begun goes on first', async () => {
    const db = await openDatabase(`crash-${++databases}`);
    let now = NOW;
    const slow: StreamModel = async function* answer({ messages }, signal) {
      if (messages.at(-1)?.content === 'A') yield* says('To A');
      else await aborted(signal);
    };
    const first = startWorker({ db, model: slow, now: () => (now += 1000) });
    const sending = [send(first.runs, 'A', 'a'), send(first.runs, 'B', 'b'), send(first.runs, 'C', 'c')];
    await Promise.all(sending);
    await first.until(
      (event) => event.type === 'run' && event.runId === 'b' && event.event.type === 'iteration_start',
    );

    const quick: StreamModel = async function* answer({ messages }) {
      yield* says(`To ${messages.at(-1)?.content}`);
    };
    const second = startWorker({ db, model: quick, now: () => now });
    await second.runs.resume();
    await second.until(
      (event) => event.type === 'run' && event.runId === 'c' && event.event.type === 'run_end',
    );
    expect(outline(await db.getAllFromIndex('messages', 'by-place'))).toEqual([
      'user: A',
      'assistant: To A',
      'user: B',
      'assistant: To B',
      'user: C',
      'assistant: To C',
    ]);
  });
});

describe('a write that fails', () => {
  it('is not remembered either: the run ends with the reason, and the next message follows what is on disk', async () => {
    const db = await openDatabase(`crash-${++databases}`);
    let failing = true;
    const worker = startWorker({
      db,
      model: async function* answer({ messages }) {
        yield* says(`To ${messages.map(({ content }) => content).join(', ')}`);
      },
      store: (store) => ({
        ...store,
        write: (entry) => {
          if (!failing || entry.message?.role !== 'assistant') return store.write(entry);
          failing = false;
          return Promise.reject(new DOMException('full', 'QuotaExceededError'));
        },
      }),
    });
    await send(worker.runs, 'A', 'a');
    await worker.until(runEvent('run_end'));
    expect(await db.get('runs', 'a')).toMatchObject({ status: 'ended', reason: 'error' });
    worker.sent.length = 0;
    await send(worker.runs, 'B', 'b');
    await worker.until(runEvent('run_end'));
    const stored = outline(await db.getAllFromIndex('messages', 'by-place'));
    expect(stored.at(0)).toBe('user: A');
    expect(stored.at(-1)).toMatch(/^assistant: To A, .*B$/);
  });
});

describe('a worker that dies in any of its writes', () => {
  it('leaves a run that completes: nothing lost, nothing doubled, no side effect repeated', async () => {
    const deaths: Awaited<ReturnType<typeof crashAfter>>[] = [];
    while (!deaths.at(-1)?.survived) deaths.push(await crashAfter(deaths.length));
    expect(deaths.length).toBeGreaterThan(6);
    for (const { truthful, outcome } of deaths) {
      expect(truthful).toBe(true);
      expect(outcome).toEqual({
        reason: 'done',
        look: 'success',
        roles: ['user', 'assistant', 'tool', 'tool', 'assistant'],
        answer: 'assistant: Done',
      });
    }
    expect(deaths.map(({ note }) => note)).toContain('unknown');
  });
});
