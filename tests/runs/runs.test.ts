import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../lib/storage/schema.ts';
import type { StreamModel } from '../../lib/types/model.ts';
import { outline } from '../fakes/rows.ts';
import { calls, prepared, says, saysThenHangs, scriptedModel } from '../fakes/scripted-model.ts';
import {
  runEvent,
  send,
  startWorker as startWorkerOn,
  succeed,
  type WorkerOptions,
} from '../fakes/worker.ts';
import { ended, freshDatabase, stored } from './scene.ts';

let db: Database;
const startWorker = (options: Omit<WorkerOptions, 'db'>) => startWorkerOn({ ...options, db });

beforeEach(async () => {
  db = await freshDatabase();
});

describe('a run', () => {
  it('writes the user’s message and the run before the model is asked', async () => {
    const asked = Promise.withResolvers<string[]>();
    const { model } = scriptedModel(async function* look() {
      asked.resolve(await stored(db));
      yield* says('Hi');
    });
    const { runs, until } = startWorker({ model });
    await send(runs, 'Hello');
    expect(await asked.promise).toEqual(['user: Hello']);
    await until(ended);
    expect(await stored(db)).toEqual(['user: Hello', 'assistant: Hi']);
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
          {
            started: async () => {},
            accepted: async () => {},
            progress: () => {},
            signal: AbortSignal.any([]),
          },
        );
      },
    });
    await send(runs, 'Note it');
    await until(ended);
    expect(dispatched).toBe('running');
    expect(await db.getAll('toolCalls')).toMatchObject([
      { status: 'success', toolName: 'note', position: 0 },
    ]);
    expect(await stored(db)).toEqual(['user: Note it', 'assistant: ', 'tool: note done', 'assistant: Done']);
  });

  it('starts once, however often its ids are sent', async () => {
    const script = scriptedModel(says('Hi'), says('Hi again'));
    const { runs, until } = startWorker({ model: script.model });
    await Promise.all([send(runs, 'Hello'), send(runs, 'Hello'), send(runs, 'Hello')]);
    await until(ended);
    await send(runs, 'Hello');
    expect(script.requests).toHaveLength(1);
    expect(await stored(db)).toEqual(['user: Hello', 'assistant: Hi']);
  });

  it('reads what it begins with while its message is being written, and asks the model only then', async () => {
    const steps: string[] = [];
    const disk = Promise.withResolvers<void>();
    const script = scriptedModel(says('Hi'));
    const model: StreamModel = async function* (...request) {
      steps.push('asked');
      yield* script.model(...request);
    };
    const { runs, until } = startWorker({
      model,
      prepare: async () => {
        steps.push('prepared');
        return { ...prepared(model, []), missing: [], unfit: [] };
      },
      store: (store) => ({
        ...store,
        begin: async (...asked) => {
          const found = await store.begin(...asked);
          await disk.promise;
          steps.push('written');
          return found;
        },
      }),
    });
    const sent = send(runs, 'Hello');
    await expect.poll(() => steps).toContain('prepared');
    disk.resolve();
    await sent;
    await until(ended);
    expect(steps).toEqual(['prepared', 'written', 'asked']);
  });

  it('that cannot be prepared ends as failed, with its message written', async () => {
    const { runs, until, sent } = startWorker({
      model: scriptedModel().model,
      prepare: () => Promise.reject(new Error('No provider.')),
    });
    await send(runs, 'Hello');
    await until(ended);
    expect(sent.find(ended)).toMatchObject({ event: { reason: 'error' } });
    expect(await stored(db)).toEqual(['user: Hello']);
  });

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

  it('says that it is live already when it is continued a second time', async () => {
    const { runs, until } = startWorker({ model: scriptedModel(saysThenHangs('So far')).model });
    await send(runs, 'Hello');
    await until(runEvent('text_delta'));
    expect(await runs.start({ conversationId: 'c1', runId: 'r2' })).toBe('live');
    await runs.stop({ conversationId: 'c1' });
  });

  it('ends for the panel, and lets the worker rest, even when nothing can be written any more', async () => {
    const { runs, until, working, shown } = startWorker({
      model: scriptedModel(says('Hi')).model,
      store: (store) => {
        const full = () => Promise.reject(new DOMException('full', 'QuotaExceededError'));
        return { ...store, write: full };
      },
    });
    await send(runs, 'Hello');
    await until(ended);
    expect(shown().runs).toMatchObject([{ reason: 'error', error: { code: 'unexpected' } }]);
    await expect.poll(() => working.size).toBe(0);
  });
});

describe('a run that is stopped', () => {
  it('keeps the partial answer when it is stopped, and the next message works', async () => {
    const script = scriptedModel(saysThenHangs('So far'), says('Fresh'));
    const { runs, until, sent } = startWorker({ model: script.model });
    await send(runs, 'Hello');
    await until(runEvent('text_delta'));
    await runs.stop({ conversationId: 'c1' });
    expect(await stored(db)).toEqual(['user: Hello', 'assistant (partial): So far']);
    sent.length = 0;
    await send(runs, 'Again', 'r2');
    await until(ended);
    expect(outline(script.requests[1]?.messages ?? [])).toEqual([
      'user: Hello',
      'assistant (partial): So far',
      'user: Again',
    ]);
  });

  it('is stopped at once while its servers are still being waited for', async () => {
    const script = scriptedModel(says('Never'));
    const { runs, until } = startWorker({ model: script.model, prepare: () => new Promise(() => {}) });
    await send(runs, 'Hello');
    await runs.stop({ conversationId: 'c1' });
    await until(ended);
    expect(script.requests).toEqual([]);
  });

  it('is stopped even when Stop comes while it is starting', async () => {
    const { runs, until } = startWorker({ model: scriptedModel(saysThenHangs('Too late')).model });
    const starting = send(runs, 'Hello');
    await Promise.all([starting, runs.stop({ conversationId: 'c1' })]);
    await until(ended);
    expect(await db.get('runs', 'r1')).toMatchObject({ status: 'ended', reason: 'cancelled' });
  });
});
