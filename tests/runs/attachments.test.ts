import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { NEW_CHAT } from '../../lib/protocol/chats.ts';
import { messageForPanel } from '../../lib/runs/panel-view.ts';
import type { Runs } from '../../lib/runs/runs.ts';
import type { Database } from '../../lib/storage/schema.ts';
import type { UserMessage } from '../../lib/types/message.ts';
import type { CallTool } from '../../lib/types/tools/call-tool.ts';
import { attachment } from '../fakes/rows.ts';
import { calls, says, saysThenHangs, scriptedModel } from '../fakes/scripted-model.ts';
import { runEvent, startWorker as startWorkerOn, succeed, type WorkerOptions } from '../fakes/worker.ts';
import { ended, freshDatabase, snapshotOf } from './scene.ts';

let db: Database;
const startWorker = (options: Omit<WorkerOptions, 'db'>) => startWorkerOn({ ...options, db });

const pictures = [{ data: 'QUJD', mimeType: 'image/png' }];
const notes = attachment('notes', 'Buy milk', { pictures });
const plan = attachment('plan', 'Sleep');

beforeEach(async () => {
  db = await freshDatabase();
});

async function attach(conversationId = 'c1', ...rows: (typeof notes)[]): Promise<void> {
  for (const row of rows) await db.put('attachments', { ...row, conversationId });
}

type When = 'queue' | 'steer' | 'now';

function send(runs: Runs, runId: string, text: string, attachments: string[] = [], when?: When) {
  const message = { id: `${runId}.message`, text, attachments };
  return runs.start({ conversationId: 'c1', runId, message, ...(when && { when }) });
}

const messageOf = async (runId: string) => (await db.get('messages', `${runId}.message`)) as UserMessage;
const inDraft = async () => (await db.getAll('attachments')).map(({ id }) => id);

describe('what is attached to a draft', () => {
  it('goes with its message, to the model too, and out of the draft with the same write', async () => {
    await attach(NEW_CHAT, notes, plan);
    const script = scriptedModel(says('Hi'));
    const { runs, until, sent } = startWorker({ model: script.model });
    await send(runs, 'r1', 'What is on it?', ['notes']);
    await until(ended);
    expect((await messageOf('r1')).attachments).toEqual([notes]);
    expect(script.requests[0]?.messages[0]?.content).toMatch(/Buy milk[^]*What is on it\?$/);
    expect(await inDraft()).toEqual(['plan']);
    const told = sent.flatMap((event) =>
      event.type === 'attachments' ? [[event.conversationId, event.attachments.map(({ id }) => id)]] : [],
    );
    expect(told).toEqual([
      ['c1', []],
      [NEW_CHAT, ['plan']],
    ]);
  });

  it('may go without a word; the chat is named after it', async () => {
    await attach(NEW_CHAT, notes);
    const { runs, until } = startWorker({ model: scriptedModel(says('Hi')).model });
    await send(runs, 'r1', '', ['notes']);
    await until(ended);
    expect(await db.get('conversations', 'c1')).toMatchObject({ title: 'The notes' });
  });

  it('is left out when it was taken away meanwhile; with nothing else nothing is sent', async () => {
    const { runs, until } = startWorker({ model: scriptedModel(says('Hi')).model });
    await expect(send(runs, 'r0', ' ', ['gone'])).rejects.toMatchObject({ code: 'nothing_to_send' });
    expect(await db.getAll('messages')).toEqual([]);
    await send(runs, 'r1', 'Hello', ['gone']);
    await until(ended);
    expect(await messageOf('r1')).not.toHaveProperty('attachments');
  });

  it('stays there, too, where it tells that the text is a server’s that another panel has in the draft', async () => {
    const source = { type: 'prompt', serverId: 1, serverName: 'Pilot', name: 'plan', isTyped: true } as const;
    await attach(NEW_CHAT, attachment('typed', 'Plan my day.', { source }), notes);
    await db.put('drafts', 'Plan my day.', NEW_CHAT);
    const { runs, until } = startWorker({ model: scriptedModel(says('Hi')).model });
    await send(runs, 'r1', 'Hello', ['typed', 'notes']);
    await until(ended);
    expect(await inDraft()).toEqual(['typed']);
  });

  it('goes with each message that has a prompt’s text, though another took it along', async () => {
    const source = { type: 'prompt', serverId: 3, serverName: 'Pilot', name: 'plan', isTyped: true } as const;
    await attach('c1', { ...plan, source });
    const { runs, until } = startWorker({ model: scriptedModel(says('Hi'), says('Hi')).model });
    await send(runs, 'r1', 'Hello', ['plan']);
    await until(ended);
    await send(runs, 'r2', 'Sleep', ['plan']);
    await until(ended);
    expect((await messageOf('r2')).attachments).toMatchObject([{ text: 'Sleep', source }]);
  });

  it('goes once, however often the same ids are sent', async () => {
    await attach('c1', notes);
    const { runs, until } = startWorker({ model: scriptedModel(says('Hi')).model });
    await Promise.all([1, 2].map(() => send(runs, 'r1', '', ['notes'])));
    await until(ended);
    await send(runs, 'r1', '', ['notes']);
    expect((await messageOf('r1')).attachments).toEqual([notes]);
  });
});

describe('what waits to be sent', () => {
  it.each(['queue', 'now'] as const)('takes along what is attached to it: %s', async (when) => {
    const pause = Promise.withResolvers<void>();
    const script = scriptedModel(async function* slow(_request, signal) {
      const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      await Promise.race([pause.promise, stopped]);
      yield* says('First answer');
    }, says('Second answer'));
    const { runs, until } = startWorker({ model: script.model });
    await send(runs, 'r1', 'First');
    await until(runEvent('iteration_start'));
    await attach('c1', notes);
    const second = send(runs, 'r2', 'Second', ['notes'], when);
    await expect.poll(inDraft).toEqual([]);
    pause.resolve();
    await second;
    await until(runEvent('run_end', 'r2'));
    expect((await messageOf('r2')).attachments).toEqual([notes]);
    expect(script.requests[1]?.messages.at(-1)?.content).toContain('Buy milk');
  });

  it('takes it along when it steers', async () => {
    const pause = Promise.withResolvers<void>();
    const callTool: CallTool = async (call, args, options) => {
      const outcome = await succeed(call, args, options);
      await pause.promise;
      return outcome;
    };
    const script = scriptedModel(calls(['mcp__1__look', {}]), says('Done'));
    const { runs, until, sent } = startWorker({ model: script.model, callTool });
    await send(runs, 'r1', 'First');
    await until(runEvent('call_start'));
    await attach('c1', notes);
    await send(runs, 'r2', 'Use it', ['notes'], 'steer');
    pause.resolve();
    await until(ended);
    expect((await messageOf('r2')).attachments).toEqual([notes]);
    expect(script.requests[1]?.messages.at(-1)?.content).toMatch(/Buy milk[^]*Use it$/);
    const shown = sent.flatMap((event) =>
      event.type === 'message' && event.message.role === 'user' ? [event.message] : [],
    );
    expect(shown.at(-1)?.attachments).toMatchObject([{ id: 'notes', title: 'The notes', text: '' }]);
    // The message has it now; the row of the run need not hold it too.
    expect((await db.get('runs', 'r2'))?.queued).not.toHaveProperty('attachments');
  });

  it('gives it back to the draft when it is stopped: nothing is lost', async () => {
    const { runs, until, sent } = startWorker({ model: scriptedModel(saysThenHangs('Busy')).model });
    await send(runs, 'r1', 'First');
    await until(runEvent('text_delta'));
    await attach('c1', notes, plan);
    await send(runs, 'r2', 'Second', ['notes']);
    await send(runs, 'r3', '', ['plan'], 'steer');
    sent.length = 0;
    await runs.stop({ conversationId: 'c1' });
    expect(await db.getAll('attachments')).toEqual([
      { ...notes, conversationId: 'c1' },
      { ...plan, conversationId: 'c1' },
    ]);
    const snapshot = await snapshotOf(runs);
    expect(snapshot).toMatchObject({ draft: 'Second', attachments: [{ id: 'notes' }, { id: 'plan' }] });
    const given = sent.findLast(({ type }) => type === 'attachments');
    expect(given).toMatchObject({ attachments: [{ id: 'notes' }, { id: 'plan' }] });
  });

  it('gives it back to the draft when it is taken out of the queue', async () => {
    const { runs, until } = startWorker({ model: scriptedModel(saysThenHangs('Busy')).model });
    await send(runs, 'r1', 'First');
    await until(runEvent('text_delta'));
    await attach('c1', notes);
    await send(runs, 'r2', 'Second', ['notes']);
    expect(await runs.removeQueued({ runId: 'r2' })).toBe(true);
    expect(await inDraft()).toEqual(['notes']);
    await runs.stop({ conversationId: 'c1' });
  });
});

describe('a panel', () => {
  it('gets what is attached without what is in it', async () => {
    await attach('c1', notes);
    const { runs, until, sent } = startWorker({ model: scriptedModel(saysThenHangs('Busy')).model });
    await send(runs, 'r1', 'First', ['notes']);
    await until(runEvent('text_delta'));
    await attach('c1', plan, attachment('draft', 'Secretly long', { pictures }));
    await send(runs, 'r2', 'Second', ['plan']);
    const snapshot = await snapshotOf(runs);
    const told = sent.filter(({ type }) => type !== 'run');
    expect(JSON.stringify([told, snapshot])).not.toMatch(/Buy milk|Sleep|Secretly|QUJD/);
    const [asked] = snapshot.messages;
    expect(asked?.role === 'user' && asked.attachments).toMatchObject([
      { id: 'notes', tokens: 10, text: '' },
    ]);
    expect(snapshot.runs[1]?.queued?.attachments).toMatchObject([
      { id: 'plan', title: 'The plan', text: '' },
    ]);
    expect(snapshot.attachments).toMatchObject([{ id: 'draft' }]);
    expect(messageForPanel(await messageOf('r1'))).toEqual(asked);
    await runs.stop({ conversationId: 'c1' });
  });
});
