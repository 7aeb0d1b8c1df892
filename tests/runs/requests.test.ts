import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import { NEW_CHAT, OWN_CALLS } from '../../lib/protocol/chats.ts';
import type { Runs } from '../../lib/runs/runs.ts';
import type { Database } from '../../lib/storage/schema.ts';
import type { AskedBy, RequestAnswer, RequestBody } from '../../lib/types/request.ts';
import type { CallTool } from '../../lib/types/tools/call-tool.ts';
import { calls, says, scriptedModel } from '../fakes/scripted-model.ts';
import { runEvent, send, startWorker as startWorkerOn, type WorkerOptions } from '../fakes/worker.ts';
import { ended, freshDatabase, snapshotOf } from './scene.ts';

let db: Database;
const startWorker = (options: Omit<WorkerOptions, 'db'>) => startWorkerOn({ ...options, db });

beforeEach(async () => {
  db = await freshDatabase();
});

const by: AskedBy = {
  conversationId: 'c1',
  callId: null,
  serverId: 1,
  serverName: 'Test server',
  serverHost: 'api.example.com',
};
const form: RequestBody = { kind: 'form', message: 'Who are you?', schema: { type: 'object' } };
const open = new AbortController().signal;
const isAsked = ({ type }: { type: string }) => type === 'server_request';

/** A worker one of whose calls asks the user; what it was told is the call's result. */
function asking(bodies: RequestBody[] = [form], options: Partial<WorkerOptions> = {}) {
  const asks = bodies;
  const answers: RequestAnswer[] = [];
  const callTool: CallTool = async ({ callId }, _args, { started, signal }) => {
    await started();
    const each = asks.map((body) => worker.runs.ask({ ...by, callId }, body, signal));
    answers.push(...(await Promise.all(each)));
    return { status: 'success', result: { text: 'Done.', isError: false } };
  };
  const model = scriptedModel(calls(['mcp__1__look', {}]), says('Done')).model;
  const worker = startWorker({ model, callTool, ...options });
  return { ...worker, answers };
}

const waitingIds = async (runs: Runs) => (await snapshotOf(runs)).requests.map(({ id }) => id);

describe('what a server asks of the user in a call', () => {
  it('is shown, waits while the run goes on working, and gets the user’s answer', async () => {
    const { runs, until, sent, working, badge, answers } = asking();
    await send(runs, 'Look');
    await until(isAsked);
    const [request] = (await snapshotOf(runs)).requests;
    expect(request).toMatchObject({ ...form, ...by, callId: expect.stringMatching(/\.0$/) });
    expect(sent).toContainEqual({ type: 'server_request', request });
    expect(runs.stateOf('c1')).toBe('waiting');
    expect(badge.at(-1)).toBe(1);
    expect(await db.get('runs', 'r1')).toMatchObject({ status: 'working' });
    expect(working).toContain('r1');

    const content = { name: 'Ada', age: 36, member: true, likes: ['tea', 'bees'] };
    await runs.answerRequest({ requestId: request?.id ?? '', action: 'accept', content });
    await until(ended);
    expect(answers).toEqual([{ action: 'accept', content }]);
    expect(sent.findLast(({ type }) => type === 'requests')).toMatchObject({ requests: [] });
    expect(badge.at(-1)).toBe(0);
    const states = sent.flatMap((event) => (event.type === 'conversation_state' ? [event.state] : []));
    expect(states).toEqual(['running', 'waiting', 'running', null]);
    expect(await waitingIds(runs)).toEqual([]);
    await expect.poll(() => working.size).toBe(0);
  });

  it('may be two things at once, oldest first, each with an answer of its own', async () => {
    const url: RequestBody = { kind: 'url', message: 'Sign here', url: 'https://example.com/sign' };
    const { runs, until, badge, answers } = asking([form, url]);
    await send(runs, 'Look');
    await until((event) => event.type === 'server_request' && event.request.kind === 'url');
    const [first = '', second = ''] = await waitingIds(runs);
    expect((await snapshotOf(runs)).requests.map(({ kind }) => kind)).toEqual(['form', 'url']);
    expect(badge.at(-1)).toBe(2);
    // What is no form has no content, even in an answer.
    await runs.answerRequest({ requestId: second, action: 'accept', content: { a: 1 } });
    await expect.poll(() => waitingIds(runs)).toEqual([first]);
    await runs.answerRequest({ requestId: first, action: 'decline' });
    await until(ended);
    expect(answers).toEqual([{ action: 'decline' }, { action: 'accept' }]);
  });

  it('opens the page that was consented to, once, and no other', async () => {
    const page = { kind: 'url', message: 'Sign here', url: 'https://example.com/sign' } as const;
    const opened: string[] = [];
    const openings = [Promise.reject(new Error('No window.')), new Promise<void>((r) => setTimeout(r))];
    openings[0]?.catch(() => undefined);
    const openPrivately = async (url: string): Promise<void> => {
      opened.push(url);
      await openings.shift();
    };
    const { runs, until, answers, sent } = asking([page, page, { ...page, isOpened: true }], {
      openPrivately,
    });
    await send(runs, 'Look');
    await until(isAsked);
    await expect.poll(async () => (await waitingIds(runs)).length).toBe(3);
    const [first = '', second = '', third = ''] = await waitingIds(runs);
    await runs.answerRequest({ requestId: second, action: 'decline' });
    expect(opened).toEqual([]);
    // It was not opened before: that the user is done there is no word of theirs.
    const given = { requestId: first, action: 'accept', isDone: true } as const;
    await expect(runs.answerRequest(given)).rejects.toThrow('No window.');
    expect(await waitingIds(runs)).toEqual([first, third]);
    await Promise.all([runs.answerRequest(given), runs.answerRequest(given)]);
    await runs.answerRequest({ requestId: third, action: 'accept', isDone: true });
    await until(ended);
    expect(opened).toEqual([page.url, page.url]);
    expect(answers).toEqual([
      { action: 'accept' },
      { action: 'decline' },
      { action: 'accept', isDone: true },
    ]);
    expect(sent.findLast(({ type }) => type === 'requests')).toMatchObject({ requests: [] });
  });

  it('is turned away while ten others wait', async () => {
    const { runs, badge } = asking();
    const abort = new AbortController();
    const asks = Array.from({ length: 10 }, () => runs.ask(by, form, abort.signal));
    await expect.poll(() => badge.at(-1)).toBe(10);
    await expect(runs.ask(by, form, open)).rejects.toMatchObject({ code: 'too_many_requests' });
    abort.abort();
    await Promise.all(asks);
    expect(badge.at(-1)).toBe(0);
  });

  it('is turned away when eleven come at once', async () => {
    const { runs } = asking();
    const abort = new AbortController();
    const asks = Array.from({ length: 11 }, () => runs.ask(by, form, abort.signal));
    const all = Promise.allSettled(asks);
    await expect.poll(() => waitingIds(runs)).toHaveLength(10);
    await expect(asks[10]).rejects.toMatchObject({ code: 'too_many_requests' });
    abort.abort();
    expect((await all).filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await waitingIds(runs)).toEqual([]);
  });

  it('is cancelled and taken away when the run is stopped', async () => {
    const { runs, until, sent, answers } = asking();
    await send(runs, 'Look');
    await until(isAsked);
    const [requestId = ''] = await waitingIds(runs);
    await runs.stop({ conversationId: 'c1' });
    await expect.poll(() => answers).toEqual([{ action: 'cancel' }]);
    expect(sent.filter(({ type }) => type === 'server_request_end')).toHaveLength(1);
    expect(runs.stateOf('c1')).toBeUndefined();
    // Too late.
    await runs.answerRequest({ requestId, action: 'accept', content: {} });
    expect(answers).toHaveLength(1);
  });

  it('is taken away when its call ends, even if the caller holds on to it', async () => {
    let answer: Promise<RequestAnswer> | undefined;
    const callTool: CallTool = async ({ callId }, _args, { started }) => {
      await started();
      answer = worker.runs.ask({ ...by, callId }, form, open);
      await worker.until(isAsked);
      return { status: 'timeout', result: { text: 'Too slow.', isError: true } };
    };
    const model = scriptedModel(calls(['mcp__1__look', {}]), says('Done')).model;
    const worker = startWorker({ model, callTool });
    await send(worker.runs, 'Look');
    await worker.until(ended);
    expect(await answer).toEqual({ action: 'cancel' });
    expect(await waitingIds(worker.runs)).toEqual([]);
  });

  it('is taken away as soon as its signal aborts, and not even shown when it has', async () => {
    const { runs, until, sent } = asking();
    const abort = new AbortController();
    const answer = runs.ask(by, form, abort.signal);
    await until(isAsked);
    abort.abort();
    expect(await answer).toEqual({ action: 'cancel' });
    expect(sent.findLast(({ type }) => type === 'requests')).toMatchObject({ requests: [] });
    sent.length = 0;
    expect(await runs.ask(by, form, abort.signal)).toEqual({ action: 'cancel' });
    expect(sent).toEqual([]);
  });

  it('is there when its conversation is opened later, and is what a panel that opens shows', async () => {
    const { runs, until } = asking();
    await send(runs, 'Look');
    await until(isAsked);
    expect(await runs.firstShown()).toBe('c1');
    expect(await snapshotOf(runs)).toMatchObject({
      conversation: { id: 'c1' },
      requests: [{ kind: 'form' }],
    });
    await runs.stop({ conversationId: 'c1' });
  });

  it('ends with its chat: no panel opens at one that is deleted', async () => {
    const { runs, until } = startWorker({ model: scriptedModel(says('Hello')).model });
    await send(runs, 'Hello');
    await until(ended);
    const asked = runs.ask(by, form, open);
    await expect.poll(() => runs.waiting()).toBe('c1');
    await runs.chats.remove({ ids: ['c1'] });
    expect(await asked).toEqual({ action: 'cancel' });
    expect(runs.waiting()).toBeUndefined();
  });

  it('of a call that was made in the settings is of no chat that a panel could open at', async () => {
    const { runs, until } = asking();
    const answer = runs.ask({ ...by, conversationId: OWN_CALLS }, form, open);
    await until(isAsked);
    expect(await runs.firstShown()).toBe(NEW_CHAT);
    expect(await snapshotOf(runs, NEW_CHAT)).toMatchObject({ conversation: null, requests: [] });
    expect(runs.waiting()).toBeUndefined();
    runs.cancelRequests(OWN_CALLS);
    await answer;
  });

  it('may come without a run, in a chat that has not begun: it keeps the worker alive all the same', async () => {
    const { runs, working, badge, until } = asking();
    const answer = runs.ask({ ...by, conversationId: NEW_CHAT }, form, open);
    await until(isAsked);
    const [request] = (await snapshotOf(runs, NEW_CHAT)).requests;
    expect([working.size, badge.at(-1)]).toEqual([1, 1]);
    await runs.answerRequest({ requestId: request?.id ?? '', action: 'accept' });
    expect(await answer).toEqual({ action: 'accept' });
    expect([working.size, badge.at(-1)]).toEqual([0, 0]);
  });

  it.each([
    ['too long a text', { name: 'x'.repeat(300_000) }],
    ['an object', { name: { first: 'Ada' } }],
    ['no number', { age: Number.NaN }],
    ['a list of numbers', { ages: [1] }],
    ['no fields', ['Ada']],
  ])('gets no form that holds %s: it still waits', async (_what, content) => {
    const { runs, until, answers } = asking();
    await send(runs, 'Look');
    await until(isAsked);
    const [requestId = ''] = await waitingIds(runs);
    const answer = { requestId, action: 'accept' as const, content: content as never };
    await expect(runs.answerRequest(answer)).rejects.toMatchObject({ code: 'bad_answer' });
    expect(answers).toEqual([]);
    expect(await waitingIds(runs)).toEqual([requestId]);
    await runs.stop({ conversationId: 'c1' });
  });

  it('dies with its worker: the next one makes the call again or asks, as for any other', async () => {
    const first = asking();
    await send(first.runs, 'Look');
    await first.until(isAsked);
    const second = asking();
    expect((await snapshotOf(second.runs)).requests).toEqual([]);
    await second.runs.resume();
    await second.until(runEvent('call_start'));
    await second.until(isAsked);
    await second.runs.stop({ conversationId: 'c1' });
  });
});
