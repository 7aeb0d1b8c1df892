import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createSetup, isLoopback, serverSummary } from '../../lib/state/setup.ts';
import type { ServerRequest } from '../../lib/types/request.ts';
import type { Server, ServerState } from '../../lib/types/setup.ts';
import type { WireEntry } from '../../lib/types/wire-log.ts';
import { EPOCH, rows, snapshot, fakeWorker, setup } from './fake-worker.ts';

const server = (id: number, enabled = true): Server => ({
  id,
  name: `Server ${id}`,
  transport: 'streamable-http',
  url: 'http://127.0.0.1/mcp',
  enabled,
  toolTimeout: 30_000,
  headerNames: [],
  trusted: false,
  oneAtATime: false,
});
const request = (id: string, conversationId: string): ServerRequest => ({
  kind: 'form',
  message: 'Which one?',
  schema: {},
  id,
  conversationId,
  serverId: 1,
  serverName: 'Everything',
  serverHost: '127.0.0.1:3001',
  callId: 'try1',
  askedAt: '2026-11-21T10:00:00.000Z',
});
const status = (state: ServerState) => ({ state, toolCount: 0 });

describe('the set-up', () => {
  it('follows a server’s status that is told alone', () => {
    const worker = fakeWorker();
    const state = createSetup(worker.link);
    state.use();
    worker.say({ type: 'server_status', serverId: 3, status: status('connecting') });
    expect(state.setup.value).toBeNull();
    worker.say({ type: 'setup', setup });
    worker.say({ type: 'server_status', serverId: 3, status: status('connected') });
    expect(state.setup.value?.statuses[3]).toEqual(status('connected'));
  });

  it('is asked for as a whole when a status before was missed', () => {
    const worker = fakeWorker();
    const state = createSetup(worker.link);
    state.use();
    worker.say({ type: 'setup', setup });
    const revision = { epoch: EPOCH, number: 3 };
    worker.sayPlain({ type: 'server_status', revision, serverId: 3, status: status('connected') });
    expect(state.setup.value?.statuses[3]).toBeUndefined();
    expect(worker.requests).toHaveLength(2);
    expect(worker.requests[1]).not.toHaveProperty('setup');
  });

  it('that was missed while the port was down is asked for when it is announced', () => {
    const worker = fakeWorker();
    createSetup(worker.link).use();
    worker.say({ type: 'setup', setup });
    worker.say(snapshot({ conversation: null }));
    worker.drop();
    worker.announce({ topic: 'setup', revision: { epoch: EPOCH, number: 1 } });
    worker.announce({ topic: 'chats', revision: { epoch: EPOCH, number: 9 } });
    expect(worker.ports).toHaveLength(1);
    worker.announce({ topic: 'setup', revision: { epoch: EPOCH, number: 2 } });
    expect(worker.ports).toHaveLength(2);
    expect(worker.requests.at(-1)).toMatchObject({ setup: { epoch: EPOCH, number: 1 } });
  });

  it('is subscribed to again with the next command after the port dropped', async () => {
    const worker = fakeWorker();
    const state = createSetup(worker.link);
    state.use();
    worker.say({ type: 'setup', setup });
    worker.say(snapshot({ conversation: null }));
    worker.drop();
    expect(worker.ports).toHaveLength(1);
    await state.command('removeServer', { id: 1 });
    expect(worker.requests).toMatchObject([
      { type: 'subscribe', subscription: 1, conversationId: '' },
      { type: 'subscribe', subscription: 2, setup: { number: 1 } },
    ]);
  });

  it('is subscribed to again by itself when the port dropped before it was told', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const worker = fakeWorker();
    createSetup(worker.link).use();
    worker.drop();
    vi.advanceTimersByTime(1000);
    expect(worker.ports).toHaveLength(2);
  });

  it('knows in which chats something is going on', () => {
    const worker = fakeWorker();
    const state = createSetup(worker.link);
    state.use();
    const before = state.goingOn.value;
    worker.say({ type: 'conversation_state', conversationId: 'c1', state: 'running' });
    worker.say({ type: 'conversation_state', conversationId: 'c2', state: 'waiting' });
    expect([...state.goingOn.value]).toEqual([
      ['c1', 'running'],
      ['c2', 'waiting'],
    ]);
    worker.say({ type: 'conversation_state', conversationId: 'c1', state: null });
    expect([...state.goingOn.value.keys()]).toEqual(['c2']);
    expect(before.size).toBe(0);
  });

  it('has the log of one server told, until nobody looks at it', () => {
    const worker = fakeWorker();
    const state = createSetup(worker.link);
    const heard: number[] = [];
    const entry = (seq: number): WireEntry => ({ seq, at: '', kind: 'note', summary: '', size: 0 });
    const forget = state.watchLog(3, ({ seq }) => heard.push(seq));
    worker.say({ type: 'server_log', serverId: 3, entries: [entry(1), entry(2)] });
    worker.say({ type: 'server_log', serverId: 4, entries: [entry(3)] });
    forget();
    worker.say({ type: 'server_log', serverId: 3, entries: [entry(4)] });
    expect(heard).toEqual([1, 2]);
    expect(worker.requests.map((asked) => 'logOf' in asked && asked.logOf)).toEqual([3, false]);
  });

  it('still watches a log when the port comes back', () => {
    const worker = fakeWorker();
    const state = createSetup(worker.link);
    state.watchLog(3, () => undefined);
    worker.drop();
    state.use();
    expect(worker.requests.at(-1)).toMatchObject({ logOf: 3 });
  });

  it('knows what servers ask outside any chat, as long as they wait for it', async () => {
    const worker = fakeWorker();
    const state = createSetup(worker.link);
    state.use();
    const ids = (): string[] => state.requests.value.map(({ id }) => id);
    worker.say(snapshot({ conversation: null, requests: [request('q1', '')] }));
    expect(ids()).toEqual(['q1']);
    worker.say(rows({ requests: [request('q1', ''), request('q3', '')] }));
    expect(ids()).toEqual(['q1', 'q3']);
    await state.answerRequest('q1', { action: 'decline' });
    expect(worker.sent.at(-1)).toEqual({
      command: 'answerRequest',
      request: { requestId: 'q1', action: 'decline' },
    });
    worker.say(rows({ requests: [request('q3', '')] }));
    expect(ids()).toEqual(['q3']);
  });

  it('counts the enabled servers and shows the worst lamp', () => {
    const statuses = {
      1: status('connected'),
      2: status('error'),
      3: status('connected'),
      4: status('error'),
    };
    const servers = [server(1), server(2), server(3), server(4, false)];
    expect(serverSummary({ ...setup, servers, statuses })).toEqual({
      connected: 2,
      failed: 1,
      state: 'error',
    });
    expect(serverSummary(setup)).toEqual({ connected: 0, failed: 0, state: null });
  });
});

describe('a provider', () => {
  it.each([
    'http://127.0.0.1:11434/v1',
    'http://localhost:1234',
    'http://[::1]:8080/v1',
    'http://demo.localhost/v1',
  ])('at %s stays on this computer', (url) => expect(isLoopback(url)).toBe(true));
  it.each([
    'https://api.openai.com/v1',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com',
    'nonsense',
  ])('at %s does not', (url) => expect(isLoopback(url)).toBe(false));
});
