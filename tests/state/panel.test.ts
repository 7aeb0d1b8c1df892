import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../../lib/errors.ts';
import { createPanel, type Panel } from '../../lib/state/panel.ts';
import type { AssistantMessage } from '../../lib/types/message.ts';
import type { Run } from '../../lib/types/run.ts';
import type { Provider } from '../../lib/types/provider.ts';
import {
  append,
  assistant,
  at,
  conversation,
  countingIds,
  fakeWorker,
  manualFrames,
  queued,
  rows,
  run,
  setup,
  snapshot,
  user,
} from './fake-worker.ts';

function open(): {
  panel: Panel;
  worker: ReturnType<typeof fakeWorker>;
  frames: ReturnType<typeof manualFrames>;
} {
  const worker = fakeWorker();
  const frames = manualFrames();
  const seams = {
    nextFrame: frames.nextFrame,
    newId: countingIds(),
    now: () => '2026-11-21T10:00:00.000Z',
    ownWindow: async () => 1,
  };
  const panel = createPanel(worker.link, seams);
  panel.start();
  return { panel, worker, frames };
}

const ended = run({ status: 'ended', reason: 'done' });
const streaming = (content = ''): AssistantMessage => assistant(2, { status: 'streaming', content });
const lastMessage = (panel: Panel): AssistantMessage => panel.chat.value.messages.at(-1) as AssistantMessage;
const refusal = new AppError({ code: 'worker_unreachable', message: 'No answer' });
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('opening', () => {
  it('subscribes to the newest conversation', () => {
    const { panel, worker } = open();
    expect(worker.requests).toEqual([{ type: 'subscribe', subscription: 1, conversationId: null }]);
    worker.say(snapshot({ messages: [user(1)], draft: 'half a thought' }));
    expect(panel.conversationId.value).toBe('c1');
    expect(panel.text.value).toBe('half a thought');
  });

  it('takes the draft of a new chat when there is no conversation yet', () => {
    const { panel, worker } = open();
    worker.say(snapshot({ conversation: null, draft: 'not sent yet' }));
    expect(panel.conversationId.value).toBeNull();
    expect(panel.text.value).toBe('not sent yet');
    expect(worker.requests).toHaveLength(1);
  });

  it('keeps what was typed before the draft came', () => {
    const { panel, worker } = open();
    panel.type('typed early');
    worker.say(snapshot({ draft: 'from before' }));
    expect(panel.text.value).toBe('from before\ntyped early');
  });
});

describe('streaming', () => {
  it('coalesces appends to one change a frame and leaves the chat alone', () => {
    const { panel, worker, frames } = open();
    worker.say(snapshot({ messages: [user(1)], runs: [run()] }));
    worker.say(rows({ messages: [streaming()] }));
    const { text } = panel.streams.of(lastMessage(panel));
    const chat = panel.chat.value;
    worker.say(append('Hel'));
    worker.say(append('lo', 3));
    expect(frames.asked()).toBe(1);
    expect(text.value).toBe('');
    frames.paint();
    expect(text.value).toBe('Hello');
    expect(panel.chat.value).toBe(chat);
  });

  it('begins anew with the row of a message that is begun again', () => {
    const { panel, worker, frames } = open();
    worker.say(snapshot({ messages: [user(1), streaming('Half')], runs: [run()] }));
    worker.say(append(' an', 4));
    worker.say(rows({ messages: [streaming('Who')] }));
    worker.say(append('le', 3));
    frames.paint();
    expect(panel.streams.of(lastMessage(panel)).text.value).toBe('Whole');
  });

  it('keeps the text of a message that is cut off until the row of the one that is begun again', () => {
    const { panel, worker, frames } = open();
    worker.say(snapshot({ messages: [user(1), streaming('Half')], runs: [run()] }));
    const partial = assistant(2, { status: 'partial', content: 'Half an' });
    worker.say(rows({ messages: [partial], runs: [run()] }));
    worker.say(rows({ activity: { maxIterations: 10, summarising: false, progress: {} } }));
    expect(lastMessage(panel)).toBe(partial);
    worker.say(rows({ messages: [streaming()] }));
    worker.say(append('Whole'));
    frames.paint();
    expect(panel.streams.of(lastMessage(panel)).text.value).toBe('Whole');
  });

  it('goes on from the snapshot’s text after a reconnect', () => {
    const { panel, worker, frames } = open();
    worker.say(snapshot({ messages: [user(1), streaming('Hel')], runs: [run()] }));
    const { text } = panel.streams.of(lastMessage(panel));
    worker.say(append('lo', 3));
    frames.paint();
    expect(text.value).toBe('Hello');
  });

  it('goes on from the calls that the snapshot holds', () => {
    const { panel, worker, frames } = open();
    const tool_calls = [
      { id: '', name: 'mcp__1__echo', arguments: '{}' },
      { id: '', name: 'mcp__1__get-sum', arguments: '{"a":' },
    ];
    worker.say(snapshot({ messages: [user(1), { ...streaming(), tool_calls }], runs: [run()] }));
    worker.say(append('1}', 5, { position: 1, name: 'mcp__1__get-sum' }));
    frames.paint();
    expect(panel.streams.of(lastMessage(panel)).calls.value).toEqual([
      { name: 'mcp__1__echo', arguments: '{}' },
      { name: 'mcp__1__get-sum', arguments: '{"a":1}' },
    ]);
  });

  it('leaves no hole where an earlier call was never told of', () => {
    const { panel, worker, frames } = open();
    worker.say(snapshot({ messages: [user(1), streaming()], runs: [run()] }));
    worker.say(append('{', 0, { position: 1, name: 'mcp__1__echo' }));
    frames.paint();
    expect([...panel.streams.of(lastMessage(panel)).calls.value]).toEqual([
      { name: '', arguments: '' },
      { name: 'mcp__1__echo', arguments: '{' },
    ]);
  });

  it('gives way to the row of what is whole or cut off, and to nothing where it is removed', () => {
    const { panel, worker } = open();
    worker.say(snapshot({ messages: [user(1), streaming()], runs: [run()] }));
    worker.say(append('Half an ans'));
    const partial = assistant(2, { status: 'partial', content: 'Half an answer' });
    worker.say(rows({ messages: [partial], runs: [ended] }));
    expect(lastMessage(panel)).toBe(partial);
    worker.say(rows({ removed: ['a2'] }));
    expect(panel.chat.value.messages.map(({ id }) => id)).toEqual(['u1']);
  });
});

describe('a dropped port', () => {
  it('comes back at once while a run works, and keeps the text', () => {
    const { panel, worker } = open();
    worker.say(snapshot({ runs: [run()] }));
    panel.type('being typed');
    worker.drop();
    expect(worker.ports).toHaveLength(2);
    expect(worker.requests.at(-1)).toEqual({
      type: 'subscribe',
      subscription: 2,
      conversationId: 'c1',
      have: at(0),
    });
    worker.say(snapshot({ messages: [user(1)], draft: 'older' }));
    expect(panel.text.value).toBe('being typed');
    expect(panel.chat.value.messages).toHaveLength(1);
  });

  it('comes back by itself while what it was to show has not come: at first, and of another chat', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { panel, worker } = open();
    worker.drop();
    vi.advanceTimersByTime(1000);
    expect(worker.ports).toHaveLength(2);
    expect(worker.requests.at(-1)).toEqual({ type: 'subscribe', subscription: 2, conversationId: null });
    worker.say(snapshot());
    panel.show({ ...conversation, id: 'c2' });
    worker.drop();
    vi.advanceTimersByTime(1000);
    expect(worker.ports).toHaveLength(3);
    expect(worker.requests.at(-1)).toMatchObject({ conversationId: 'c2' });
    worker.say(snapshot({ conversation: { ...conversation, id: 'c2' } }));
    worker.drop();
    vi.advanceTimersByTime(60_000);
    expect(worker.ports).toHaveLength(3);
  });

  it.each(['waiting', 'queued', 'ended'] as const)('lets the worker rest while the run is %s', (status) => {
    const { panel, worker } = open();
    worker.say(snapshot({ runs: [run({ status })] }));
    worker.drop();
    expect(worker.ports).toHaveLength(1);
    panel.use();
    expect(worker.ports).toHaveLength(2);
  });

  it('comes back at once when a message was just sent', async () => {
    const { panel, worker } = open();
    worker.say(snapshot());
    panel.type('Hello');
    await panel.send();
    worker.drop();
    expect(worker.ports).toHaveLength(2);
  });

  it('comes back with the next command', async () => {
    const { panel, worker } = open();
    worker.say(snapshot({ runs: [run({ status: 'waiting' })] }));
    worker.drop();
    void panel.resolveCall('a2.0', { decision: 'allow' });
    await settled();
    expect(worker.ports).toHaveLength(2);
  });
});

describe('sending', () => {
  it('begins a new chat under ids of its own and empties the composer', async () => {
    const { panel, worker } = open();
    panel.show(null);
    worker.say(snapshot({ conversation: null }));
    panel.type('Hello');
    await panel.send();
    expect(worker.sent).toContainEqual({
      command: 'startRun',
      request: { conversationId: 'id1', runId: 'id2', message: { id: 'id3', text: 'Hello' } },
    });
    expect(worker.requests.at(-1)).toMatchObject({ type: 'subscribe', conversationId: 'id1' });
    expect(panel.text.value).toBe('');
    expect(worker.sent.at(-1)).toEqual({
      command: 'saveDraft',
      request: { conversationId: 'new', text: '', sent: { runId: 'id2', text: 'Hello' } },
    });
  });

  it('leaves no copy in the next new chat while the worker takes it', async () => {
    const { panel, worker } = open();
    panel.show(null);
    worker.say(snapshot({ conversation: null }));
    panel.type('Hello');
    const sending = panel.send();
    panel.show(null);
    worker.say(snapshot({ conversation: null, draft: 'Hello' }));
    await sending;
    expect(panel.text.value).toBe('');
    const drafts = worker.sent.filter(({ command }) => command === 'saveDraft').map(({ request }) => request);
    expect(drafts).not.toContainEqual({ conversationId: 'new', text: 'Hello' });
  });

  it('gives back what was not taken, to the composer that is there by then', async () => {
    const { panel, worker } = open();
    panel.show(null);
    worker.say(snapshot({ conversation: null }));
    panel.type('Hello');
    worker.answer.startRun = () => {
      throw refusal;
    };
    const sending = panel.send();
    panel.show(null);
    worker.say(snapshot({ conversation: null }));
    panel.type('Another');
    await sending;
    expect(panel.text.value).toBe('Hello\nAnother');
  });

  it('gives it back with what says whose words it has', async () => {
    const { panel, worker } = open();
    worker.say(snapshot({ attachments: withPrompt(queued('')).queued?.attachments ?? [] }));
    panel.type('Hello');
    const taken = Promise.withResolvers<unknown>();
    worker.answer.startRun = () => taken.promise;
    const sending = panel.send();
    const other = { ...conversation, id: 'c2' };
    panel.show(other);
    taken.reject(refusal);
    await sending;
    worker.say(snapshot({ conversation: other }));
    expect(panel.text.value).toBe('Hello');
    expect(panel.attaching.toSend()).toEqual(['a1']);
  });

  it('leaves in the composer what was typed on meanwhile', async () => {
    const { panel, worker } = open();
    worker.say(snapshot());
    panel.type('first words');
    const sending = panel.send();
    panel.type('first words and more');
    await sending;
    expect(panel.text.value).toBe('and more');
    expect(worker.sent.at(-1)).toEqual({
      command: 'saveDraft',
      request: { conversationId: 'c1', text: 'and more', sent: { runId: 'id1', text: 'first words' } },
    });
  });

  it('leaves the draft of a chat alone that is not here yet, and shows it once it is', async () => {
    const { panel, worker } = open();
    panel.show(conversation);
    panel.type('Hello');
    const taken = Promise.withResolvers<unknown>();
    worker.answer.startRun = () => taken.promise;
    const sending = panel.send();
    worker.say(snapshot({ draft: 'Half a thought' }));
    taken.resolve('started');
    await sending;
    expect(panel.text.value).toBe('Half a thought');
    worker.say(rows({ runs: [{ ...ended, id: 'id1' }] }));
    panel.type('And now');
    await panel.send();
    const runs = worker.sent.flatMap(({ command, request }) => (command === 'startRun' ? [request] : []));
    expect(runs[0]).not.toHaveProperty('draft');
    expect(runs[1]).toMatchObject({ message: { text: 'And now' }, draft: 'Half a thought' });
    expect(worker.sent.at(-1)).toMatchObject({
      command: 'saveDraft',
      request: { text: '', sent: { text: 'And now', draft: 'Half a thought' } },
    });
  });

  it('gives back what was not taken behind what is being sent by then', async () => {
    const { panel, worker } = open();
    worker.say(snapshot());
    const [first, second] = [Promise.withResolvers<unknown>(), Promise.withResolvers<unknown>()];
    worker.answer.startRun = () => first.promise;
    panel.type('Hello');
    const lost = panel.send();
    panel.show({ ...conversation, id: 'c2' });
    worker.answer.startRun = () => second.promise;
    panel.type('Another');
    const sending = panel.send();
    first.reject(refusal);
    await lost;
    expect(panel.text.value).toBe('Another\nHello');
    second.resolve('started');
    await sending;
    expect(panel.text.value).toBe('Hello');
    worker.say(snapshot({ conversation: { ...conversation, id: 'c2' }, draft: 'Half a thought' }));
    expect(panel.text.value).toBe('Half a thought\nHello');
    panel.saveDraft();
    const drafts = worker.sent.filter(({ command }) => command === 'saveDraft').map(({ request }) => request);
    expect(drafts.at(-1)).toEqual({ conversationId: 'c2', text: 'Half a thought\nHello' });
    expect(drafts).not.toContainEqual(expect.objectContaining({ text: 'Hello' }));
  });

  it.each([
    ['an earlier chat', snapshot(), 'c1'],
    ['a new one', snapshot({ conversation: null }), 'id1'],
  ])('saves what was typed on, when another chat is turned to meanwhile, in %s', async (_chat, shown, id) => {
    const { panel, worker } = open();
    worker.say(shown);
    panel.type('Hello');
    const sending = panel.send();
    panel.type('Hello\nand more');
    panel.show({ ...conversation, id: 'c2' });
    panel.show({ ...conversation, id });
    await sending;
    expect(panel.text.value).toBe('');
    const drafts = worker.sent.flatMap(({ command, request }) => (command === 'saveDraft' ? [request] : []));
    expect(drafts.filter((draft) => (draft as { text: string }).text !== '')).toEqual([
      { conversationId: id, text: 'and more' },
    ]);
    worker.say(snapshot({ conversation: { ...conversation, id }, draft: 'and more' }));
    expect(panel.text.value).toBe('and more');
  });

  it('keeps what was typed on in the chat that has begun, not in the next new one', async () => {
    const { panel, worker } = open();
    panel.show(null);
    worker.say(snapshot({ conversation: null }));
    panel.type('Hello');
    const sending = panel.send();
    panel.type('Hello\nand more');
    await sending;
    const drafts = worker.sent.filter(({ command }) => command === 'saveDraft').map(({ request }) => request);
    const sent = { runId: 'id2', text: 'Hello' };
    expect(drafts).toEqual([
      { conversationId: 'id1', text: 'and more', sent },
      { conversationId: 'new', text: '', sent },
    ]);
  });

  it('leaves another chat alone that was turned to meanwhile', async () => {
    const { panel, worker } = open();
    worker.say(snapshot());
    panel.type('Hello');
    const sending = panel.send();
    panel.show({ ...conversation, id: 'c2' });
    panel.type('Hello there');
    await sending;
    expect(panel.text.value).toBe('Hello there');
    expect(worker.sent.at(-1)).toEqual({
      command: 'saveDraft',
      request: { conversationId: 'c1', text: '', sent: { runId: 'id1', text: 'Hello' } },
    });
  });

  it('is under way until the run shows up', async () => {
    const { panel, worker } = open();
    worker.say(snapshot({ runs: [run({ status: 'ended', reason: 'done' })] }));
    panel.type('Again');
    await panel.send();
    expect(panel.live.value).toBe(true);
    worker.say(rows({ runs: [{ ...ended, id: 'id1' }] }));
    expect(panel.live.value).toBe(false);
  });

  it('is no longer under way when what was queued is removed', async () => {
    const { panel, worker } = open();
    worker.say(snapshot({ runs: [run()] }));
    panel.type('Next');
    await panel.send();
    const next = queued('Next', { id: 'id1' });
    worker.say(rows({ runs: [next] }));
    worker.say(rows({ runs: [{ ...next, status: 'ended', reason: 'cancelled' }] }));
    expect(panel.starting.value).toBe(false);
  });

  it('is not under way when the chat goes on already, begun in another window', async () => {
    const { panel, worker } = open();
    worker.say(snapshot({ runs: [run({ status: 'ended', reason: 'limit' })] }));
    worker.answer.startRun = () => 'live';
    await panel.goOn();
    expect(panel.starting.value).toBe(false);
  });

  it('that fails keeps the text, says why, and is repeated under the same ids', async () => {
    const { panel, worker } = open();
    worker.say(snapshot());
    worker.answer.startRun = () => {
      throw refusal;
    };
    panel.type('Hello');
    await panel.send();
    expect(panel.text.value).toBe('Hello');
    expect(panel.error.value).toMatchObject({ code: 'worker_unreachable' });
    expect(panel.live.value).toBe(false);
    delete worker.answer.startRun;
    await panel.send();
    const [first, second] = worker.sent.filter(({ command }) => command === 'startRun');
    expect(second).toEqual(first);
    expect(panel.error.value).toBeNull();
  });

  it.each(['steer', 'now'] as const)('says what becomes of it while a run is live: %s', async (when) => {
    const { panel, worker } = open();
    worker.say(snapshot({ runs: [run()] }));
    panel.type('Hello');
    await panel.send(when);
    expect(worker.sent.find(({ command }) => command === 'startRun')?.request).toMatchObject({ when });
  });

  it('is plain sending when no run is live', async () => {
    const { panel, worker } = open();
    worker.say(snapshot());
    panel.type('Hello');
    await panel.send('now');
    const request = worker.sent.find(({ command }) => command === 'startRun')?.request;
    expect(request).not.toHaveProperty('when');
  });

  const waits = queued('Then this');

  it('leaves the composer alone when the queued message has just begun', async () => {
    const { panel, worker } = open();
    worker.say(snapshot({ runs: [run(), waits] }));
    worker.answer.removeQueued = () => false;
    await panel.editQueued(waits);
    expect(panel.text.value).toBe('');
    expect(panel.error.value).toBeNull();
  });

  it('takes a queued message back into the composer', async () => {
    const { panel, worker } = open();
    await settled(); // what it asks for by itself when it opens
    worker.say(snapshot({ runs: [run(), waits] }));
    worker.answer.removeQueued = () => true;
    panel.type('and that');
    await panel.editQueued(waits);
    expect(worker.sent.at(-1)).toEqual({ command: 'removeQueued', request: { runId: 'r2' } });
    expect(panel.text.value).toBe('Then this\nand that');
  });

  it('takes it back with what says whose words it has', async () => {
    const { panel, worker } = open();
    const waiting = withPrompt(waits);
    worker.say(snapshot({ runs: [run(), waiting] }));
    worker.answer.removeQueued = () => true;
    await panel.editQueued(waiting);
    expect(panel.chat.value.attachments.map(({ id }) => id)).toEqual(['a1']);
  });

  it('is taken back into its own chat, whatever is shown by then', async () => {
    const { panel, worker } = open();
    worker.say(snapshot({ runs: [run(), waits] }));
    panel.type('and that');
    worker.answer.removeQueued = () => {
      panel.show({ ...conversation, id: 'c2' });
      return true;
    };
    await panel.editQueued(waits);
    expect(panel.text.value).toBe('');
    const request = { conversationId: 'c1', text: 'Then this\nand that' };
    expect(worker.sent.at(-1)).toEqual({ command: 'saveDraft', request });
  });
});

/** With a server's prompt among its text. */
const withPrompt = (each: Run): Run => ({
  ...each,
  ...(each.queued && {
    queued: {
      ...each.queued,
      attachments: [
        {
          id: 'a1',
          title: 'plan',
          source: { type: 'prompt', serverId: 3, serverName: 'Pilot', name: 'plan', isTyped: true },
          text: '',
          tokens: 1,
        },
      ],
    },
  }),
});

/** A run that was queued, and whose message is in the draft since. */
const takenBack = (each: Run): Run => ({ ...each, status: 'ended', reason: 'cancelled', unsent: true });

describe('a stop', () => {
  const waiting = [queued('Then this'), queued('and that', { id: 'r3', order: 1 })];
  const unsent = waiting.map(takenBack);

  it('puts what was queued back into the composer, after what is typed there', async () => {
    const { panel, worker } = open();
    worker.say(snapshot({ runs: [run(), ...waiting] }));
    worker.answer.stopRun = () => worker.say(rows({ runs: unsent }));
    panel.type('typed');
    await panel.stop();
    expect(panel.text.value).toBe('typed\nThen this\nand that');
    panel.saveDraft();
    expect(worker.sent.filter(({ command }) => command !== 'nextIntent')).toEqual([
      { command: 'saveDraft', request: { conversationId: 'c1', text: 'typed' } },
      { command: 'stopRun', request: { conversationId: 'c1' } },
      { command: 'saveDraft', request: { conversationId: 'c1', text: 'typed\nThen this\nand that' } },
    ]);
  });

  it('puts it back with what says whose words it has, which the draft is told to have later', () => {
    const { panel, worker } = open();
    const [first = queued('Then this')] = waiting;
    worker.say(snapshot({ runs: [run(), withPrompt(first)] }));
    worker.say(rows({ runs: [takenBack(first)] }));
    expect(panel.text.value).toBe('Then this');
    expect(panel.chat.value.attachments.map(({ id }) => id)).toEqual(['a1']);
  });

  it('in another window puts it back here too, once, and leaves another chat’s composer alone', () => {
    const { panel, worker } = open();
    worker.say(snapshot({ runs: [run(), ...waiting] }));
    worker.say(rows({ runs: unsent }));
    expect(panel.text.value).toBe('Then this\nand that');
    worker.say(rows({ runs: unsent }));
    expect(panel.text.value).toBe('Then this\nand that');
    panel.show({ ...conversation, id: 'c2' });
    worker.say(snapshot({ conversation: { ...conversation, id: 'c2' } }));
    worker.say({ ...rows({ runs: unsent }), subscription: 1 });
    expect(panel.text.value).toBe('');
  });

  it('puts back only what was queued here', () => {
    const { panel, worker } = open();
    worker.say(snapshot({ runs: [run(), queued('Then this')] }));
    worker.say(snapshot({ runs: [run(), ...unsent] }));
    expect(panel.text.value).toBe('Then this');
  });

  /** A question whose run this panel has never seen: its port is down, and the run before it is stopped elsewhere. */
  async function asks(startRun: () => unknown) {
    const { panel, worker } = open();
    worker.say(snapshot({ runs: [run()] }));
    worker.answer.startRun = startRun;
    panel.type('Then this');
    const sending = panel.send();
    await settled();
    const comesBack = (): void => {
      const stopped = snapshot({ runs: [ended, takenBack(queued('Then this', { id: 'id1' }))] });
      worker.say(stopped);
      worker.say(stopped);
    };
    return { panel, worker, sending, comesBack };
  }

  it('in another window puts back what was asked here and never shown as queued', async () => {
    const { panel, sending, comesBack } = await asks(() => 'queued');
    await sending;
    expect(panel.text.value).toBe('');
    comesBack();
    expect(panel.text.value).toBe('Then this');
  });

  it.each(['', 'Then this'])(
    'puts it back once where the chat is turned to again; draft: "%s"',
    async (draft) => {
      const { panel, worker, sending } = await asks(() => 'queued');
      await sending;
      panel.show(conversation);
      worker.say(snapshot({ draft, runs: [ended, takenBack(queued('Then this', { id: 'id1' }))] }));
      expect(panel.text.value).toBe('Then this');
    },
  );

  it('saves no draft of what is being sent, which would stand there twice once it is taken back', async () => {
    const answer = Promise.withResolvers<unknown>();
    const { panel, worker } = await asks(() => answer.promise);
    await panel.stop();
    expect(worker.sent.filter(({ command }) => command === 'saveDraft')).toEqual([]);
  });

  it('in another window leaves in the composer what the worker has not answered for yet', async () => {
    const answer = Promise.withResolvers<unknown>();
    const { panel, worker, sending, comesBack } = await asks(() => answer.promise);
    comesBack();
    expect(panel.text.value).toBe('Then this');
    answer.resolve('queued');
    await sending;
    expect(panel.text.value).toBe('Then this');
    await panel.send();
    expect(worker.sent.filter(({ command }) => command === 'startRun')).toMatchObject([
      { request: { runId: 'id1' } },
      { request: { runId: 'id3' } },
    ]);
  });
});

describe('a queued message that a starting worker took back', () => {
  it('comes into the composer, since no event could tell the page meanwhile', () => {
    const { panel, worker } = open();
    worker.say(snapshot({ runs: [run(), queued('Then this')] }));
    const interrupted = run({ status: 'ended', reason: 'interrupted' });
    worker.say(snapshot({ runs: [interrupted, takenBack(queued('Then this'))] }));
    expect(panel.text.value).toBe('Then this');
  });
});

describe('a run that waits to try again', () => {
  it('is asked again now', async () => {
    const { panel, worker } = open();
    await settled(); // what it asks for by itself when it opens
    worker.say(snapshot({ runs: [run()] }));
    await panel.retryNow();
    expect(worker.sent).toContainEqual({ command: 'retryNow', request: { conversationId: 'c1' } });
  });
});

describe('an answer to a waiting call', () => {
  it('that does not fit is told where it was given', async () => {
    const { panel, worker } = open();
    worker.answer.resolveCall = () => {
      throw new AppError({ code: 'bad_arguments', message: 'path must be a string' });
    };
    const refused = await panel.resolveCall('a2.0', { decision: 'allow', arguments: '{"path":3}' });
    expect(refused).toMatchObject({ message: 'path must be a string' });
    expect(panel.error.value).toBeNull();
  });

  it('that did not arrive is told like any other failure', async () => {
    const { panel, worker } = open();
    worker.answer.resolveCall = () => {
      throw refusal;
    };
    expect(await panel.resolveCall('a2.0', { decision: 'deny', word: 'No' })).toBeNull();
    expect(panel.error.value).toMatchObject({ code: 'worker_unreachable' });
  });
});

describe('a call that is made again', () => {
  it('is under way until its run shows up', async () => {
    const { panel, worker } = open();
    worker.say(snapshot({ runs: [run({ status: 'ended', reason: 'done' })] }));
    await panel.runAgain('a2.0');
    expect(worker.sent).toContainEqual({
      command: 'runAgain',
      request: { callId: 'a2.0', runId: 'id1' },
    });
    expect(panel.live.value).toBe(true);
    worker.say(snapshot({ messages: [user(1)], runs: [run({ id: 'id1' })] }));
    expect(panel.starting.value).toBe(false);
  });

  it('is over when a snapshot after the answer is without its run', async () => {
    const { panel, worker } = open();
    worker.say(snapshot({ messages: [user(1)] }));
    worker.answer.runAgain = () => true;
    await panel.runAgain('a2.0');
    worker.say(snapshot({ messages: [user(1)] }));
    expect(panel.live.value).toBe(false);
  });

  it('is not under way when the worker refuses', async () => {
    const { panel, worker } = open();
    worker.say(snapshot());
    worker.answer.runAgain = () => {
      throw new AppError({ code: 'run_live', message: 'A run goes on.' });
    };
    await panel.runAgain('a2.0');
    expect(panel.live.value).toBe(false);
    expect(panel.error.value).toMatchObject({ code: 'run_live' });
  });
});

describe('a choice of model', () => {
  it('is made for the chat shown, or for the one that begins next', async () => {
    const { panel, worker } = open();
    worker.say(snapshot());
    await panel.setChat({ providerId: 1, model: 'a' });
    panel.show(null);
    await panel.setChat({ providerId: 2, model: 'b' });
    expect(worker.sent.filter(({ command }) => command === 'setChat').map(({ request }) => request)).toEqual([
      { conversationId: 'c1', providerId: 1, model: 'a' },
      { conversationId: 'new', providerId: 2, model: 'b' },
    ]);
  });
});

describe('model servers on this computer', () => {
  it('are looked for once by themselves, and again when asked', async () => {
    const { panel, worker } = open();
    worker.answer.findLocalServers = () => [
      { preset: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1', state: 'found', models: [] },
    ];
    const looked = (): number => worker.sent.filter(({ command }) => command === 'findLocalServers').length;
    panel.local.lookOnce();
    panel.local.lookOnce();
    await settled();
    panel.local.lookOnce();
    expect(looked()).toBe(1);
    expect(panel.local.found.value).toMatchObject([{ preset: 'ollama' }]);
    await panel.local.look();
    expect(looked()).toBe(2);
  });

  it('are looked for again at a new chat while there is no model but the demo one', async () => {
    const { panel, worker } = open();
    worker.say(snapshot());
    const looked = (): number => worker.sent.filter(({ command }) => command === 'findLocalServers').length;
    const provider = { name: '', baseUrl: '', model: 'a', hasKey: false, headerNames: [] };
    const demo = { ...provider, id: 1, preset: 'demo' as const };
    const tell = (providers: Provider[], number: number): void =>
      worker.say({ type: 'setup', revision: { epoch: 'e', number }, setup: { ...setup, providers } });
    tell([demo], 1);
    panel.show(null);
    expect(looked()).toBe(0); // the first look is the view's
    panel.local.lookOnce();
    await settled();
    panel.show(null);
    await settled();
    expect(looked()).toBe(2);
    tell([demo, { ...provider, id: 2, preset: 'ollama' }], 2);
    panel.show(null);
    expect(looked()).toBe(2);
  });
});

describe('older messages', () => {
  it.each([true, false])('say themselves whether there are more: %s', async (hasOlder) => {
    const { panel, worker } = open();
    worker.say(snapshot({ messages: [{ ...user(3), parentId: 'u2' }], hasOlder: true }));
    worker.answer.olderMessages = () => ({ messages: [user(2)], toolCalls: [], hasOlder });
    await panel.loadOlder();
    expect(panel.chat.value.messages.map(({ id }) => id)).toEqual(['u2', 'u3']);
    expect(panel.chat.value.hasOlder).toBe(hasOlder);
    expect(worker.sent).toContainEqual({ command: 'olderMessages', request: { leafId: 'u2' } });
  });
});

describe('older messages of a version', () => {
  it('are not put above another one that was switched to meanwhile', async () => {
    const { panel, worker } = open();
    worker.say(snapshot({ messages: [{ ...user(3), parentId: 'u2' }], hasOlder: true }));
    const page = Promise.withResolvers<object>();
    worker.answer.olderMessages = () => page.promise;
    const loaded = panel.loadOlder();
    worker.say(snapshot({ messages: [{ ...user(5), parentId: 'u4' }], hasOlder: true }));
    page.resolve({ messages: [user(2)], toolCalls: [], hasOlder: false });
    await loaded;
    expect(panel.chat.value.messages.map(({ id }) => id)).toEqual(['u5']);
  });
});

describe('switching chats', () => {
  it('saves the draft of the chat that is left', () => {
    const { panel, worker } = open();
    worker.say(snapshot());
    panel.type('unfinished');
    panel.show(null);
    expect(worker.sent.at(-1)).toEqual({
      command: 'saveDraft',
      request: { conversationId: 'c1', text: 'unfinished' },
    });
    expect(panel.text.value).toBe('');
  });

  it('ignores a snapshot that a later choice has overtaken', () => {
    const { panel, worker } = open();
    panel.show({ ...conversation, id: 'c2' });
    worker.say({ ...snapshot({ messages: [user(1)] }), subscription: 1 });
    expect(panel.conversationId.value).toBe('c2');
    expect(panel.chat.value.messages).toEqual([]);
    expect(worker.requests.at(-1)).toMatchObject({ subscription: 2, conversationId: 'c2' });
  });
});
