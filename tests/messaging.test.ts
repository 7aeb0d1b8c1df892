import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { AppError } from '../lib/errors.ts';
import {
  type CommandHandlers,
  handleCommands,
  listenForPanels,
  openEventPort,
  type PanelPort,
  sendCommand,
} from '../lib/messaging.ts';
import { ASKED_BY } from '../lib/protocol/asked-by.ts';
import type { PanelEvent, PanelRequest, Revision, Subscribe } from '../lib/protocol/panel.ts';
import { setup } from './state/fake-worker.ts';

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
    disconnect: vi.fn<() => void>(),
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
    end,
    runtime: {
      id: 'portside',
      get lastError() {
        return undefined;
      },
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

it('what the session keeps is for the extension alone, as browsers have it unless they are told otherwise', () => {
  const sources = import.meta.glob<string>('../{lib,components,entrypoints}/**/*.{ts,tsx}', {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  const telling = /setAccessLevel|storage\.(local|sync)/;
  // What the browser syncs is closed to content scripts before it is read (tests/background/browser-sync.test.ts).
  const synced = '../entrypoints/background/data/browser-sync.ts';
  expect(Object.keys(sources).filter((path) => telling.test(sources[path] ?? ''))).toEqual([synced]);
});

const revision: Revision = { epoch: 'e1', number: 3 };
const subscribe = (more: Partial<Subscribe> = {}): Subscribe => ({
  type: 'subscribe',
  subscription: 1,
  conversationId: 'c1',
  ...more,
});

const strangers: [string, Sender][] = [
  ['another extension', { id: 'other', url: 'chrome-extension://other/page.html' }],
  ['the document that reads pages', { id: 'portside', url: 'chrome-extension://portside/offscreen.html' }],
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
    // The worker must have a handler for every command; a few are enough here.
    handleCommands({ listConversations, saveDraft } as Partial<CommandHandlers> as CommandHandlers);
  });

  it('from an own page is answered by its handler', async () => {
    const none = { conversations: [], hasMore: false, count: 0 };
    listConversations.mockResolvedValue(none);
    expect(await sendCommand('listConversations', {})).toEqual(none);
    await sendCommand('saveDraft', { conversationId: 'c1', text: 'half a' });
    expect(saveDraft.mock.calls).toEqual([[{ conversationId: 'c1', text: 'half a' }]]);
  });

  it.each(Object.entries(ASKED_BY))('%s is handled for the pages that may send it', async (command, by) => {
    const handle = vi.fn<() => void>();
    handleCommands({ [command]: handle } as Partial<CommandHandlers> as CommandHandlers);
    const handled = async (sender: Sender, request?: object) => {
      handle.mockReset();
      await wire.say({ command, request }, sender);
      return handle.mock.calls.length > 0;
    };
    const settings = { id: 'portside', url: 'chrome-extension://portside/options.html#data' };
    expect(await handled(settings)).toBe(true);
    expect(await handled(wire.ownPage, { id: 1, providerId: 1, notify: true })).toBe(by === 'any');
    expect(await handled(wire.ownPage, {})).toBe(by !== 'settings');
    for (const [, stranger] of strangers) expect(await handled(stranger)).toBe(false);
  });

  /** What changes what is configured, allowed or stored, or gives it away: the panel shows what strangers say. */
  it.each(
    (
      'importChats exportSettings importSettings storageUsed erase removeServer nativeHost checkNativeHost allowCheck ' +
      'checkProgram allowLaunch findConfigs connect disconnect connectAll startSignIn finishSignIn signOut serverLog ' +
      'setLogLevel importServers exportServers listServers callTool cancelTool setTool acceptTools setTools listGrants ' +
      'revokeGrants listSiteRules setSiteRule listSites revokeSite toolLog loggedCall removeProvider refreshModels ' +
      'setModel removePrompt lockSecrets setPassphrase saveNote removeNote importSkills saveSchedule switchSchedule ' +
      'removeSchedule runSchedule searchRegistry'
    ).split(' '),
  )('%s is for the settings alone', (command) => {
    expect(ASKED_BY).toHaveProperty(command, 'settings');
  });

  it('of which the panel may ask only a part is not handled beyond that', async () => {
    const addServer = vi.fn<CommandHandlers['addServer']>();
    const saveSettings = vi.fn<CommandHandlers['saveSettings']>();
    handleCommands({ addServer, saveSettings } as Partial<CommandHandlers> as CommandHandlers);
    const remote = { transport: 'auto', url: 'https://notes.example/mcp', name: 'Notes' };
    const say = (command: string, request: object) => void wire.say({ command, request }, wire.ownPage);
    for (const more of [{ trusted: true }, { id: 1 }, { transport: 'stdio', command: 'sh' }])
      say('addServer', { ...remote, ...more });
    say('saveSettings', { tierPermissions: { sends: 'allow' } });
    say('saveSettings', { seenHints: [], notify: true });
    await Promise.resolve();
    expect([addServer.mock.calls, saveSettings.mock.calls]).toEqual([[], []]);
    say('addServer', remote);
    say('saveSettings', { seenHints: ['shortcut'] });
    await vi.waitFor(() => expect(saveSettings).toHaveBeenCalledWith({ seenHints: ['shortcut'] }));
    expect(addServer).toHaveBeenCalledWith(remote);
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
    ['without an answer', () => Promise.resolve(undefined)],
    ['without a receiver', () => Promise.reject(new Error('No receiver.'))],
  ])('%s rejects with worker_unreachable, in words for people', async (_what, sendMessage) => {
    wire.runtime.sendMessage.mockImplementation(sendMessage);
    await expect(sendCommand('listConversations', {})).rejects.toMatchObject({
      code: 'worker_unreachable',
      message: 'Portside’s worker did not answer.',
      detail: expect.stringContaining('The browser stopped it'),
      fix: expect.stringContaining('Try again'),
      retryable: true,
    });
  });
});

describe('a startRun', () => {
  it('without an answer is sent once more, to the worker that this starts', async () => {
    const startRun = vi.fn<CommandHandlers['startRun']>(async () => 'started' as const);
    handleCommands({ startRun } as Partial<CommandHandlers> as CommandHandlers);
    wire.runtime.sendMessage.mockResolvedValueOnce(undefined);
    expect(await sendCommand('startRun', { conversationId: 'c1', runId: 'r1' })).toBe('started');
    expect(startRun).toHaveBeenCalledTimes(1);
  });
});

describe('the worker’s end of an event port', () => {
  const request = vi.fn<(port: PanelPort, request: PanelRequest) => void>();
  const gone = vi.fn<(port: PanelPort) => void>();
  const event: PanelEvent = { type: 'conversations_gone', revision, ids: [] };
  beforeEach(() => {
    request.mockReset();
    gone.mockReset();
    listenForPanels({ request, gone });
  });

  /** An own page's port that subscribed, with both of its ends. */
  function subscribed() {
    const port = wire.arrive();
    port.onMessage.listeners.forEach((listener) => listener(subscribe()));
    const panel = request.mock.lastCall?.[0];
    if (!panel) throw new Error('The port was not listened to.');
    return { port, panel };
  }

  it.each<PanelRequest>([
    subscribe(),
    subscribe({ conversationId: null }),
    subscribe({ have: revision, setup: revision, chats: revision }),
    subscribe({ place: {} }),
    subscribe({ place: { windowId: 2, tabId: 7 }, isChoice: true, isHidden: true, logOf: 3 }),
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
    { type: 'subscribe', subscription: 1 },
    { type: 'subscribe', conversationId: 'c1' },
    { ...subscribe(), subscription: '1' },
    { ...subscribe(), conversationId: 7 },
    { ...subscribe(), logOf: '3' },
    { ...subscribe(), place: null },
    { ...subscribe(), place: { windowId: '2' } },
    { ...subscribe(), have: null },
    { ...subscribe(), have: { epoch: 'e1' } },
    { ...subscribe(), have: { epoch: 1, number: 3 } },
    { ...subscribe(), setup: { epoch: 'e1', number: 0.5 } },
    { ...subscribe(), chats: 3 },
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
    const other: PanelEvent = { type: 'conversations_gone', revision, ids: ['c1'] };
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

  it.each<PanelEvent>([
    { type: 'revision', subscription: 1, revision },
    { type: 'setup', revision, setup },
  ])('tells at once what a page waits for, with all that came before it: $type', (awaited) => {
    const { port, panel } = subscribed();
    panel.send(event);
    panel.send(awaited);
    expect(port.postMessage.mock.calls).toEqual([[[event, awaited]]]);
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

  it('tells the beginnings of what is too much by itself', () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { port, panel } = subscribed();
    const told: unknown[] = [];
    port.postMessage.mockImplementation((events) => {
      if (JSON.stringify(events).length > 400_000) throw new Error('Message exceeded maximum allowed size.');
      told.push(events);
    });
    const append = { type: 'append', subscription: 1, messageId: 'm1', part: 'text', at: 0 } as const;
    panel.send({ ...append, text: 'x'.repeat(600_000) });
    vi.runAllTimers();
    expect(told).toEqual([[{ ...append, text: 'x'.repeat(200_000) }]]);
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
  const handlers = { event: vi.fn<(event: PanelEvent) => void>(), dropped: vi.fn<() => void>() };
  beforeEach(() => void Object.values(handlers).forEach((handler) => handler.mockReset()));

  /** With what the page's browser has of it. */
  function opened() {
    const port = wire.end('page');
    wire.runtime.connect.mockReturnValueOnce(port);
    return { ...openEventPort(subscribe(), handlers), port };
  }
  type Port = ReturnType<typeof opened>['port'];
  const bring = ({ onMessage }: Port, told: unknown[]): void =>
    onMessage.listeners.forEach((listener) => listener(told));
  const drop = ({ onDisconnect }: Port): void => onDisconnect.listeners.forEach((listener) => listener());
  const event: PanelEvent = { type: 'conversations_gone', revision, ids: [] };

  it('says what it subscribes to, hands over events, and tells when it dropped', () => {
    wire.runtime.connect.mockClear();
    const { port, send } = opened();
    expect(wire.runtime.connect.mock.calls).toEqual([[{ name: 'events' }]]);
    send(subscribe({ conversationId: 'c2' }));
    expect(port.postMessage.mock.calls).toEqual([[subscribe()], [subscribe({ conversationId: 'c2' })]]);
    bring(port, [event, { ...event, ids: ['c1'] }]);
    expect(handlers.event.mock.calls).toEqual([[event], [{ ...event, ids: ['c1'] }]]);
    expect(handlers.dropped).not.toHaveBeenCalled();
    drop(port);
    expect(handlers.dropped).toHaveBeenCalledTimes(1);
  });

  it('looks why it dropped: of what nothing looks at the browser complains', () => {
    const looked = vi.spyOn(wire.runtime, 'lastError', 'get');
    drop(opened().port);
    expect(looked).toHaveBeenCalledTimes(1);
  });

  it('hands over nothing once it is closed, and is not dropped then', () => {
    const { port, close } = opened();
    close();
    expect(port.disconnect).toHaveBeenCalledTimes(1);
    bring(port, [event]);
    drop(port);
    expect(handlers.event).not.toHaveBeenCalled();
    expect(handlers.dropped).not.toHaveBeenCalled();
  });

  it('hands over nothing more of a message in whose middle it is closed', () => {
    const { port, close } = opened();
    handlers.event.mockImplementationOnce(close);
    bring(port, [event, { ...event, ids: ['c1'] }]);
    expect(handlers.event.mock.calls).toEqual([[event]]);
  });

  it('says nothing, and throws nothing, where the browser takes nothing of a page that is going away', () => {
    const { port, send } = opened();
    port.postMessage.mockImplementationOnce(() => {
      throw new DOMException('An exception was thrown', 'InvalidStateError');
    });
    expect(() => send({ type: 'visibility', isHidden: true })).not.toThrow();
    send({ type: 'visibility', isHidden: false });
    expect(port.postMessage).toHaveBeenLastCalledWith({ type: 'visibility', isHidden: false });
  });

  const request = { conversationId: 'c1', runId: 'r1' };
  function worker() {
    const startRun = vi.fn<CommandHandlers['startRun']>(async () => 'started' as const);
    handleCommands({ startRun } as Partial<CommandHandlers> as CommandHandlers);
    return startRun;
  }

  it('carries a startRun and brings its answer', async () => {
    const startRun = worker();
    const { port, close } = opened();
    const started = sendCommand('startRun', request);
    expect(port.postMessage).toHaveBeenLastCalledWith({ command: 'startRun', request, id: 0 });
    bring(port, [{ type: 'answer', id: 0, answer: { ok: true, reply: 'queued' } }]);
    expect(await started).toBe('queued');
    close();
    expect(startRun).not.toHaveBeenCalled();
  });

  it.each([
    ['dropped', ({ port }: ReturnType<typeof opened>) => drop(port)],
    ['was closed', ({ close }: ReturnType<typeof opened>) => close()],
  ])(
    'has a startRun asked again by itself when it %s before the answer, and a later one too',
    async (_how, end) => {
      const startRun = worker();
      const page = opened();
      const first = sendCommand('startRun', request);
      expect(startRun).not.toHaveBeenCalled();
      end(page);
      expect(await first).toBe('started');
      const later = { ...request, runId: 'r2' };
      expect(await sendCommand('startRun', later)).toBe('started');
      expect(startRun.mock.calls).toEqual([[request], [later]]);
      expect(page.port.postMessage).toHaveBeenCalledTimes(2);
    },
  );

  it('that took the place of another carries what is asked from then on', async () => {
    worker();
    const before = opened();
    const next = opened();
    drop(before.port);
    const started = sendCommand('startRun', request);
    bring(next.port, [{ type: 'answer', id: 0, answer: { ok: true, reply: 'queued' } }]);
    expect(await started).toBe('queued');
    next.close();
  });
});
