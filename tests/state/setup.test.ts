import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { OWN_CALLS } from '../../lib/protocol/chats.ts';
import { serverSummary } from '../../lib/state/server-summary.ts';
import { createSetup } from '../../lib/state/settings/setup.ts';
import type { ServerRequest } from '../../lib/types/request.ts';
import type { Server, ServerState } from '../../lib/types/server.ts';
import type { WireEntry } from '../../lib/types/wire-log.ts';
import { at, conversation, fakeWorker, rows, setup, snapshot } from './fake-worker.ts';

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
const request = (id: string): ServerRequest => ({
  kind: 'form',
  message: 'Which one?',
  schema: {},
  id,
  conversationId: OWN_CALLS,
  serverId: 1,
  serverName: 'Everything',
  serverHost: '127.0.0.1:3001',
  callId: 'try1',
  askedAt: '2026-11-21T10:00:00.000Z',
});
const status = (state: ServerState) => ({ state, toolCount: 0 });

/** What the page of settings is told of calls that belong to no chat. */
const ownCalls = (requests: ServerRequest[] = []) => ({
  ...snapshot({ conversation: null, requests }),
  conversationId: OWN_CALLS,
});
const subscribe = { type: 'subscribe', conversationId: OWN_CALLS };

function open() {
  const worker = fakeWorker();
  const state = createSetup(worker.link);
  state.use();
  return { worker, state };
}

describe('the configuration', () => {
  it('follows a server’s status between the whole pushes', () => {
    const { worker, state } = open();
    worker.say({ type: 'setup', setup });
    worker.say({ type: 'server_status', serverId: 3, status: status('connected') });
    worker.say({ type: 'server_status', serverId: 4, status: status('error') });
    expect(state.setup.value?.statuses).toEqual({ 3: status('connected'), 4: status('error') });
    expect(worker.requests).toHaveLength(1);
  });

  it('is asked for as a whole, once, when a status skips a revision', () => {
    const { worker, state } = open();
    worker.say(ownCalls());
    worker.say({ type: 'setup', setup });
    worker.say({ type: 'server_status', revision: at(3), serverId: 3, status: status('connected') });
    worker.say({ type: 'server_status', serverId: 3, status: status('error') });
    expect(state.setup.value?.statuses).toEqual({});
    expect(worker.requests.slice(1)).toEqual([{ ...subscribe, subscription: 2, have: at(0) }]);
    worker.say({ type: 'setup', setup: { ...setup, statuses: { 3: status('error') } } });
    worker.say({ type: 'server_status', serverId: 4, status: status('connected') });
    expect(state.setup.value?.statuses).toEqual({ 3: status('error'), 4: status('connected') });
    expect(worker.requests).toHaveLength(2);
  });

  it('is asked for as a whole when a status comes from another worker', () => {
    const { worker, state } = open();
    worker.say(ownCalls());
    worker.say({ type: 'setup', setup });
    worker.say({ type: 'server_status', revision: at(2, 'e2'), serverId: 3, status: status('connected') });
    expect(state.setup.value?.statuses).toEqual({});
    expect(worker.requests.at(-1)).not.toHaveProperty('setup');
  });

  it('is subscribed to again, from what is here, with the next command after the port dropped', async () => {
    const { worker, state } = open();
    worker.say({ type: 'setup', setup });
    worker.say(ownCalls());
    worker.drop();
    expect(worker.ports).toHaveLength(1);
    await state.command('removeServer', { id: 1 });
    expect(worker.requests).toEqual([
      { ...subscribe, subscription: 1 },
      { ...subscribe, subscription: 2, have: at(0), setup: at(1) },
    ]);
  });

  it('is subscribed to again by itself when the port dropped before it was told', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { worker } = open();
    worker.drop();
    vi.advanceTimersByTime(1000);
    expect(worker.ports).toHaveLength(2);
  });

  it('is requested on another port when one stays silent, until it comes', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { worker } = open();
    vi.advanceTimersByTime(5000);
    expect(worker.ports.map(({ isClosed }) => isClosed)).toEqual([true, false]);
    worker.say({ type: 'setup', setup });
    worker.say(ownCalls());
    vi.advanceTimersByTime(60_000);
    expect(worker.ports).toHaveLength(2);
  });

  it('that is another by now opens a port that is down, and a chat that is another does not', () => {
    const { worker } = open();
    worker.say({ type: 'setup', setup });
    worker.say(ownCalls());
    worker.drop();
    worker.announce({ topic: 'setup', revision: at(1) });
    worker.announce({ topic: 'c1', revision: at(9) });
    expect(worker.ports).toHaveLength(1);
    worker.announce({ topic: 'setup', revision: at(2) });
    expect(worker.requests.at(-1)).toMatchObject({ subscription: 2, setup: at(1) });
  });

  it('knows in which chats something is going on', () => {
    const { worker, state } = open();
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

  it('reads anew what is going on when it missed some of that, once for each gap', async () => {
    const { worker, state } = open();
    const titled = (id: string) => ({ ...conversation, id });
    worker.answer.listConversations = () => ({
      conversations: [{ ...titled('c2'), state: 'running' }, titled('c1')],
      hasMore: false,
      count: 2,
    });
    const reads = () => worker.sent.filter(({ command }) => command === 'listConversations');
    worker.say({ type: 'chats' });
    worker.say({ type: 'conversation_state', conversationId: 'c1', state: 'running' });
    expect(reads()).toHaveLength(0);
    worker.say({ type: 'conversation_state', revision: at(9), conversationId: 'c3', state: 'waiting' });
    await vi.waitFor(() => expect([...state.goingOn.value]).toEqual([['c2', 'running']]));
    worker.say({ type: 'conversation_state', conversationId: 'c2', state: null });
    expect(state.goingOn.value.size).toBe(0);
    expect(reads()).toHaveLength(1);
  });

  it('opens a port that is down, with what it has, when the list of chats is another', () => {
    const { worker } = open();
    worker.say({ type: 'setup', setup });
    worker.say(ownCalls());
    worker.say({ type: 'chats', revision: at(4) });
    worker.drop();
    worker.announce({ topic: 'chats', revision: at(4) });
    expect(worker.ports).toHaveLength(1);
    worker.announce({ topic: 'chats', revision: at(5) });
    expect(worker.requests.at(-1)).toMatchObject({ subscription: 2, setup: at(1), chats: at(4) });
  });

  it('subscribes to the log of one server, until the last subscriber leaves', () => {
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
    expect(worker.requests).toEqual([
      { ...subscribe, subscription: 1, logOf: 3 },
      { ...subscribe, subscription: 2 },
    ]);
  });

  it('subscribes to the log again when the port comes back', () => {
    const worker = fakeWorker();
    const state = createSetup(worker.link);
    state.watchLog(3, () => undefined);
    worker.drop();
    state.use();
    expect(worker.requests.at(-1)).toEqual({ ...subscribe, subscription: 2, logOf: 3 });
  });

  it('knows what servers ask outside any chat, as long as they wait for it', async () => {
    const { worker, state } = open();
    const ids = (): string[] => state.requests.value.map(({ id }) => id);
    worker.say(ownCalls([request('q1')]));
    expect(ids()).toEqual(['q1']);
    worker.say(rows({ requests: [request('q1'), request('q3')] }));
    expect(ids()).toEqual(['q1', 'q3']);
    await state.answerRequest('q1', { action: 'decline' });
    expect(worker.sent.at(-1)).toEqual({
      command: 'answerRequest',
      request: { requestId: 'q1', action: 'decline' },
    });
    worker.say(rows({ requests: [request('q3')] }));
    expect(ids()).toEqual(['q3']);
    expect(worker.requests).toHaveLength(1);
  });

  it('asks for all that servers ask when a change of it was missed', () => {
    const { worker, state } = open();
    worker.say(ownCalls());
    worker.say({ ...rows({ requests: [request('q2')] }), from: 4 });
    expect(state.requests.value).toEqual([]);
    expect(worker.requests.slice(1)).toEqual([{ ...subscribe, subscription: 2 }]);
    worker.say({ ...ownCalls([request('q1'), request('q2')]), revision: at(5) });
    expect(state.requests.value.map(({ id }) => id)).toEqual(['q1', 'q2']);
    worker.say({ type: 'revision' });
    expect(worker.requests).toHaveLength(2);
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
