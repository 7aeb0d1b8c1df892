import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../lib/errors.ts';
import {
  type CommandHandlers,
  handleCommands,
  listenForAnnouncements,
  listenForPanels,
  openAnnouncements,
  openEventPort,
  type PanelPort,
  sendCommand,
} from '../lib/messaging.ts';
import type { Announcement, PanelEvent, PanelRequest } from '../lib/protocol/panel.ts';

type Sender = { id?: string; url?: string };
type Listener = (message: unknown, sender: Sender) => Promise<unknown> | undefined;

/** The browser between a page and the worker: messages, and ports with two ends. */
const wire = vi.hoisted(() => {
  const origin = 'chrome-extension://portside/';
  const event = <T>() => {
    const listeners: T[] = [];
    return { listeners, addListener: (listener: T) => void listeners.push(listener) };
  };
  const end = (name: string, sender?: Sender) => ({
    name,
    sender,
    onMessage: event<(message: unknown) => void>(),
    onDisconnect: event<() => void>(),
    postMessage: vi.fn<(message: unknown) => void>(),
  });
  type End = ReturnType<typeof end>;
  const onMessage = event<Listener>();
  const onConnect = event<(port: End) => void>();
  const ownPage: Sender = { id: 'portside', url: `${origin}sidepanel.html` };
  /** What the first listener that handles the message answers; undefined when none does. */
  const say = (message: unknown, sender: Sender) =>
    onMessage.listeners.map((listener) => listener(message, sender)).find((answer) => answer !== undefined);
  return {
    ownPage,
    onMessage,
    onConnect,
    say,
    /** Hands the worker a port and gives it back. */
    arrive(name = 'events', sender: Sender | undefined = ownPage) {
      const port = end(name, sender);
      onConnect.listeners.forEach((listener) => listener(port));
      return port;
    },
    pagePort: end('page'),
    runtime: {
      id: 'portside',
      getURL: (path: string) => origin + path.replace(/^\//, ''),
      onMessage,
      onConnect,
      sendMessage: vi.fn<(message: unknown) => Promise<unknown>>(),
      connect: vi.fn<(info: { name: string }) => End>(),
    },
  };
});

vi.mock('wxt/browser', () => ({ browser: { runtime: wire.runtime } }));

beforeEach(() => {
  wire.onMessage.listeners.length = 0;
  wire.onConnect.listeners.length = 0;
  // Cloned, as between real processes.
  wire.runtime.sendMessage.mockImplementation(async (message) => {
    const answer = await wire.say(structuredClone(message), wire.ownPage);
    return structuredClone(answer);
  });
});

const strangers: [string, Sender][] = [
  ['another extension', { id: 'other', url: 'chrome-extension://other/page.html' }],
  ['another extension that says it is our page', { id: 'other', url: 'chrome-extension://portside/a.html' }],
  ['a content script in a web page', { id: 'portside', url: 'http://127.0.0.1:8080/' }],
  [
    'a content script in a page that looks like ours',
    { id: 'portside', url: 'chrome-extension://portside.test/' },
  ],
  ['a page without an address', { id: 'portside' }],
];

describe('a command', () => {
  const listConversations = vi.fn<CommandHandlers['listConversations']>();
  const saveDraft = vi.fn<CommandHandlers['saveDraft']>();
  beforeEach(() => {
    listConversations.mockReset();
    saveDraft.mockReset();
    // The worker must have a handler for every command; two are enough here.
    handleCommands({ listConversations, saveDraft } as Partial<CommandHandlers> as CommandHandlers);
  });

  it('from an own page is answered by its handler', async () => {
    const none = { conversations: [], hasMore: false, count: 0 };
    listConversations.mockResolvedValue(none);
    expect(await sendCommand('listConversations', {})).toEqual(none);
    await sendCommand('saveDraft', { conversationId: 'c1', text: 'half a' });
    expect(saveDraft.mock.calls).toEqual([[{ conversationId: 'c1', text: 'half a' }]]);
  });

  it.each(strangers)('from %s is not handled', (_who, sender) => {
    expect(wire.say({ command: 'listConversations' }, sender)).toBeUndefined();
    expect(listConversations).not.toHaveBeenCalled();
  });

  it.each([
    ['an unknown command', { command: 'formatDisk' }],
    ['a name that every object has', { command: 'toString' }],
    ['a name that is no text', { command: ['listConversations'] }],
    ['no command', { request: {} }],
    ['nothing', null],
    ['a text', 'listConversations'],
  ])('that is %s is not handled', (_what, message) => {
    expect(wire.say(message, wire.ownPage)).toBeUndefined();
    expect(listConversations).not.toHaveBeenCalled();
  });

  it.each([
    {
      code: 'server_unreachable',
      message: 'Notes could not be reached.',
      cause: 'ECONNREFUSED',
      fix: 'Start it.',
      retryable: true,
    },
    { code: 'no_server', message: 'This server is not there any more.', retryable: false },
  ])('that fails rejects with all that the handler said: %j', async (error) => {
    listConversations.mockRejectedValue(new AppError(error));
    const { code, message, cause, fix, retryable } = error;
    await expect(sendCommand('listConversations', {})).rejects.toMatchObject({
      name: 'AppError',
      code,
      message,
      detail: cause,
      fix,
      retryable,
    });
  });

  it('whose handler throws before its first await rejects too', async () => {
    saveDraft.mockImplementation(() => {
      throw new TypeError('text is undefined');
    });
    await expect(sendCommand('saveDraft', { conversationId: 'c1', text: '' })).rejects.toMatchObject({
      code: 'unexpected',
      detail: 'TypeError: text is undefined',
      fix: expect.stringContaining('report it'),
    });
  });

  it.each([
    ['that nobody answers', () => Promise.resolve(undefined)],
    ['that finds nobody there', () => Promise.reject(new Error('No receiver.'))],
  ])('%s rejects with worker_unreachable, in words for people', async (_what, sendMessage) => {
    wire.runtime.sendMessage.mockImplementation(sendMessage);
    await expect(sendCommand('listConversations', {})).rejects.toMatchObject({
      code: 'worker_unreachable',
      message: 'Portside’s worker did not answer.',
      detail: expect.stringContaining('The browser ended it'),
      fix: expect.stringContaining('Try again'),
      retryable: true,
    });
  });
});

const subscribe = (conversationId: string | null) =>
  ({ type: 'subscribe', subscription: 1, conversationId }) as const;

describe('the worker’s end of an event port', () => {
  const request = vi.fn<(port: PanelPort, request: PanelRequest) => void>();
  const gone = vi.fn<(port: PanelPort) => void>();
  const revision = { epoch: 'e1', number: 1 };
  const event: PanelEvent = { type: 'conversations_gone', ids: [], revision };
  beforeEach(() => {
    request.mockReset();
    gone.mockReset();
    listenForPanels({ request, gone });
  });

  /** An own page's port that has subscribed, with both of its ends. */
  function subscribed() {
    const port = wire.arrive();
    port.onMessage.listeners.forEach((listener) => listener(subscribe('')));
    const panel = request.mock.lastCall?.[0];
    if (!panel) throw new Error('The port was not listened to.');
    return { port, panel };
  }

  it.each<PanelRequest>([
    subscribe('c1'),
    subscribe(null),
    { ...subscribe(''), logOf: 3, setup: { epoch: 'e1', number: 2 } },
    { ...subscribe('c1'), have: { epoch: 'e1', number: 0 }, place: { windowId: 1 }, isChoice: true },
    { type: 'visibility', isHidden: true },
  ])('takes %j', (message) => {
    wire.arrive().onMessage.listeners.forEach((listener) => listener(message));
    expect(request.mock.calls.map(([, asked]) => asked)).toEqual([message]);
  });

  it.each([
    null,
    undefined,
    'subscribe',
    {},
    { type: 'listen' },
    { type: 'subscribe' },
    { type: 'subscribe', conversationId: 'c1' },
    { ...subscribe('c1'), conversationId: 7 },
    { ...subscribe('c1'), subscription: '1' },
    { ...subscribe('c1'), have: { epoch: 'e1' } },
    { ...subscribe('c1'), setup: 3 },
    { ...subscribe('c1'), place: { windowId: 'x' } },
    { ...subscribe(''), logOf: '3' },
    { type: 'visibility' },
    { type: 'visibility', isHidden: 'yes' },
  ])('ignores %j, which is no request', (message) => {
    wire.arrive().onMessage.listeners.forEach((listener) => listener(message));
    expect(request).not.toHaveBeenCalled();
  });

  it('tells together what happens at once, in its order, and nothing after the page closed', () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { port, panel } = subscribed();
    const other: PanelEvent = { type: 'conversations_gone', ids: ['c1'], revision };
    expect(panel.open).toBe(true);
    panel.send(event);
    panel.send(other);
    expect(port.postMessage).not.toHaveBeenCalled();
    vi.runAllTimers();
    expect(port.postMessage.mock.calls).toEqual([[[event, other]]]);
    panel.send(event);
    // Posting on a port that has disconnected throws.
    port.postMessage.mockImplementation(() => {
      throw new Error('Attempting to use a disconnected port object');
    });
    port.onDisconnect.listeners.forEach((listener) => listener());
    expect(panel.open).toBe(false);
    expect(() => panel.send(event)).not.toThrow();
    vi.runAllTimers();
    expect(port.postMessage).toHaveBeenCalledTimes(1);
  });

  it('tells at once what a page waits for, with all that came before it', () => {
    const { port, panel } = subscribed();
    const answer: PanelEvent = { type: 'revision', subscription: 1, revision };
    panel.send(event);
    panel.send(answer);
    expect(port.postMessage.mock.calls).toEqual([[[event, answer]]]);
  });

  it('tells one by one what is too much together', () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { port, panel } = subscribed();
    const told: unknown[] = [];
    port.postMessage.mockImplementation((events) => {
      if ((events as unknown[]).length > 1)
        throw new Error('Message length exceeded maximum allowed length.');
      told.push(events);
    });
    panel.send(event);
    panel.send(event);
    vi.runAllTimers();
    expect(told).toEqual([[event], [event]]);
  });

  it('answers a command', async () => {
    const startRun = vi.fn<CommandHandlers['startRun']>(async () => 'started' as const);
    handleCommands({ startRun } as Partial<CommandHandlers> as CommandHandlers);
    const { port } = subscribed();
    const asked = { command: 'startRun', request: { conversationId: 'c1', runId: 'r1' }, id: 4 };
    port.onMessage.listeners.forEach((listener) => listener(asked));
    const answer = { type: 'answer', id: 4, answer: { ok: true, reply: 'started' } };
    await expect.poll(() => port.postMessage.mock.calls).toEqual([[[answer]]]);
    expect(startRun.mock.calls).toEqual([[asked.request]]);
  });

  it('is known to be closed when its going is told, once and by the same port', () => {
    const { port, panel } = subscribed();
    const open: boolean[] = [];
    gone.mockImplementation((left) => void open.push(left.open));
    port.onDisconnect.listeners.forEach((listener) => listener());
    expect(gone.mock.calls).toEqual([[panel]]);
    expect(open).toEqual([false]);
  });

  it.each([
    ...strangers.map(([who, sender]) => [who, 'events', sender] as const),
    ['an own page under another name', 'other', wire.ownPage] as const,
  ])('is not listened to when it comes from %s', (_who, name, sender) => {
    const port = wire.arrive(name, sender);
    expect(port.onMessage.listeners).toEqual([]);
    expect(port.onDisconnect.listeners).toEqual([]);
  });
});

describe('a page’s end of the event port', () => {
  it('says what it subscribes to, hands over events, and tells when it dropped', () => {
    const { pagePort: port } = wire;
    wire.runtime.connect.mockReturnValue(port);
    const event = vi.fn<(event: PanelEvent) => void>();
    const dropped = vi.fn<() => void>();
    const { send } = openEventPort(subscribe(null), { event, dropped });
    expect(wire.runtime.connect.mock.calls).toEqual([[{ name: 'events' }]]);
    send(subscribe('c2'));
    expect(port.postMessage.mock.calls).toEqual([[subscribe(null)], [subscribe('c2')]]);
    port.onMessage.listeners.forEach((listener) => listener([{ type: 'conversations_gone', ids: [] }]));
    expect(event.mock.calls).toEqual([[{ type: 'conversations_gone', ids: [] }]]);
    expect(dropped).not.toHaveBeenCalled();
    port.onDisconnect.listeners.forEach((listener) => listener());
    expect(dropped).toHaveBeenCalledTimes(1);
  });

  it('says nothing, and throws nothing, where the browser takes nothing of a page that is going away', () => {
    const { pagePort: port } = wire;
    wire.runtime.connect.mockReturnValue(port);
    const { send } = openEventPort(subscribe(null), { event: () => {}, dropped: () => {} });
    port.postMessage.mockImplementationOnce(() => {
      throw new DOMException('An exception was thrown', 'InvalidStateError');
    });
    expect(() => send({ type: 'visibility', isHidden: true })).not.toThrow();
    send({ type: 'visibility', isHidden: false });
    expect(port.postMessage).toHaveBeenLastCalledWith({ type: 'visibility', isHidden: false });
  });

  it('carries the wish for a run, which is sent by itself when the port drops before it is answered', async () => {
    const { pagePort: port } = wire;
    wire.runtime.connect.mockReturnValue(port);
    const startRun = vi.fn<CommandHandlers['startRun']>(async () => 'started' as const);
    handleCommands({ startRun } as Partial<CommandHandlers> as CommandHandlers);
    openEventPort(subscribe('c1'), { event: () => {}, dropped: () => {} });
    port.postMessage.mockClear();
    const request = { conversationId: 'c1', runId: 'r1' };
    const first = sendCommand('startRun', request);
    expect(port.postMessage.mock.calls).toEqual([[{ command: 'startRun', request, id: 0 }]]);
    const answer = { type: 'answer', id: 0, answer: { ok: true, reply: 'queued' } };
    port.onMessage.listeners.forEach((listener) => listener([answer]));
    expect(await first).toBe('queued');
    expect(startRun).not.toHaveBeenCalled();
    const second = sendCommand('startRun', request);
    port.onDisconnect.listeners.forEach((listener) => listener());
    expect(await second).toBe('started');
    expect(startRun.mock.calls).toEqual([[request]]);
  });

  it('once closed hands over nothing more, and what was asked on it is asked again', async () => {
    const { pagePort } = wire;
    const port = { ...pagePort, disconnect: vi.fn<() => void>() };
    wire.runtime.connect.mockReturnValue(port);
    const startRun = vi.fn<CommandHandlers['startRun']>(async () => 'started' as const);
    handleCommands({ startRun } as Partial<CommandHandlers> as CommandHandlers);
    const [event, dropped] = [vi.fn<(event: PanelEvent) => void>(), vi.fn<() => void>()];
    const { close } = openEventPort(subscribe('c1'), { event, dropped });
    const asked = sendCommand('startRun', { conversationId: 'c1', runId: 'r1' });
    close();
    expect(await asked).toBe('started');
    expect(port.disconnect).toHaveBeenCalledTimes(1);
    const revision = { epoch: 'e1', number: 1 };
    port.onMessage.listeners.forEach((listener) => listener([{ type: 'chats', revision }]));
    port.onDisconnect.listeners.forEach((listener) => listener());
    expect([event.mock.calls, dropped.mock.calls]).toEqual([[], []]);
  });
});

describe('an announcement', () => {
  it('reaches every page that listens', async () => {
    const heard = Promise.withResolvers<Announcement>();
    listenForAnnouncements(heard.resolve);
    const announcement = { topic: 'c1', revision: { epoch: 'e1', number: 1 } };
    openAnnouncements()(announcement);
    expect(await heard.promise).toEqual(announcement);
  });
});
