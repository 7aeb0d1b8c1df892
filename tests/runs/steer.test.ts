import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../lib/storage/schema.ts';
import type { StreamModel } from '../../lib/types/model.ts';
import type { CallTool } from '../../lib/types/tools/call-tool.ts';
import { outline, unfenced } from '../fakes/rows.ts';
import { calls, says, saysThenHangs, scriptedModel } from '../fakes/scripted-model.ts';
import {
  runEvent,
  send,
  succeed,
  startWorker as startWorkerOn,
  type WorkerOptions,
} from '../fakes/worker.ts';
import { branch, freshDatabase, stored, unsent } from './scene.ts';

let db: Database;
const startWorker = (options: Omit<WorkerOptions, 'db'>) => startWorkerOn({ ...options, db });

/** Makes calls that end when `pause` is over. */
function after(pause: Promise<void>): CallTool {
  return async (call, args, options) => {
    const outcome = await succeed(call, args, options);
    await pause;
    return outcome;
  };
}

beforeEach(async () => {
  db = await freshDatabase();
});

describe('a steering message', () => {
  it('goes to the model at the next tool boundary, after the results, and its queued run ends with it', async () => {
    const pause = Promise.withResolvers<void>();
    const script = scriptedModel(calls(['mcp__1__look', {}]), says('Done'), says('To b'));
    const worker = startWorker({ model: script.model, callTool: after(pause.promise) });
    const { runs, until, sent } = worker;
    await send(runs, 'a', 'a');
    await until(runEvent('call_start'));
    await send(runs, 'b', 'b');
    expect(await send(runs, 'steer', 's', 'steer')).toBe('queued');
    await send(runs, 'steer too', 't', 'steer');
    pause.resolve();
    await until(runEvent('run_end', 'b'));
    expect(await branch(db)).toEqual([
      'user: a',
      'assistant: ',
      'tool: look done',
      'user: steer',
      'user: steer too',
      'assistant: Done',
      'user: b',
      'assistant: To b',
    ]);
    expect(
      outline(script.requests[1]?.messages ?? [])
        .slice(-3)
        .map(unfenced),
    ).toEqual(['tool: look done', 'user: steer', 'user: steer too']);
    expect(await db.get('runs', 's')).toMatchObject({ status: 'ended', queued: { text: 'steer' } });
    const told = sent.flatMap((event) => {
      if (event.type === 'message' && event.message.role === 'user') return [event.message.content];
      return event.type === 'run_changed' && event.run.id === 's' ? [event.run.status] : [];
    });
    expect(told).toEqual(['a', 'queued', 'steer', 'ended', 'steer too', 'b']);
  });

  it('is sent from the queue when the run ends without a boundary, and does not steer the next one', async () => {
    const pause = Promise.withResolvers<void>();
    const model: StreamModel = async function* answer({ messages }) {
      await pause.promise;
      yield* messages.at(-1)?.content === 's' ? calls(['mcp__1__look', {}]) : says('Done');
    };
    const { runs, until } = startWorker({ model });
    for (const [id, when] of [['a'], ['s', 'steer'], ['b'], ['t', 'steer']] as const)
      await send(runs, id, id, when);
    pause.resolve();
    await until(runEvent('run_end', 't'));
    expect((await branch(db)).filter((line) => line.startsWith('user'))).toEqual([
      'user: a',
      'user: s',
      'user: b',
      'user: t',
    ]);
  });

  it('can’t be removed any more once it is on its way to the model', async () => {
    const pause = Promise.withResolvers<void>();
    let removal: Promise<boolean> | undefined;
    const worker = startWorker({
      model: scriptedModel(calls(['mcp__1__look', {}]), says('Done')).model,
      callTool: after(pause.promise),
      store: (whole) => ({
        ...whole,
        queuedRuns: async (id) => {
          const found = await whole.queuedRuns(id);
          if (removal || !found.some(({ queued }) => queued?.steer)) return found;
          // Asked for while the message is handed out, and dealt with before it is written down.
          removal = worker.runs.removeQueued({ runId: 's' });
          await whole.run('s');
          await whole.run('s');
          return found;
        },
      }),
    });
    await send(worker.runs, 'a', 'a');
    await worker.until(runEvent('call_start'));
    await send(worker.runs, 's', 's', 'steer');
    pause.resolve();
    await worker.until(runEvent('run_end', 'a'));
    expect(await removal).toBe(false);
    expect(await branch(db)).toContain('user: s');
  });

  it('can wait for the run’s end instead, and the other way round', async () => {
    const pause = Promise.withResolvers<void>();
    const script = scriptedModel(calls(['mcp__1__look', {}]), says('Done'), says('Then'));
    const { runs, until } = startWorker({ model: script.model, callTool: after(pause.promise) });
    await send(runs, 'a', 'a');
    await until(runEvent('call_start'));
    await send(runs, 'b', 'b');
    await send(runs, 'c', 'c', 'steer');
    await runs.steerQueued({ runId: 'b', steer: true });
    await runs.steerQueued({ runId: 'c', steer: false });
    pause.resolve();
    await until(runEvent('run_end', 'c'));
    expect(await branch(db)).toEqual([
      'user: a',
      'assistant: ',
      'tool: look done',
      'user: b',
      'assistant: Done',
      'user: c',
      'assistant: Then',
    ]);
  });

  it('is back in the composer after a Stop', async () => {
    const { runs, until, sent } = startWorker({ model: scriptedModel(saysThenHangs('Busy')).model });
    await send(runs, 'a', 'a');
    await until(runEvent('text_delta'));
    await send(runs, 's', 's', 'steer');
    await send(runs, 'b', 'b');
    await runs.stop({ conversationId: 'c1' });
    expect(unsent(sent)).toEqual(['s', 'b']);
    expect(await db.getAllFromIndex('runs', 'by-status', 'queued')).toEqual([]);
  });

  it('is back in the composer too when it was on its way to the model, but did not get there', async () => {
    const handed = Promise.withResolvers<void>();
    const script = scriptedModel(calls(['mcp__1__look', {}]), says('Never'));
    const pause = Promise.withResolvers<void>();
    const worker = startWorker({
      model: script.model,
      callTool: after(pause.promise),
      store: (whole) => ({
        ...whole,
        write: async (entry) => {
          if (entry.message?.content !== 's') return whole.write(entry);
          handed.resolve();
          throw new DOMException('full', 'QuotaExceededError');
        },
      }),
    });
    await send(worker.runs, 'a', 'a');
    await worker.until(runEvent('call_start'));
    await send(worker.runs, 's', 's', 'steer');
    pause.resolve();
    await handed.promise;
    await worker.runs.stop({ conversationId: 'c1' });
    expect(await worker.runs.removeQueued({ runId: 's' })).toBe(false);
    expect(await db.get('drafts', 'c1')).toBe('s');
    expect(await stored(db)).not.toContain('user: s');
  });
});
