import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PanelRequest, Subscribe } from '../../lib/protocol/panel.ts';
import { createPanel } from '../../lib/state/panel.ts';
import {
  append,
  assistant,
  conversation,
  countingIds,
  EPOCH,
  fakeWorker,
  manualFrames,
  rows,
  run,
  snapshot,
  user,
} from './fake-worker.ts';

const SILENT_MS = 5000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  return () => void vi.useRealTimers();
});

function open() {
  const worker = fakeWorker();
  const frames = manualFrames();
  const seams = { nextFrame: frames.nextFrame, newId: countingIds(), ownWindow: async () => 1 };
  const panel = createPanel(worker.link, seams);
  panel.start();
  const last = (): Subscribe => worker.requests.findLast(isSubscribe) as Subscribe;
  const ids = () => panel.chat.value.messages.map(({ id }) => id);
  return { panel, worker, frames, last, ids };
}
const isSubscribe = ({ type }: PanelRequest): boolean => type === 'subscribe';
const revision = (number: number, epoch = EPOCH) => ({ epoch, number });

describe('a copy of a conversation', () => {
  it('takes the rows that follow on its revision', () => {
    const { worker, ids } = open();
    worker.say(snapshot({ messages: [user(1)] }));
    worker.say(rows({ messages: [assistant(2)] }));
    expect(ids()).toEqual(['u1', 'a2']);
    expect(worker.requests).toHaveLength(1);
  });

  it('is asked for as a whole when a change is missing, and is replaced by the snapshot', () => {
    const { worker, last, ids } = open();
    worker.say(snapshot({ messages: [user(1)] }));
    const { subscription } = last();
    worker.sayPlain({ type: 'change', subscription, from: 3, to: 4, rows: { messages: [assistant(2)] } });
    expect(ids()).toEqual(['u1']);
    expect(last()).toMatchObject({ subscription: subscription + 1, conversationId: 'c1' });
    expect(last()).not.toHaveProperty('have');
    worker.say(snapshot({ messages: [user(1), assistant(2), user(3)] }));
    expect(ids()).toEqual(['u1', 'a2', 'u3']);
  });

  it('is asked for as a whole when text comes at another offset than its own', () => {
    const { panel, worker, frames, last } = open();
    const streaming = assistant(2, { status: 'streaming', content: 'So ' });
    worker.say(snapshot({ messages: [user(1), streaming], runs: [run()] }));
    worker.say(append('far', 3));
    worker.say(append('more', 9));
    expect(last()).toMatchObject({ subscription: 2 });
    worker.say(append('late', 6));
    frames.paint();
    expect(panel.streams.of(streaming).text.value).toBe('So far');
    const whole = { ...streaming, content: 'So far and more' };
    worker.say(snapshot({ messages: [user(1), whole], runs: [run()] }));
    expect(panel.streams.of(whole).text.value).toBe('So far and more');
  });

  it('ignores what an earlier subscription brings late', () => {
    const { panel, worker, last, ids } = open();
    worker.say(snapshot({ messages: [user(1)] }));
    const { subscription } = last();
    const other = { ...conversation, id: 'c2' };
    panel.show(other);
    worker.sayPlain({ type: 'change', subscription, from: 0, to: 1, rows: { messages: [user(3)] } });
    expect(ids()).toEqual([]);
    worker.say(snapshot({ conversation: other, messages: [user(5)] }));
    expect(ids()).toEqual(['u5']);
  });

  it('that a beat finds behind is asked for as a whole', () => {
    const { worker, last } = open();
    worker.say(snapshot({ runs: [run()] }));
    worker.sayPlain({ type: 'revision', subscription: 1, revision: revision(0) });
    expect(worker.requests).toHaveLength(1);
    worker.sayPlain({ type: 'revision', subscription: 1, revision: revision(2) });
    expect(worker.requests).toHaveLength(2);
    expect(last()).not.toHaveProperty('have');
  });

  it('says after a lost port what it has, and goes on from there', () => {
    const { worker, last, ids } = open();
    worker.say(snapshot({ messages: [user(1)], runs: [run()] }));
    worker.say(rows({ messages: [assistant(2)] }));
    worker.drop();
    expect(last()).toMatchObject({ have: revision(1) });
    worker.say(rows({ messages: [user(3)] }));
    expect(ids()).toEqual(['u1', 'a2', 'u3']);
  });

  it('of a chat that was deleted elsewhere is left for a new chat', () => {
    const { panel, worker } = open();
    worker.say(snapshot({ messages: [user(1)] }));
    panel.use();
    worker.say({ ...snapshot({ conversation: null }) });
    expect(panel.conversationId.value).toBeNull();
  });
});

describe('a chat that begins', () => {
  it('is subscribed to at once, at number 0, whatever has been answered', async () => {
    const { panel, worker, last, ids } = open();
    worker.say(snapshot({ conversation: null }));
    panel.type('Hello');
    const sending = panel.send();
    expect(last()).toMatchObject({ conversationId: 'id1', have: revision(0), isChoice: true });
    const { subscription } = last();
    worker.sayPlain({ type: 'revision', subscription, revision: revision(0) });
    const begun = {
      conversation: { ...conversation, id: 'id1' },
      messages: [user(1)],
      runs: [run({ id: 'id2' })],
    };
    worker.sayPlain({ type: 'change', subscription, from: 0, to: 1, rows: begun });
    await sending;
    expect(ids()).toEqual(['u1']);
    expect(panel.starting.value).toBe(false);
  });

  it('is the user’s choice until that was answered, and not after', () => {
    const { panel, worker, last } = open();
    panel.show({ ...conversation, id: 'c2' });
    worker.drop();
    vi.advanceTimersByTime(1000);
    expect(last()).toMatchObject({ conversationId: 'c2', isChoice: true });
    worker.say(snapshot({ conversation: { ...conversation, id: 'c2' } }));
    worker.drop();
    panel.use();
    expect(last()).not.toHaveProperty('isChoice');
  });
});

describe('a port that is silent', () => {
  it.each(['working', 'waiting'] as const)('for five seconds, with a run that is %s', (status) => {
    const { worker } = open();
    worker.say(snapshot({ runs: [run({ status })] }));
    vi.advanceTimersByTime(SILENT_MS - 1000);
    expect(worker.ports).toHaveLength(1);
    vi.advanceTimersByTime(1000);
    const isReplaced = status === 'working';
    expect(worker.ports.map(({ isClosed }) => isClosed)).toEqual(isReplaced ? [true, false] : [false]);
  });

  it('is kept as long as a beat comes now and then', () => {
    const { worker } = open();
    worker.say(snapshot({ runs: [run()] }));
    for (let beats = 0; beats < 10; beats++) {
      vi.advanceTimersByTime(2000);
      worker.sayPlain({ type: 'revision', subscription: 1, revision: revision(0) });
    }
    expect(worker.ports).toHaveLength(1);
  });

  it('is replaced again and again until the answer comes', () => {
    const { worker } = open();
    vi.advanceTimersByTime(3 * SILENT_MS);
    expect(worker.ports).toHaveLength(4);
    worker.say(snapshot());
    vi.advanceTimersByTime(10 * SILENT_MS);
    expect(worker.ports).toHaveLength(4);
  });

  it('is replaced while a run that was asked for has not shown up', () => {
    const { panel, worker } = open();
    worker.say(snapshot());
    worker.answer.startRun = () => new Promise(() => {});
    panel.type('Hello');
    void panel.send();
    vi.advanceTimersByTime(SILENT_MS);
    expect(worker.ports).toHaveLength(2);
  });
});

describe('an announcement', () => {
  it('opens the port of a page that shows what changed, and of no other', () => {
    const { worker, last } = open();
    worker.say(snapshot());
    worker.drop();
    worker.announce({ topic: 'c2', revision: revision(7) });
    worker.announce({ topic: 'c1', revision: revision(0) });
    expect(worker.ports).toHaveLength(1);
    worker.announce({ topic: 'c1', revision: revision(1) });
    expect(worker.ports).toHaveLength(2);
    expect(last()).toMatchObject({ conversationId: 'c1', have: revision(0) });
  });

  it('of another life of the worker replaces a port that is still up', () => {
    const { worker } = open();
    worker.say(snapshot());
    worker.announce({ topic: 'c1', revision: revision(1) });
    expect(worker.ports).toHaveLength(1);
    worker.announce({ topic: 'c1', revision: revision(1, 'e2') });
    expect(worker.ports.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });
});
