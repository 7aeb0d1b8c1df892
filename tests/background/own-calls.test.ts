import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createOwnCalls } from '../../entrypoints/background/tools/own-calls.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { setTool } from '../../lib/storage/configuration/tools.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import type { TestMcpServer } from '../fakes/mcp-server.ts';
import { startOfferingServer } from '../fakes/offering-server.ts';
import { startTaskServer } from '../fakes/task-server.ts';
import { add, type Rig, type Sent, startMcp, startWorkerServers } from './rig.ts';

vi.mock('wxt/browser', () => ({ browser: { permissions: { contains: async () => true } } }));

let db: Database;
let databases = 0;
let worker: Rig;
let mcp: TestMcpServer;
let id: number;

beforeEach(async () => {
  db = await openDatabase(`background-own-calls-${++databases}`);
  mcp = await startMcp();
  worker = startWorkerServers(db);
  id = await add(worker, { url: mcp.url, toolTimeout: 30_000 });
});

const make = (callId: string, tool: string, args: Record<string, unknown> = {}, by = worker) =>
  by.ownCalls.call({ callId, fullName: `mcp__${id}__${tool}`, arguments: args });
const row = (callId: string) => db.get('toolCalls', callId);
const isInError = (event: Sent): boolean => event.type === 'server_status' && event.status.state === 'error';

/** A worker died while the call `a` ran as a task. The next one has found that its server can't be reached. */
async function leftToTask() {
  const tasks = await startTaskServer('modern');
  onTestFinished(() => tasks.close());
  id = await add(worker, { name: 'Tasks', url: tasks.url });
  const made = make('a', 'research');
  await expect.poll(() => row('a')).toMatchObject({ status: 'running', task: 't-1' });
  const left = await row('a');
  worker.ownCalls.cancel({ callId: 'a' });
  await made;
  if (left) await db.put('toolCalls', left);
  await tasks.stop();
  tasks.set({ status: 'completed', result: { content: [{ type: 'text', text: 'Found three.' }] } });
  const next = startWorkerServers(db);
  const settled = next.ownCalls.settle();
  await next.until(() => next.sent.some(isInError));
  expect(await row('a')).toMatchObject({ status: 'running' });
  return { tasks, next, settled };
}

describe('a call outside any chat', () => {
  it('is made without asking, and logged from its beginning to its end', async () => {
    mcp.hold('echo');
    const outcome = make('a', 'echo', { message: 'Hi' });
    await mcp.until(() => mcp.executions.length === 1);
    expect(await row('a')).toMatchObject({ status: 'running', conversationId: '', toolName: 'echo' });
    mcp.release('echo');
    expect(await outcome).toMatchObject({ result: { text: 'Hi', isError: false } });
    expect(await row('a')).toMatchObject({
      status: 'success',
      serverId: id,
      serverName: 'Files',
      arguments: '{"message":"Hi"}',
      result: { text: 'Hi' },
      startedAt: expect.any(String),
      createdAt: expect.any(String),
      durationMs: expect.any(Number),
    });
  });

  it('may be of a tool that is switched off for chats, but of none that is blocked', async () => {
    await setTool(db, id, 'echo', { enabled: false });
    expect(await make('a', 'echo', { message: 'Hi' })).toMatchObject({ result: { text: 'Hi' } });
    await setTool(db, id, 'echo', { permission: 'block' });
    expect(await make('b', 'echo', { message: 'Hi' })).toMatchObject({ error: { code: 'tool_blocked' } });
    expect(mcp.executions).toHaveLength(1);
  });

  it.each<[string, string, Record<string, unknown>, string]>([
    ['a tool that is not there', 'gone', {}, 'no_tool'],
    ['arguments that are none', 'echo', [] as never, 'invalid_input'],
  ])('with %s is not made', async (_what, tool, args, code) => {
    expect(await make('a', tool, args)).toMatchObject({ error: { code } });
    expect(mcp.executions).toEqual([]);
  });

  it('is sent with arguments that do not fit: what the server makes of them is to be seen', async () => {
    expect(await make('a', 'echo', { message: 5 })).toMatchObject({ result: { isError: true } });
    expect(mcp.requests).toContain('POST tools/call');
  });

  it('is made once for one id', async () => {
    await make('a', 'echo', { message: 'Hi' });
    expect(await make('a', 'echo', { message: 'again' })).toMatchObject({ error: { code: 'invalid_input' } });
    expect(await row('a')).toMatchObject({ arguments: '{"message":"Hi"}' });
  });

  it('has its server’s timeout', async () => {
    await add(worker, { id, url: mcp.url, toolTimeout: 20 });
    mcp.hold('echo');
    const text = 'Tool execution timed out after 20ms';
    expect(await make('a', 'echo', { message: 'Hi' })).toMatchObject({ result: { text, isError: true } });
    expect(await row('a')).toMatchObject({ status: 'timeout' });
  });

  it('has what its server asks meanwhile answered on the page that is open', async () => {
    const asking = await startOfferingServer();
    worker = startWorkerServers(db, { isWatched: true, answer: async () => ({ action: 'decline' }) });
    id = await add(worker, { name: 'Asking', url: asking.url });
    expect(await make('a', 'ask')).toMatchObject({ result: { text: 'decline: undefined' } });
    await asking.close();
  });

  it('cancels its server’s elicitation once that page is closed', async () => {
    const asking = await startOfferingServer();
    worker = startWorkerServers(db, { isWatched: false, answer: async () => ({ action: 'decline' }) });
    id = await add(worker, { name: 'Asking', url: asking.url });
    expect(await make('a', 'ask')).toMatchObject({ result: { text: 'cancel: undefined' } });
    await asking.close();
  });

  it('that an earlier worker had begun when it died has an unknown outcome', async () => {
    mcp.hold('echo');
    void make('a', 'echo', { message: 'Hi' });
    await mcp.until(() => mcp.executions.length === 1);
    await worker.ownCalls.settle();
    expect(await row('a')).toMatchObject({ status: 'running' });
    await startWorkerServers(db).ownCalls.settle();
    expect(await row('a')).toMatchObject({ status: 'unknown', result: { isError: true } });
    mcp.release('echo');
  });

  it('that runs as a task is gone on with by the next worker, also where its server can’t be reached at first', async () => {
    const { tasks, settled } = await leftToTask();
    await tasks.restart();
    await settled;
    expect(await row('a')).toMatchObject({ status: 'success', result: { text: 'Found three.' } });
    expect(await row('a')).not.toHaveProperty('task');
    expect(tasks.asked('tools/call')).toHaveLength(1);
  });

  it('that runs as a task can be cancelled while its server can’t be reached', async () => {
    const { next, settled } = await leftToTask();
    next.ownCalls.cancel({ callId: 'a' });
    await settled;
    expect(await row('a')).toMatchObject({ status: 'cancelled' });
  });

  it('that has just begun is none of an earlier worker’s', async () => {
    mcp.hold('echo');
    const outcome = make('a', 'echo', { message: 'Hi' });
    while ((await row('a')) === undefined) await Promise.resolve();
    await worker.ownCalls.settle();
    expect(['pending', 'running']).toContain((await row('a'))?.status);
    mcp.release('echo');
    expect(await outcome).toMatchObject({ result: { text: 'Hi' } });
  });
});

describe('a call whose end can’t be written down', () => {
  /** A disk that is too full for some rows. */
  function callsOn(isTooMuch: (row: ToolCall) => boolean) {
    const put = async (store: 'toolCalls', value: ToolCall) => {
      if (isTooMuch(value)) throw new DOMException('Full.', 'QuotaExceededError');
      return db.put(store, value);
    };
    const full = new Proxy(db, {
      get: (target, key) => (key === 'put' ? put : (Reflect.get(target, key) as () => unknown).bind(target)),
    });
    return createOwnCalls(full, {
      callTool: worker.tools.call,
      during: (job) => job(),
      written: () => {},
      now: Date.now,
    });
  }
  const request = () => ({ callId: 'a', fullName: `mcp__${id}__echo`, arguments: { message: 'Hi' } });

  it('is answered with its result and kept without its blocks', async () => {
    const { call } = callsOn(({ result }) => result?.blocks !== undefined);
    expect(await call(request())).toMatchObject({ result: { text: 'Hi', blocks: [{ type: 'text' }] } });
    expect(await row('a')).toMatchObject({ status: 'success', result: { text: 'Hi', isError: false } });
    expect((await row('a'))?.result).not.toHaveProperty('blocks');
  });

  it('is answered with its result when not even that can be kept: it was made', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { call } = callsOn(({ result }) => result !== undefined);
    expect(await call(request())).toMatchObject({ result: { text: 'Hi' } });
    expect(warn).toHaveBeenCalledOnce();
    warn.mockRestore();
  });

  it('is not made when not even its beginning can be', async () => {
    const { call } = callsOn(() => true);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect(await call(request())).toMatchObject({ error: { code: 'call_not_made' } });
    expect(mcp.executions).toEqual([]);
    warn.mockRestore();
  });
});

describe('cancelling a call', () => {
  it('reaches the server at once, with twenty more waiting for their turn', async () => {
    mcp.hold('echo');
    const calls = Array.from({ length: 21 }, (_, index) =>
      make(`c${index}`, 'echo', { message: `${index}` }),
    );
    await mcp.until(() => mcp.executions.length === 4);
    const first = String(mcp.executions[0]?.args['message']);
    worker.ownCalls.cancel({ callId: `c${first}` });
    await mcp.until(() => mcp.cancelled.length === 1);
    const others = mcp.executions.filter(({ args }) => args['message'] !== first);
    expect(others.map(({ endedAt }) => endedAt)).toEqual(others.map(() => undefined));
    mcp.release('echo');
    const outcomes = await Promise.all(calls);
    expect(outcomes[Number(first)]).toMatchObject({ result: { text: 'echo was cancelled.', isError: true } });
    expect(outcomes.filter((outcome) => 'result' in outcome && !outcome.result.isError)).toHaveLength(20);
    expect(await row(`c${first}`)).toMatchObject({ status: 'cancelled' });
  });

  it('straight after it was made is not lost: it is never sent', async () => {
    const outcome = make('a', 'echo', { message: 'Hi' });
    worker.ownCalls.cancel({ callId: 'a' });
    expect(await outcome).toMatchObject({ error: { code: 'call_cancelled' } });
    expect(await row('a')).toMatchObject({ status: 'cancelled' });
    expect(mcp.executions).toEqual([]);
  });

  it('is still possible after a second call tried its id', async () => {
    mcp.hold('echo');
    const first = make('a', 'echo', { message: 'Hi' });
    expect(await make('a', 'echo')).toMatchObject({ error: { code: 'invalid_input' } });
    await mcp.until(() => mcp.executions.length === 1);
    worker.ownCalls.cancel({ callId: 'a' });
    expect(await first).toMatchObject({ result: { text: 'echo was cancelled.' } });
    mcp.release('echo');
  });

  it('that still waits for its turn is never sent', async () => {
    await add(worker, { id, url: mcp.url, oneAtATime: true });
    mcp.hold('echo');
    const first = make('a', 'echo', { message: '1' });
    await mcp.until(() => mcp.executions.length === 1);
    const second = make('b', 'echo', { message: '2' });
    worker.ownCalls.cancel({ callId: 'gone' });
    while ((await row('b')) === undefined) await Promise.resolve();
    worker.ownCalls.cancel({ callId: 'b' });
    expect(await second).toMatchObject({ error: { code: 'call_cancelled' } });
    mcp.release('echo');
    await first;
    expect(mcp.executions).toHaveLength(1);
  });
});
