import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PanelRequest } from '../../lib/protocol/panel.ts';
import { createPanel, type Panel } from '../../lib/state/panel.ts';
import {
  append,
  assistant,
  at,
  conversation,
  countingIds,
  fakeWorker,
  rows,
  run,
  type Said,
  setup,
  snapshot,
  user,
} from './fake-worker.ts';

type Worker = ReturnType<typeof fakeWorker>;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const place = { windowId: 1 };
const subscribe = { type: 'subscribe', conversationId: 'c1', place };
const other = { ...conversation, id: 'c2' };
const streaming = (content = ''): Said =>
  snapshot({ messages: [user(1), assistant(2, { status: 'streaming', content })], runs: [run()] });
const ended = run({ status: 'ended', reason: 'done' });

function panelAt(worker: Worker): Panel {
  return createPanel(worker.link, {
    nextFrame: () => undefined,
    newId: countingIds(),
    now: () => '2026-11-21T10:00:00.000Z',
    ownWindow: async () => 1,
    store: null,
  });
}

/** A panel that shows c1 at revision 4, whose text streams in, and stands at `Hel`. */
function open(first: Said = streaming('Hel')): { panel: Panel; worker: Worker } {
  const worker = fakeWorker();
  const panel = panelAt(worker);
  panel.start(place);
  worker.say({ ...first, revision: at(4) } as Said);
  return { panel, worker };
}
const subscribed = ({ requests }: Worker): PanelRequest[] => requests.slice(1);
const ids = (panel: Panel): string[] => panel.chat.value.messages.map(({ id }) => id);

describe('a copy that lacks something', () => {
  it.each([
    ['a change that does not follow', { ...rows({ messages: [user(5)] }), from: 5 }],
    ['a change that came before', { ...rows({ messages: [user(5)] }), from: 3, to: 4 }],
    ['text at a later offset', append('o', 4)],
    ['text at an earlier offset', append('l', 2)],
    ['text of a message that is not here', { ...append('x'), messageId: 'a9' }],
    ['a beat with another number', { type: 'revision', revision: at(5) }],
    ['a beat of another worker', { type: 'revision', revision: at(4, 'e2') }],
  ] as [string, Said][])('is replaced by a snapshot: %s', (_what, missed) => {
    const { panel, worker } = open();
    worker.say(missed);
    expect(ids(panel)).toEqual(['u1', 'a2']);
    expect(subscribed(worker)).toEqual([{ ...subscribe, subscription: 2 }]);
    worker.say({ ...snapshot({ messages: [user(7)] }), revision: at(9) });
    expect(ids(panel)).toEqual(['u7']);
    worker.say(rows({ messages: [user(8)] }));
    expect(ids(panel)).toEqual(['u7', 'u8']);
    expect(worker.requests).toHaveLength(2);
  });

  it('takes no change before its snapshot, and does not ask for it twice', () => {
    const { panel, worker } = open();
    worker.say({ type: 'revision', revision: at(7) });
    worker.say({ ...rows({ messages: [user(8)] }), from: 7 });
    worker.say(append('lo', 3));
    expect(ids(panel)).toEqual(['u1', 'a2']);
    expect(worker.requests).toHaveLength(2);
  });
});

describe('a subscription', () => {
  it('takes what fits and leaves the worker alone', () => {
    const { panel, worker } = open();
    worker.say(append('lo', 3));
    worker.say(rows({ messages: [user(3)] }));
    worker.say({ ...rows({ messages: [user(4)] }), from: 5, to: 8 });
    worker.say({ type: 'revision', revision: at(8) });
    expect(ids(panel)).toEqual(['u1', 'a2', 'u3', 'u4']);
    expect(worker.requests).toHaveLength(1);
  });

  it.each([
    ['a snapshot', snapshot({ messages: [user(9)] })],
    ['a change', { ...rows({ messages: [user(9)] }), from: 4 }],
    ['text', append('lo', 3)],
    ['text that does not fit', append('lo', 9)],
    ['a beat', { type: 'revision', revision: at(7) }],
  ] as [string, Said][])('ignores what an earlier one brings late: %s', (_what, late) => {
    const { panel, worker } = open();
    panel.show(other);
    worker.say({ ...snapshot({ conversation: other, messages: [user(2)] }), revision: at(4) });
    const chat = panel.chat.value;
    worker.say({ ...late, subscription: 1 } as Said);
    expect(panel.chat.value).toBe(chat);
    expect(worker.requests).toHaveLength(2);
  });

  it('after a port loss says what is here, and goes on from it', () => {
    const { panel, worker } = open();
    worker.say({ type: 'setup', setup: setup });
    worker.say({ type: 'chats' });
    worker.say(rows({ messages: [user(3)] }));
    const kept = panel.chat.value.messages[0];
    worker.drop();
    expect(subscribed(worker)).toEqual([
      { ...subscribe, subscription: 2, have: at(5), setup: at(1), chats: at(1) },
    ]);
    worker.say({ ...rows({ messages: [user(4)], runs: [ended] }), from: 5, to: 7 });
    worker.say({ type: 'revision' });
    expect(ids(panel)).toEqual(['u1', 'a2', 'u3', 'u4']);
    expect(panel.chat.value.messages[0]).toBe(kept);
    expect(worker.requests).toHaveLength(2);
  });

  it('after a port loss says nothing of what is known to lack something', () => {
    const { worker } = open();
    worker.say({ type: 'revision', revision: at(7) });
    worker.drop();
    expect(worker.requests.at(-1)).toEqual({ ...subscribe, subscription: 3 });
  });

  it('of a chat that begins is there at once, from number 0 and as a choice, before its run is answered', async () => {
    const { panel, worker } = open(snapshot({ conversation: null }));
    const started = Promise.withResolvers<unknown>();
    worker.answer.startRun = () => started.promise;
    panel.type('Hello');
    const sending = panel.send();
    expect(subscribed(worker)).toEqual([
      { ...subscribe, subscription: 2, conversationId: 'id1', have: at(0), isChoice: true },
    ]);
    const begun = { ...conversation, id: 'id1' };
    worker.say(rows({ conversation: begun, messages: [user(1)], runs: [run({ id: 'id2' })] }));
    expect(panel.chat.value).toMatchObject({ conversation: begun, messages: [{ id: 'u1' }] });
    expect(panel.starting.value).toBe(false);
    started.resolve('started');
    await sending;
    expect(worker.requests).toHaveLength(2);
  });

  it('says that it is a choice until that is answered, and not after', () => {
    const { panel, worker } = open(snapshot());
    panel.show(other);
    worker.drop();
    const choice = { ...subscribe, conversationId: 'c2', isChoice: true };
    expect(subscribed(worker)).toEqual([
      { ...choice, subscription: 2 },
      { ...choice, subscription: 3 },
    ]);
    worker.say(snapshot({ conversation: other, runs: [run()] }));
    worker.drop();
    expect(worker.requests.at(-1)).not.toHaveProperty('isChoice');
  });

  it('of a chat that begins says so too until it is answered', async () => {
    const { panel, worker } = open(snapshot({ conversation: null }));
    panel.type('Hello');
    await panel.send();
    worker.drop();
    expect(worker.requests.at(-1)).toMatchObject({ have: at(0), isChoice: true });
    worker.say({ type: 'revision' });
    worker.drop();
    expect(worker.requests.at(-1)).toMatchObject({ conversationId: 'id1', have: at(0) });
    expect(worker.requests.at(-1)).not.toHaveProperty('isChoice');
  });

  it('that is answered without its conversation leaves one that was deleted meanwhile', () => {
    const { panel, worker } = open();
    worker.drop();
    worker.say({ ...snapshot({ conversation: null }), conversationId: 'c1', revision: at(0, 'e2') });
    expect(panel.conversationId.value).toBeNull();
    expect(panel.chat.value.messages).toEqual([]);
    expect(worker.requests.at(-1)).toEqual({ ...subscribe, subscription: 3, conversationId: 'new' });
  });

  it('that is answered without its conversation stays with one that is about to begin', async () => {
    const { panel, worker } = open(snapshot({ conversation: null }));
    panel.type('Hello');
    await panel.send();
    worker.say({ ...snapshot({ conversation: null }), conversationId: 'id1' });
    expect(panel.conversationId.value).toBe('id1');
  });
});

describe('a silent port', () => {
  it('is replaced after five seconds while a run works, from what is here', () => {
    const { worker } = open();
    vi.advanceTimersByTime(4999);
    expect(worker.ports).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(worker.ports.map(({ isClosed }) => isClosed)).toEqual([true, false]);
    expect(subscribed(worker)).toEqual([{ ...subscribe, subscription: 2, have: at(4) }]);
  });

  it('is replaced again and again, each given longer, until one is not silent', () => {
    const { worker } = open();
    const replaced = (seconds: number): number => {
      vi.advanceTimersByTime(seconds * 1000);
      return worker.ports.length;
    };
    expect([5, 10, 20, 40, 40].map(replaced)).toEqual([2, 3, 4, 5, 6]);
    worker.say({ type: 'revision' });
    expect([4, 1].map(replaced)).toEqual([6, 7]);
    worker.say(rows({ runs: [ended] }));
    worker.say({ type: 'revision' });
    expect(replaced(60)).toBe(7);
  });

  it('is told of with what to do when three in a row stayed silent, until one speaks', () => {
    const { panel, worker } = open();
    vi.advanceTimersByTime(34_999);
    expect(panel.error.value).toBeNull();
    vi.advanceTimersByTime(1);
    expect(panel.error.value?.code).toBe('worker_unreachable');
    worker.say({ type: 'revision' });
    expect(panel.error.value).toBeNull();
  });

  it('is one that not even a beat came from', () => {
    const { worker } = open();
    for (let beats = 0; beats < 10; beats += 1) {
      vi.advanceTimersByTime(2000);
      worker.say({ type: 'revision' });
    }
    expect(worker.ports).toHaveLength(1);
  });

  it.each(['waiting', 'queued', 'ended'] as const)('is left alone while a run is %s', (status) => {
    const { worker } = open(snapshot({ runs: [run({ status })] }));
    vi.advanceTimersByTime(60_000);
    expect(worker.ports).toHaveLength(1);
  });

  it('is replaced while what is to be shown has not come', () => {
    const { panel, worker } = open(snapshot());
    panel.show(other);
    vi.advanceTimersByTime(5000);
    expect(worker.requests.at(-1)).toEqual({
      ...subscribe,
      subscription: 3,
      conversationId: 'c2',
      isChoice: true,
    });
    expect(worker.ports).toHaveLength(2);
  });

  it.each([
    ['that begins a chat', null],
    ['in a chat that is there', conversation],
  ])('is replaced while a run is expected %s', (_where, shown) => {
    const { panel, worker } = open(snapshot({ conversation: shown }));
    vi.advanceTimersByTime(60_000); // so that nothing is expected any more
    worker.answer.startRun = () => new Promise(() => undefined);
    panel.type('Hello');
    void panel.send();
    vi.advanceTimersByTime(5000);
    expect(worker.ports.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });

  it('is not replaced sooner for its silence while something else was expected', async () => {
    const { panel, worker } = open(snapshot());
    const started = Promise.withResolvers<unknown>();
    worker.answer.startRun = () => started.promise;
    const going = panel.goOn();
    vi.advanceTimersByTime(4000);
    started.resolve('live');
    await going;
    vi.advanceTimersByTime(60_000);
    panel.show(other);
    vi.advanceTimersByTime(4999);
    expect(worker.ports).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(worker.ports).toHaveLength(2);
  });

  it('that was given up brings nothing more by its drop', () => {
    const { worker } = open();
    vi.advanceTimersByTime(5000);
    worker.ports[0]?.drop();
    expect(worker.ports).toHaveLength(2);
  });
});

describe('an announcement', () => {
  const rest = (): { panel: Panel; worker: Worker } => {
    const opened = open(snapshot());
    opened.worker.say({ type: 'setup', setup: setup });
    opened.worker.say({ type: 'chats' });
    opened.worker.drop();
    expect(opened.worker.ports).toHaveLength(1);
    return opened;
  };

  it.each([
    ['c1', at(5)],
    ['c1', at(1, 'e2')],
    ['setup', at(2)],
    ['chats', at(2)],
  ])('that %s is at another revision opens the port of a page that shows it: %j', (topic, revision) => {
    const { worker } = rest();
    worker.announce({ topic, revision });
    expect(worker.ports).toHaveLength(2);
    expect(worker.requests.at(-1)).toEqual({
      ...subscribe,
      subscription: 2,
      have: at(4),
      setup: at(1),
      chats: at(1),
    });
  });

  it.each([
    ['what is here already', 'c1', at(4)],
    ['what came before that', 'c1', at(3)],
    ['another conversation', 'c2', at(9)],
    ['a chat that has not begun', 'new', at(9)],
  ])('of %s leaves the worker alone', (_what, topic, revision) => {
    const { worker } = rest();
    worker.announce({ topic, revision });
    expect(worker.ports).toHaveLength(1);
  });

  it('of another worker replaces a port that is up', () => {
    const { worker } = open(snapshot());
    worker.announce({ topic: 'c2', revision: at(1, 'e2') });
    worker.announce({ topic: 'c1', revision: at(5) });
    expect(worker.ports).toHaveLength(1);
    worker.announce({ topic: 'c1', revision: at(1, 'e2') });
    expect(worker.ports.map(({ isClosed }) => isClosed)).toEqual([true, false]);
    expect(worker.requests.at(-1)).toEqual({ ...subscribe, subscription: 2, have: at(4) });
  });

  it('opens nothing before the panel is started, which says where it stands', () => {
    const worker = fakeWorker();
    const panel = panelAt(worker);
    worker.announce({ topic: 'setup', revision: at(1) });
    expect(worker.requests).toEqual([]);
    panel.start(place);
    expect(worker.requests).toEqual([{ ...subscribe, subscription: 1, conversationId: null }]);
  });
});
