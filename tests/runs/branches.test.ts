import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '../../lib/protocol/panel.ts';
import type { Database } from '../../lib/storage/schema.ts';
import type { AssistantMessage, Message, SummaryMessage } from '../../lib/types/message.ts';
import { attachment, NOW, outline, userMessage } from '../fakes/rows.ts';
import { calls, failed, says, saysThenHangs, scriptedModel } from '../fakes/scripted-model.ts';
import {
  runEvent,
  send,
  startWorker as startWorkerOn,
  type Told,
  type WorkerOptions,
} from '../fakes/worker.ts';
import { branch, ended, freshDatabase, snapshotOf, stored } from './scene.ts';

let db: Database;
let time = NOW;
const startWorker = (options: Omit<WorkerOptions, 'db'>) =>
  startWorkerOn({ ...options, db, now: () => (time += 1000) });

beforeEach(async () => {
  db = await freshDatabase();
});

const idOf = async (text: string): Promise<string> =>
  (await db.getAll('messages')).find(({ content }) => content === text)?.id ?? '';

/** The versions in which each message shown stands, as texts. */
async function versionsIn({ versions, messages }: Snapshot): Promise<Record<string, string[]>> {
  const rows = new Map((await db.getAll('messages')).map((message) => [message.id, message.content]));
  const shown = messages.filter(({ id }) => versions[id]);
  return Object.fromEntries(
    shown.map(({ id, content }) => [content, (versions[id] ?? []).map((each) => rows.get(each) ?? '')]),
  );
}

const snapshots = (sent: Told[]): Snapshot[] =>
  sent.flatMap((event) => (event.type === 'snapshot' ? [event.snapshot] : []));

/** Sends the message in the place of another one. */
const replace = (text: string, messageId: string, runId: string, kept: string[] = []) => ({
  conversationId: 'c1',
  runId,
  message: { id: `${runId}.message`, text, replaces: { messageId, kept } },
});

describe('a message that is edited and sent again', () => {
  it('stands beside the one it replaces, and the answer follows it; what was there stays', async () => {
    const script = scriptedModel(says('One'), says('Two'), says('Other'));
    const { runs, until, sent } = startWorker({ model: script.model });
    await send(runs, 'First', 'r1');
    await until(runEvent('run_end', 'r1'));
    await send(runs, 'Second', 'r2');
    await until(runEvent('run_end', 'r2'));
    sent.length = 0;
    expect(await runs.start(replace('Second, better', await idOf('Second'), 'r3'))).toBe('started');
    await until(runEvent('run_end', 'r3'));
    expect(await branch(db)).toEqual([
      'user: First',
      'assistant: One',
      'user: Second, better',
      'assistant: Other',
    ]);
    expect(script.requests[2]?.messages.map(({ content }) => content)).toEqual([
      'First',
      'One',
      'Second, better',
    ]);
    expect(await stored(db)).toContain('assistant: Two');
    await expect.poll(() => outline(snapshots(sent)[0]?.messages ?? [])).toContain('user: Second, better');
    expect(await versionsIn(await snapshotOf(runs))).toEqual({
      'Second, better': ['Second', 'Second, better'],
    });
  });

  it('is a file’s still where it came with one: it marks no turns', async () => {
    const script = scriptedModel(says('One'), says('Two'));
    const { runs, until } = startWorker({ model: script.model });
    await send(runs, 'Frist <|im_end|>', 'r1');
    await until(runEvent('run_end', 'r1'));
    const first = (await db.getAll('messages')).find(({ role }) => role === 'user');
    if (first?.role === 'user') await db.put('messages', { ...first, imported: true });
    await runs.start(replace('First <|im_end|>', first?.id ?? '', 'r2'));
    await until(runEvent('run_end', 'r2'));
    expect(script.requests[1]?.messages[0]?.content).toBe('First &lt;|im_end|>');
  });

  it('may be the first one, and keeps the attachments that it is to keep, as its own', async () => {
    const script = scriptedModel(says('One'), says('Two'));
    const { runs, until } = startWorker({ model: script.model });
    await db.put('attachments', { ...attachment('a1', 'Kept'), conversationId: 'new' });
    await db.put('attachments', { ...attachment('a2', 'Left'), conversationId: 'new' });
    const message = { id: 'm1', text: 'First', attachments: ['a1', 'a2'] };
    await runs.start({ conversationId: 'c1', runId: 'r1', message });
    await until(runEvent('run_end', 'r1'));
    await runs.start(replace('First, better', 'm1', 'r2', ['a1']));
    await until(runEvent('run_end', 'r2'));
    expect(await branch(db)).toEqual(['user: First, better', 'assistant: Two']);
    const edited = await db.get('messages', 'r2.message');
    expect(edited).toMatchObject({ attachments: [{ text: 'Kept' }] });
    expect(edited?.role === 'user' && edited.attachments?.[0]?.id).not.toBe('a1');
    expect(JSON.stringify(script.requests[1])).toContain('Kept');
  });

  it('is sent once however often it comes, not while a run goes on, and not in the place of nothing', async () => {
    const script = scriptedModel(says('One'), saysThenHangs('Two'));
    const { runs, until } = startWorker({ model: script.model });
    await send(runs, 'First', 'r1');
    await until(runEvent('run_end', 'r1'));
    const request = replace('Better', await idOf('First'), 'r2');
    await runs.start(request);
    await until(runEvent('text_delta', 'r2'));
    expect(await runs.start(request)).toBe('started');
    await expect(runs.start({ ...request, runId: 'r3' })).rejects.toMatchObject({ code: 'run_live' });
    await runs.stop({ conversationId: 'c1' });
    await expect(runs.start(replace('Better', 'missing', 'r4'))).rejects.toMatchObject({
      code: 'no_message',
    });
    expect((await stored(db)).toSorted()).toEqual([
      'assistant (partial): Two',
      'assistant: One',
      'user: Better',
      'user: First',
    ]);
  });

  it('leaves what is typed as the next one alone', async () => {
    const script = scriptedModel(says('One'), says('Two'), says('Three'));
    const { runs, until } = startWorker({ model: script.model });
    await send(runs, 'First', 'r1');
    await until(runEvent('run_end', 'r1'));
    await db.put('drafts', 'Half a', 'c1');
    await runs.start(replace('Better', await idOf('First'), 'r2'));
    await until(runEvent('run_end', 'r2'));
    expect(await db.get('drafts', 'c1')).toBe('Half a');
    await db.put('drafts', 'Best', 'c1');
    await runs.start(replace('Best', await idOf('Better'), 'r3'));
    await until(runEvent('run_end', 'r3'));
    expect(await db.get('drafts', 'c1')).toBeUndefined();
  });
});

describe('an answer that is written anew', () => {
  it('stands beside the other one, from the user’s message on, and panels can go back', async () => {
    const script = scriptedModel(calls(['mcp__1__look', {}]), says('One'), says('Other'));
    const { runs, until, sent, shown } = startWorker({ model: script.model });
    await send(runs, 'Look', 'r1');
    await until(runEvent('run_end', 'r1'));
    sent.length = 0;
    await runs.regenerate({ messageId: await idOf('One'), runId: 'r2' });
    await until(runEvent('run_end', 'r2'));
    await runs.regenerate({ messageId: await idOf('One'), runId: 'r2' }); // again: changes nothing
    expect(await branch(db)).toEqual(['user: Look', 'assistant: Other']);
    expect(script.requests[2]?.messages.map(({ role }) => role)).toEqual(['user']);
    // The branch without the answer before, and that the new one is one of two.
    await until(({ type }) => type === 'snapshot');
    expect(outline(snapshots(sent)[0]?.messages ?? [])).not.toContain('assistant: One');
    expect(outline(shown().messages)).toEqual(['user: Look', 'assistant: Other']);
    expect(Object.values(shown().versions)).toEqual([[await idOf(''), await idOf('Other')]]);

    await runs.switchVersion({ messageId: await idOf('') });
    expect((await branch(db)).slice(2)).toEqual(['tool: look done', 'assistant: One']);
    await expect.poll(() => snapshots(sent).at(-1)?.toolCalls).toHaveLength(1);
    await runs.switchVersion({ messageId: await idOf('Other') });
    expect(await branch(db)).toEqual(['user: Look', 'assistant: Other']);
  });

  it('may be another model’s, also when it is tried again, and the chat stays with its own', async () => {
    const script = scriptedModel(says('One'), [failed('model_refused', 'No.')], says('Other'), says('More'));
    const { runs, until } = startWorker({ model: script.model });
    const before = { providerId: null, model: null };
    const by = async (id: string) => (await db.get('runs', id))?.by;
    await send(runs, 'Ask', 'r1');
    await until(runEvent('run_end', 'r1'));
    const choice = { providerId: 7, model: 'large' };
    await runs.regenerate({ messageId: await idOf('One'), runId: 'r2', choice });
    await until(runEvent('run_end', 'r2'));
    await runs.start({ conversationId: 'c1', runId: 'r3' });
    await until(runEvent('run_end', 'r3'));
    await send(runs, 'And more', 'r4');
    await until(runEvent('run_end', 'r4'));
    expect([await by('r2'), await by('r3'), await by('r4')]).toEqual([choice, choice, undefined]);
    expect(await db.get('conversations', 'c1')).toMatchObject(before);
  });

  it('waits for its turn, and needs an answer', async () => {
    const script = scriptedModel(says('One'), saysThenHangs('Two'));
    const { runs, until } = startWorker({ model: script.model });
    await send(runs, 'Ask', 'r1');
    await until(runEvent('run_end', 'r1'));
    await send(runs, 'More', 'r2');
    await until(runEvent('text_delta', 'r2'));
    const messageId = await idOf('One');
    const live = { code: 'run_live' };
    await expect(runs.regenerate({ messageId, runId: 'r3' })).rejects.toMatchObject(live);
    await expect(runs.switchVersion({ messageId })).rejects.toMatchObject(live);
    await expect(runs.deleteMessage({ messageId })).rejects.toMatchObject(live);
    await runs.stop({ conversationId: 'c1' });
    const none = { code: 'no_message' };
    await expect(runs.regenerate({ messageId: await idOf('Ask'), runId: 'r3' })).rejects.toMatchObject(none);
    await expect(runs.regenerate({ messageId: 'missing', runId: 'r3' })).rejects.toMatchObject(none);
    expect(await db.get('runs', 'r3')).toBeUndefined();
  });

  it('that fails leaves its place empty, from where one can go back; Retry fills it', async () => {
    const script = scriptedModel(says('One'), [failed('model_refused', 'No.')], says('Other'));
    const { runs, until } = startWorker({ model: script.model });
    await send(runs, 'Ask', 'r1');
    await until(runEvent('run_end', 'r1'));
    const messageId = await idOf('One');
    await runs.regenerate({ messageId, runId: 'r2' });
    await until(runEvent('run_end', 'r2'));
    const { runs: shown, ...snapshot } = await snapshotOf(runs);
    expect(shown).toMatchObject([{ id: 'r2', error: { code: 'model_refused' } }]);
    expect(outline(snapshot.messages)).toEqual(['user: Ask', 'assistant (partial): ']);
    expect(snapshot.versions[messageId]).toHaveLength(2);
    await runs.switchVersion({ messageId });
    const back = await snapshotOf(runs);
    expect(back.runs).toMatchObject([{ id: 'r1', reason: 'done' }]);
    expect(back.conversation?.failed).toBeUndefined();

    await runs.switchVersion({ messageId: await idOf('') });
    await runs.start({ conversationId: 'c1', runId: 'r3' });
    await until(runEvent('run_end', 'r3'));
    expect(await branch(db)).toEqual(['user: Ask', 'assistant: Other']);
    expect((await snapshotOf(runs)).versions[messageId]).toHaveLength(2);
  });

  it('stands beside the other one also where a summary came between', async () => {
    const summary: SummaryMessage = {
      ...userMessage('Told'),
      role: 'summary',
      id: 's1',
      parentId: 'u1',
      seq: 1,
      runId: 'r0',
      keepsFrom: 'u1',
    };
    const answer = (id: string, fields: Partial<AssistantMessage>): AssistantMessage => ({
      ...userMessage(id),
      role: 'assistant',
      runId: 'r0',
      id,
      ...fields,
    });
    const rows: Message[] = [
      userMessage('Ask'),
      answer('plain', { parentId: 'u1', seq: 1 }),
      summary,
      answer('summarised', { parentId: 's1', seq: 2 }),
    ];
    for (const row of rows) await db.put('messages', row);
    const { runs } = startWorker({ model: scriptedModel().model });
    const conversation = { id: 'c1', title: '', createdAt: '', updatedAt: '', leafId: 'plain' };
    await db.put('conversations', { ...conversation, providerId: null, model: null, settings: {} });
    const both = ['plain', 'summarised'];
    expect((await snapshotOf(runs)).versions).toEqual({ plain: both, summarised: both });
    await runs.switchVersion({ messageId: 'summarised' });
    expect((await snapshotOf(runs)).versions).toEqual({ plain: both, summarised: both });
    await runs.deleteMessage({ messageId: 'summarised' });
    expect(await branch(db)).toEqual(['user: Ask', 'assistant: plain']);
  });
});

describe('a version that is chosen', () => {
  it('shows what followed it last', async () => {
    const script = scriptedModel(...['1', '2', '3', '4', '5'].map((text) => says(text)));
    const { runs, until } = startWorker({ model: script.model });
    const ask = async (text: string, runId: string, replaced?: string) => {
      if (replaced === undefined) await send(runs, text, runId);
      else await runs.start(replace(text, await idOf(replaced), runId));
      await until(runEvent('run_end', runId));
    };
    await ask('A', 'r1');
    await ask('B', 'r2');
    await ask('B2', 'r3', 'B');
    await ask('A2', 'r4', 'A');
    expect(await branch(db)).toEqual(['user: A2', 'assistant: 4']);
    await runs.switchVersion({ messageId: await idOf('A') });
    expect(await branch(db)).toEqual(['user: A', 'assistant: 1', 'user: B2', 'assistant: 3']);
    const updatedAt = (await db.get('conversations', 'c1'))?.updatedAt;
    await runs.switchVersion({ messageId: await idOf('B') });
    expect((await branch(db)).slice(2)).toEqual(['user: B', 'assistant: 2']);
    // Looking around in a chat does not make it the newest.
    expect((await db.get('conversations', 'c1'))?.updatedAt).toBe(updatedAt);
  });
});

describe('a message that is deleted', () => {
  async function twoTurns() {
    const script = scriptedModel(says('One'), says('Two'), says('Three'), says('Four'));
    const worker = startWorker({ model: script.model });
    for (const [text, runId] of [
      ['First', 'r1'],
      ['Second', 'r2'],
    ] as const) {
      await send(worker.runs, text, runId);
      await worker.until(runEvent('run_end', runId));
    }
    return { ...worker, script };
  }

  it('goes with all that follows it, and can be had back', async () => {
    const { runs, sent } = await twoTurns();
    const messageId = await idOf('Second');
    sent.length = 0;
    await runs.deleteMessage({ messageId });
    expect(await branch(db)).toEqual(['user: First', 'assistant: One']);
    await expect
      .poll(() => outline(snapshots(sent)[0]?.messages ?? []))
      .toEqual(['user: First', 'assistant: One']);
    await runs.restoreMessage({ messageId });
    expect((await branch(db)).slice(2)).toEqual(['user: Second', 'assistant: Two']);
    expect((await db.get('messages', messageId))?.deletedAt).toBeUndefined();
  });

  it('makes way for the version beside it, and is no version any more', async () => {
    const { runs, until } = await twoTurns();
    await runs.start(replace('Second, better', await idOf('Second'), 'r3'));
    await until(runEvent('run_end', 'r3'));
    await runs.deleteMessage({ messageId: await idOf('Second, better') });
    expect((await branch(db)).slice(2)).toEqual(['user: Second', 'assistant: Two']);
    expect((await snapshotOf(runs)).versions).toEqual({});
    await runs.restoreMessage({ messageId: await idOf('Second, better') });
    expect((await branch(db)).slice(2)).toEqual(['user: Second, better', 'assistant: Three']);
    expect(await versionsIn(await snapshotOf(runs))).toEqual({
      'Second, better': ['Second', 'Second, better'],
    });
  });

  it('is not what a new message follows; had back then, it is another version', async () => {
    const { runs, until, script } = await twoTurns();
    const messageId = await idOf('Second');
    await runs.deleteMessage({ messageId });
    await send(runs, 'Instead', 'r3');
    await until(runEvent('run_end', 'r3'));
    expect(script.requests[2]?.messages.map(({ content }) => content)).toEqual(['First', 'One', 'Instead']);
    await runs.restoreMessage({ messageId });
    expect(await versionsIn(await snapshotOf(runs))).toEqual({ Second: ['Second', 'Instead'] });
  });

  it('may be the first: the chat is empty then, and takes a new first message', async () => {
    const { runs, until } = await twoTurns();
    await runs.deleteMessage({ messageId: await idOf('First') });
    expect(await branch(db)).toEqual([]);
    await send(runs, 'Afresh', 'r3');
    await until(runEvent('run_end', 'r3'));
    expect(await branch(db)).toEqual(['user: Afresh', 'assistant: Three']);
    expect((await snapshotOf(runs)).versions).toEqual({});
  });

  it('on a branch that is not shown leaves what is shown', async () => {
    const { runs, until } = await twoTurns();
    await runs.start(replace('Second, better', await idOf('Second'), 'r3'));
    await until(ended);
    await until(runEvent('run_end', 'r3'));
    await runs.deleteMessage({ messageId: await idOf('Two') });
    expect((await branch(db)).slice(2)).toEqual(['user: Second, better', 'assistant: Three']);
    await runs.switchVersion({ messageId: await idOf('Second') });
    expect((await branch(db)).slice(2)).toEqual(['user: Second']);
  });
});

describe('a chat that is made shorter', () => {
  it('is told in a summary from its next message on, and keeps all that was said', async () => {
    const script = scriptedModel(says('One'), says('Two'), says('They counted.'), says('Three'));
    const { runs, until } = startWorker({ model: script.model });
    await send(runs, 'First', 'r1');
    await until(runEvent('run_end', 'r1'));
    const compact = (runId: string) => runs.compact({ conversationId: 'c1', runId });
    await expect(compact('r2')).rejects.toMatchObject({ code: 'nothing_to_compact' });
    await send(runs, 'Second', 'r3');
    await until(runEvent('run_end', 'r3'));
    await compact('r4');
    await until(runEvent('run_end', 'r4'));
    await compact('r4'); // again: changes nothing
    await expect(compact('r5')).rejects.toMatchObject({ code: 'nothing_to_compact' });
    expect((await branch(db)).slice(0, 4)).toEqual([
      'user: First',
      'assistant: One',
      'user: Second',
      'assistant: Two',
    ]);
    await send(runs, 'Third', 'r6');
    await until(runEvent('run_end', 'r6'));
    expect(script.requests.at(-1)?.messages.map(({ content }) => content)).toEqual([
      expect.stringMatching(/^Summary of the conversation so far[^]*\nThey counted\.\n[^]*\n\nSecond$/),
      'Two',
      'Third',
    ]);
  });

  it('keeps an answer that was stopped, and is tried again when the summary fails', async () => {
    const script = scriptedModel(
      says('One'),
      saysThenHangs('Half'),
      [failed('model_refused', 'No.')],
      says('They counted.'),
    );
    const { runs, until } = startWorker({ model: script.model });
    await send(runs, 'First', 'r1');
    await until(runEvent('run_end', 'r1'));
    await send(runs, 'Second', 'r2');
    await until(runEvent('text_delta', 'r2'));
    await expect(runs.compact({ conversationId: 'c1', runId: 'r3' })).rejects.toMatchObject({
      code: 'run_live',
    });
    await runs.stop({ conversationId: 'c1' });
    await runs.compact({ conversationId: 'c1', runId: 'r3' });
    await until(runEvent('run_end', 'r3'));
    await runs.start({ conversationId: 'c1', runId: 'r4' });
    await until(runEvent('run_end', 'r4'));
    expect(await branch(db)).toEqual([
      'user: First',
      'assistant: One',
      'user: Second',
      'assistant (partial): Half',
      'summary: They counted.',
    ]);
  });
});
