import { expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../../lib/errors.ts';
import { NEW_CHAT } from '../../lib/protocol/chats.ts';
import { createPanel, type Panel } from '../../lib/state/panel.ts';
import { conversation, countingIds, fakeWorker, snapshot } from './fake-worker.ts';

type Worker = ReturnType<typeof fakeWorker>;
const never = (): Promise<never> => new Promise(() => {});
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const startsOf = ({ sent }: Worker) =>
  sent.filter(({ command }) => command === 'startRun').map(({ request }) => request);

/** Panels that share their storage, as pages of one browser. */
function pages() {
  const kept = new Map<string, string>();
  const store = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  };
  const newId = countingIds();
  return (windowId: number, { at = '00', startRun = never as () => unknown, draft = '' } = {}) => {
    const worker = fakeWorker();
    worker.answer.startRun = startRun;
    const now = () => `2026-11-21T10:00:${at}.000Z`;
    const panel = createPanel(worker.link, { store, newId, now, ownWindow: async () => windowId });
    panel.start({ windowId });
    worker.say(snapshot({ conversation: null, draft }));
    return { panel, worker };
  };
}

async function ask(panel: Panel, text: string): Promise<void> {
  panel.type(text);
  void panel.send();
  await settled();
}

it('a question whose panel closed before a worker took it is sent by the next one, under its ids', async () => {
  const open = pages();
  const first = open(1);
  await ask(first.panel, 'Hello');
  const next = open(1, { startRun: () => 'started' });
  await settled();
  const [asked] = startsOf(first.worker);
  expect(startsOf(next.worker)).toEqual([asked]);
  const { conversationId } = asked as { conversationId: string };
  expect(next.panel.conversationId.value).toBe(conversationId);
  const last = open(1);
  expect(startsOf(last.worker)).toEqual([]);
});

it('a question that the next page sends is a draft no more', async () => {
  const open = pages();
  await ask(open(1).panel, 'Hello');
  const { panel, worker } = open(1, { startRun: () => 'started', draft: 'Hello' });
  expect(panel.text.value).toBe('');
  await settled();
  const saved = worker.sent.filter(({ command }) => command === 'saveDraft').map(({ request }) => request);
  expect(saved).toContainEqual({
    conversationId: NEW_CHAT,
    text: '',
    sent: { runId: 'id2', text: 'Hello' },
  });
});

it('a question that another window still waits for is left to that', async () => {
  const open = pages();
  await ask(open(1).panel, 'Hello');
  expect(startsOf(open(2).worker)).toEqual([]);
  expect(startsOf(open(2, { at: '11' }).worker)).toHaveLength(1);
});

it('a question that the worker answered for is sent once', async () => {
  const open = pages();
  await ask(open(1, { startRun: () => 'started' }).panel, 'Hello');
  expect(startsOf(open(1).worker)).toEqual([]);
});

it('what can’t be sent now either comes into the composer, once', async () => {
  const open = pages();
  await ask(open(1).panel, 'Hello');
  const startRun = () => {
    throw new AppError({ code: 'worker_unreachable', message: 'No answer' });
  };
  const { panel, worker } = open(1, { startRun, draft: 'Hello' });
  await settled();
  expect(panel.text.value).toBe('Hello');
  expect(panel.error.value?.code).toBe('worker_unreachable');
  expect(startsOf(worker)).toHaveLength(1);
});

it('what can’t be sent after another chat was turned to goes into the draft that it was', async () => {
  const open = pages();
  await ask(open(1).panel, 'Hello');
  const taken = Promise.withResolvers<unknown>();
  const { panel, worker } = open(1, { startRun: () => taken.promise });
  panel.show({ ...conversation, id: 'c2' });
  taken.reject(new AppError({ code: 'worker_unreachable', message: 'No answer' }));
  await settled();
  expect(panel.text.value).toBe('');
  const saved = worker.sent.filter(({ command }) => command === 'saveDraft').map(({ request }) => request);
  expect(saved).toEqual([{ conversationId: NEW_CHAT, text: 'Hello', returned: true }]);
  expect(panel.conversationId.value).toBe('c2');
  expect(startsOf(open(1).worker)).toEqual([]);
});

it('what no worker takes, nor a draft, is left to the next page', async () => {
  const open = pages();
  await ask(open(1).panel, 'Hello');
  const taken = Promise.withResolvers<unknown>();
  const { panel, worker } = open(1, { startRun: () => taken.promise });
  const unreachable = new AppError({ code: 'worker_unreachable', message: 'No answer' });
  worker.answer.saveDraft = () => {
    throw unreachable;
  };
  panel.show({ ...conversation, id: 'c2' });
  taken.reject(unreachable);
  await settled();
  expect(startsOf(open(1).worker)).toHaveLength(1);
});

it('the chat that is turned to meanwhile stays', async () => {
  const open = pages();
  await ask(open(1).panel, 'Hello');
  const taken = Promise.withResolvers<unknown>();
  const { panel } = open(1, { startRun: () => taken.promise });
  panel.show(null);
  taken.resolve('started');
  await settled();
  expect(panel.conversationId.value).toBeNull();
});

it('a draft that could not be saved is saved again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { panel, worker } = pages()(1);
  const saved = () => worker.sent.filter(({ command }) => command === 'saveDraft');
  worker.answer.saveDraft = () => {
    throw new AppError({ code: 'worker_unreachable', message: 'No answer' });
  };
  panel.type('Hello');
  await vi.advanceTimersByTimeAsync(300);
  expect(saved()).toHaveLength(1);
  delete worker.answer.saveDraft;
  await vi.advanceTimersByTimeAsync(300);
  expect(saved()).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(3000);
  expect(saved()).toHaveLength(2);
});
