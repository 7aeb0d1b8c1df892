import 'fake-indexeddb/auto';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import type { Message } from '../../lib/types/message.ts';
import type { StreamModel } from '../../lib/types/model.ts';
import type { CallTool } from '../../lib/types/tools/call-tool.ts';
import { attachment } from '../fakes/rows.ts';
import { calls, failed, says, saysThenHangs, scriptedModel } from '../fakes/scripted-model.ts';
import { runEvent, send, startWorker, succeed, type WorkerOptions } from '../fakes/worker.ts';
import { dyingAfter } from './dying.ts';
import { branch } from './scene.ts';

type Worker = ReturnType<typeof startWorker>;

/** One story, told on a fresh database each time. */
type Story = {
  options: Omit<WorkerOptions, 'db' | 'store'>;
  /** What a worker that lives did before. */
  before?: (worker: Worker, db: Database) => Promise<void>;
  /** What the user does; a panel that got no answer does it again, with the same ids. */
  play: (worker: Worker, db: Database) => Promise<void>;
};

/** Kills a first worker after so many writes, lets a second one finish, and tells what came of it. */
async function deathAfter(writes: number, { options, before, play }: Story) {
  const db = await openDatabase(crypto.randomUUID());
  let noted = 0;
  const callTool: CallTool = (call, args, steps) => {
    const started = async () => {
      await steps.started();
      noted += 1;
    };
    return (options.callTool ?? succeed)(call, args, { ...steps, started });
  };
  const life = (fields: Partial<WorkerOptions>) => startWorker({ ...options, callTool, db, ...fields });
  await before?.(life({}), db);
  const { store, write, died } = dyingAfter(writes);
  const { grant } = options;
  const first = life({ store, ...(grant && { grant: (...given) => write(() => grant(...given)) }) });
  const survived = await Promise.race([
    died.then(() => false),
    play(first, db)
      .then(() => allEnded(db, first))
      .then(() => true),
  ]);

  const second = life({});
  await second.runs.resume();
  await play(second, db);
  await allEnded(db, second);
  const rows = await db.getAll('toolCalls');
  const runs = await db.getAll('runs');
  return {
    survived,
    branch: await branch(db),
    statuses: rows.map(({ status }) => status),
    /** Times a tool was called, less those that the ledger says succeeded. */
    surplus: noted - rows.filter(({ status }) => status === 'success').length,
    unknown: rows.filter(({ status }) => status === 'unknown').length,
    /** Where the attachments are: in the draft, or with a message. */
    inDraft: (await db.getAll('attachments')).map(({ text }) => text),
    sent: (await db.getAllFromIndex('messages', 'by-place')).flatMap((message) =>
      message.role === 'user'
        ? (message.attachments ?? []).map(({ text }) => `${message.content} ${text}`)
        : [],
    ),
    leftovers: runs.filter((run) => run.status !== 'ended' || run.retry !== undefined),
  };
}

/** Skips what has an unknown outcome; everything else ends by itself. */
async function allEnded(db: Database, { runs }: Worker): Promise<void> {
  for (;;) {
    const live = (await db.getAll('runs')).filter(({ status }) => status !== 'ended');
    if (live.length === 0) return;
    const unknown = (await db.getAll('toolCalls')).find(({ wait }) => wait === 'unknown');
    if (unknown) await runs.resolve({ callId: unknown.callId, decision: 'deny' });
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Every death that a story knows, the survival last. */
async function everyDeath(story: () => Story) {
  const deaths: Awaited<ReturnType<typeof deathAfter>>[] = [];
  while (!deaths.at(-1)?.survived) deaths.push(await deathAfter(deaths.length, story()));
  for (const { leftovers } of deaths) expect(leftovers).toEqual([]);
  return deaths;
}

const lastOf = (messages: Message[]) => messages.at(-1);

/** Calls `note` for the first message, and answers everything else. */
const noting: StreamModel = async function* answer({ messages }) {
  const last = lastOf(messages);
  yield* last?.role === 'user' && last.content === 'Do it' ? calls(['mcp__1__note', {}]) : says('Done');
};

async function attach(db: Database, ...ids: string[]): Promise<void> {
  for (const id of ids)
    await db.put('attachments', { ...attachment(id, `Text ${id}`), conversationId: 'c1' });
}

function sendWith(runs: Worker['runs'], text: string, runId: string, attached: string, when?: 'steer') {
  const message = { id: `${runId}.message`, text, attachments: [attached] };
  return runs.start({ conversationId: 'c1', runId, message, ...(when && { when }) });
}

describe('a worker that dies in any of its writes', () => {
  it('loses no steering message, and sends none twice', async () => {
    const deaths = await everyDeath(() => {
      const said = Promise.withResolvers<void>();
      return {
        options: {
          model: noting,
          callTool: async (call, args, steps) => {
            const outcome = await succeed(call, args, steps);
            await said.promise;
            return outcome;
          },
        },
        play: async ({ runs, until }, db) => {
          await send(runs, 'Do it', 'a');
          if ((await db.get('runs', 'a'))?.status === 'working')
            await Promise.race(
              ['call_start', 'approval_required', 'run_end'].map((type) => until(runEvent(type))),
            );
          await Promise.all([send(runs, 'One', 's', 'steer'), send(runs, 'Two', 't', 'steer')]);
          said.resolve();
        },
      };
    });
    expect(deaths.length).toBeGreaterThan(8);
    for (const { branch: lines, surplus, unknown } of deaths) {
      expect(lines.filter((line) => line.startsWith('user'))).toEqual([
        'user: Do it',
        'user: One',
        'user: Two',
      ]);
      expect(lines.at(-1)).toBe('assistant: Done');
      expect(surplus).toBeLessThanOrEqual(unknown);
    }
    expect(deaths.at(-1)?.branch.slice(2)).toEqual([
      'tool: note done',
      'user: One',
      'user: Two',
      'assistant: Done',
    ]);
  });

  it('loses nothing that was attached, and sends it once, with the message that it was attached to', async () => {
    const deaths = await everyDeath(() => {
      const said = Promise.withResolvers<void>();
      return {
        options: {
          model: noting,
          callTool: async (call, args, steps) => {
            const outcome = await succeed(call, args, steps);
            await said.promise;
            return outcome;
          },
        },
        before: (_worker, db) => attach(db, '1', '2', '3'),
        play: async ({ runs, until }, db) => {
          await sendWith(runs, 'Do it', 'a', '1');
          if ((await db.get('runs', 'a'))?.status === 'working')
            await Promise.race(
              ['call_start', 'approval_required', 'run_end'].map((type) => until(runEvent(type))),
            );
          await sendWith(runs, 'One', 's', '2', 'steer');
          await sendWith(runs, 'Two', 't', '3');
          said.resolve();
        },
      };
    });
    expect(deaths.length).toBeGreaterThan(8);
    for (const { sent, inDraft } of deaths)
      expect([sent, inDraft]).toEqual([['Do it Text 1', 'One Text 2', 'Two Text 3'], []]);
  });

  it('has what was attached either in the draft or sent when what was queued is taken back', async () => {
    const deaths = await everyDeath(() => ({
      options: { model: scriptedModel(saysThenHangs('Busy'), saysThenHangs('Busy')).model },
      before: (_worker, db) => attach(db, '1'),
      play: async ({ runs }) => {
        await send(runs, 'Hello', 'a');
        await sendWith(runs, 'Use it', 'b', '1');
        await runs.stop({ conversationId: 'c1' });
      },
    }));
    expect(deaths.length).toBeGreaterThan(3);
    for (const { sent, inDraft } of deaths) expect([...sent, ...inDraft]).toHaveLength(1);
    expect(deaths.at(-1)?.inDraft).toEqual(['Text 1']);
  });

  it('goes on with a request that was to be made again', async () => {
    const deaths = await everyDeath(() => {
      let asked = 0;
      const model: StreamModel = async function* answer() {
        asked += 1;
        yield* asked < 3
          ? [{ type: 'text', text: 'Half' } as const, failed('model_busy', 'Busy.', { retryable: true })]
          : says('Done');
      };
      return { options: { model }, play: async ({ runs }) => void (await send(runs, 'Hello', 'a')) };
    });
    expect(deaths.length).toBeGreaterThan(5);
    for (const death of deaths) expect(death.branch).toEqual(['user: Hello', 'assistant: Done']);
  });

  it('has the older part of the branch summarised once', async () => {
    const old = 'word '.repeat(200);
    const model: StreamModel = async function* answer({ messages, toolChoice }) {
      yield* says(toolChoice === 'none' ? 'In short' : `To ${lastOf(messages)?.content.slice(0, 5)}`);
    };
    const deaths = await everyDeath(() => ({
      options: { model, contextWindow: 800 },
      before: async ({ runs, until }) => {
        await send(runs, old, 'a');
        await until(runEvent('run_end', 'a'));
        await send(runs, old, 'b');
        await until(runEvent('run_end', 'b'));
      },
      play: async ({ runs }) => void (await send(runs, `Well, ${old}`, 'c')),
    }));
    expect(deaths.length).toBeGreaterThan(3);
    for (const death of deaths) {
      expect(death.branch.slice(-3).map((line) => line.slice(0, 13))).toEqual([
        'user: Well, w',
        'summary: In s',
        'assistant: To',
      ]);
      expect(death.branch).toEqual(deaths.at(-1)?.branch);
    }
  });

  it('runs a call again no more than once', async () => {
    const deaths = await everyDeath(() => {
      let failures = 0;
      const callTool: CallTool = async (call, args, steps) => {
        if (failures > 0) return succeed(call, args, steps);
        failures += 1;
        return { status: 'error', result: { text: 'It broke.', isError: true } };
      };
      return {
        options: { model: noting, callTool },
        before: async ({ runs, until }) => {
          await send(runs, 'Do it', 'a');
          await until(runEvent('run_end', 'a'));
        },
        play: async ({ runs }, db) => {
          const [call] = await db.getAll('toolCalls');
          await runs.runAgain({ callId: call?.callId ?? '', runId: 'again' });
        },
      };
    });
    expect(deaths.length).toBeGreaterThan(5);
    for (const { branch: lines, surplus, unknown } of deaths) {
      expect(lines.map((line) => line.split(':')[0])).toEqual(['user', 'assistant', 'tool', 'assistant']);
      expect(surplus).toBeLessThanOrEqual(unknown);
      expect(surplus).toBeGreaterThanOrEqual(0);
    }
    expect(deaths.map(({ unknown }) => unknown)).toContain(1);
    expect(deaths.at(-1)?.branch[2]).toBe('tool: note done');
  });

  it('keeps a grant and what it released', async () => {
    const deaths = await everyDeath(() => {
      let granted = false;
      const permission: WorkerOptions['permission'] = async () => (granted ? 'allow' : 'ask');
      const grant = async () => void (granted = true);
      const model: StreamModel = async function* answer({ messages }) {
        const made = messages.filter(({ role }) => role === 'tool').length;
        yield* made < 2 ? calls(['mcp__1__note', {}]) : says('Done');
      };
      return {
        options: { model, permission, grant },
        play: async ({ runs }, db) => {
          await send(runs, 'Do it', 'a');
          const settled = async () => granted || (await db.get('runs', 'a'))?.status === 'waiting';
          while (!(await settled())) await new Promise((resolve) => setTimeout(resolve, 1));
          const waiting = (await db.getAll('toolCalls')).find(({ wait }) => wait === 'permission');
          if (waiting) await runs.resolve({ callId: waiting.callId, decision: 'allow', scope: 'chat' });
        },
      };
    });
    expect(deaths.length).toBeGreaterThan(8);
    for (const { statuses, surplus, unknown } of deaths) {
      expect(statuses.filter((status) => status === 'success' || status === 'unknown')).toHaveLength(2);
      expect(surplus).toBeLessThanOrEqual(unknown);
    }
    expect(deaths.at(-1)?.statuses).toEqual(['success', 'success']);
  });
});
