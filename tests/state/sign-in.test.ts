import { beforeEach, describe, expect, it, vi } from 'vitest';
import { signIn } from '../../lib/state/settings/sign-in.ts';
import type { SignInStart } from '../../lib/types/credentials.ts';
import { fakeWorker } from './fake-worker.ts';

type Launch = (details: { url: string; interactive: boolean }) => Promise<string | undefined>;
type Opened = (window: { id: number; type: string }) => void;

const fake = vi.hoisted(() => ({
  identity: { launchWebAuthFlow: vi.fn<Launch>() },
  windows: {
    opened: new Set<Opened>(),
    get: vi.fn<(id: number) => Promise<{ type: string }>>(),
    remove: vi.fn<(id: number) => Promise<void>>(),
    onCreated: {
      addListener: (listener: Opened) => void fake.windows.opened.add(listener),
      removeListener: (listener: Opened) => void fake.windows.opened.delete(listener),
    },
  },
}));
vi.mock('wxt/browser', () => ({ browser: fake }));

const { launchWebAuthFlow } = fake.identity;
const ANSWER = 'https://portside.example/?state=s&code=c';
const WINDOWS = new Map([
  [1, 'normal'],
  [2, 'popup'],
  [3, 'popup'],
]);
const storage = new Map<string, string>();
let worker: ReturnType<typeof fakeWorker>;
const sent = () => worker.sent.map(({ command, request }) => [command, request]);
const sign = () => signIn(worker.link.send, 3);
const started = (start: Partial<SignInStart> = {}) => {
  worker.answer.startSignIn = () => ({
    state: 'window',
    url: 'https://login.example/',
    isAgain: false,
    ...start,
  });
};
const shown = () =>
  launchWebAuthFlow.mock.calls.map(([{ interactive }]) => (interactive ? 'window' : 'nothing'));

beforeEach(() => {
  vi.resetAllMocks();
  storage.clear();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  });
  fake.windows.remove.mockResolvedValue();
  launchWebAuthFlow.mockResolvedValue(ANSWER);
  worker = fakeWorker();
  started();
});

describe('a press on Sign in', () => {
  it('shows what the worker prepared, and hands it the answer', async () => {
    expect(await sign()).toEqual([]);
    expect(launchWebAuthFlow).toHaveBeenCalledExactlyOnceWith({
      url: 'https://login.example/',
      interactive: true,
    });
    expect(sent()).toEqual([
      ['startSignIn', { id: 3 }],
      ['finishSignIn', { id: 3, outcome: { answer: ANSWER } }],
    ]);
  });

  it('shows nothing while origins have to be allowed first', async () => {
    worker.answer.startSignIn = () => ({ state: 'needs_origin', origins: ['https://login.example'] });
    expect(await sign()).toEqual(['https://login.example']);
    expect(launchWebAuthFlow).not.toHaveBeenCalled();
  });

  it('tells the worker, too, why there is no answer', async () => {
    launchWebAuthFlow.mockRejectedValueOnce(new Error('The user did not approve access.'));
    await sign();
    launchWebAuthFlow.mockResolvedValueOnce(undefined);
    await sign();
    expect(sent().filter(([command]) => command === 'finishSignIn')).toMatchObject([
      ['finishSignIn', { outcome: { failure: 'The user did not approve access.' } }],
      ['finishSignIn', { outcome: { failure: 'The window returned nothing.' } }],
    ]);
  });

  it('is refused while another sign-in is under way, and not after that', async () => {
    const window = Promise.withResolvers<string>();
    launchWebAuthFlow.mockReturnValueOnce(window.promise);
    const first = sign();
    await vi.waitFor(() => expect(launchWebAuthFlow).toHaveBeenCalled());
    await expect(sign()).rejects.toMatchObject({ code: 'sign_in_elsewhere' });
    expect(worker.sent).toHaveLength(1);
    window.resolve(ANSWER);
    expect(await first).toEqual([]);
    expect(await sign()).toEqual([]);
  });
});

describe('after a sign-in whose answer was lost', () => {
  beforeEach(() => started({ isAgain: true }));

  it('no window opens where the authorization server remembers the user', async () => {
    await sign();
    expect(shown()).toEqual(['nothing']);
    expect(sent().at(-1)).toEqual(['finishSignIn', { id: 3, outcome: { answer: ANSWER } }]);
  });

  it.each([
    ['wants to see the user', () => Promise.reject(new Error('User interaction required.'))],
    ['answers with an error', async () => 'https://portside.example/?state=s&error=login_required'],
  ])('one opens where it %s', async (_what, unseen) => {
    launchWebAuthFlow.mockImplementationOnce(unseen);
    await sign();
    expect(shown()).toEqual(['nothing', 'window']);
    expect(sent().at(-1)).toEqual(['finishSignIn', { id: 3, outcome: { answer: ANSWER } }]);
  });
});

describe('a window whose page was closed', () => {
  const left = async () => {
    const { promise, reject } = Promise.withResolvers<string>();
    launchWebAuthFlow.mockReturnValueOnce(promise);
    const closing = sign();
    await vi.waitFor(() => expect(launchWebAuthFlow).toHaveBeenCalled());
    for (const [id, type] of WINDOWS) fake.windows.opened.forEach((opened) => opened({ id, type }));
    const kept = new Map(storage);
    reject(new Error('The page was closed.'));
    await closing;
    expect(storage.size).toBe(0);
    // The page did not live to see that.
    kept.forEach((value, key) => storage.set(key, value));
  };

  it('is closed before the next one is shown, and no other window is', async () => {
    await left();
    fake.windows.get.mockImplementation(async (id) => ({ type: WINDOWS.get(id) ?? '' }));
    await sign();
    expect(fake.windows.remove.mock.calls).toEqual([[2]]);
    await sign();
    expect(fake.windows.remove).toHaveBeenCalledOnce();
  });

  it.each([
    ['is gone by now', () => Promise.reject(new Error('No window with id: 2.'))],
    ['has left its id to another one', async () => ({ type: 'normal' })],
  ])('is let be when it %s', async (_what, get) => {
    await left();
    fake.windows.get.mockImplementation(get);
    expect(await sign()).toEqual([]);
    expect(fake.windows.remove).not.toHaveBeenCalled();
  });
});
