// @vitest-environment node
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { NativeHostStatus } from '../../lib/protocol/servers.ts';
import { createNativeHost } from '../../lib/state/settings/native-host.ts';

const missing: NativeHostStatus = {
  state: 'missing',
  error: { code: 'native_host_missing', message: 'It does not answer.', retryable: false },
};
const waiting: NativeHostStatus = {
  state: 'waiting',
  error: { code: 'native_host_waiting', message: 'Soon.', retryable: false },
};
const ready: NativeHostStatus = { state: 'ready', version: '1.0.0', node: '24.0.0', policy: null };

const listeners = new EventTarget();
let visibilityState = 'visible';

beforeEach(() => {
  vi.useFakeTimers();
  visibilityState = 'visible';
  vi.stubGlobal('window', listeners);
  vi.stubGlobal('document', {
    get visibilityState() {
      return visibilityState;
    },
    addEventListener: listeners.addEventListener.bind(listeners),
    removeEventListener: listeners.removeEventListener.bind(listeners),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A worker that gives these answers one after the other, the last one again and again. */
function answering(...answers: (NativeHostStatus | Error)[]) {
  const command = vi.fn(async (name: string) => {
    if (name !== 'nativeHost') return {};
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return { command, state: createNativeHost(command as never) };
}

it('sends no request before the first subscription', () => {
  const { command, state } = answering(ready);
  expect(command).not.toHaveBeenCalled();
  expect(state.status.value).toBeNull();
});

it('notices by itself that the native host is there, has its servers started, and asks no more', async () => {
  const { command, state } = answering(missing, missing, ready);
  state.watch();
  await vi.advanceTimersByTimeAsync(0);
  expect(state.status.value).toEqual(missing);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(state.status.value).toEqual(ready);
  expect(command.mock.calls.flat()).toEqual(['nativeHost', 'nativeHost', 'nativeHost', 'connectAll']);
});

it('leaves servers alone when it was there from the start', async () => {
  const { command, state } = answering(ready);
  state.watch();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(command.mock.calls.flat()).toEqual(['nativeHost']);
});

it('leaves the worker alone, as long as it may live, while only its next start can bring the native host', async () => {
  const { command, state } = answering(waiting, ready);
  state.watch();
  await vi.advanceTimersByTimeAsync(35_000);
  expect(command).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(state.status.value).toEqual(ready);
  expect(command).toHaveBeenLastCalledWith('connectAll');
});

it('asks at once when something was done about it', async () => {
  const { command, state } = answering(waiting);
  state.watch();
  await vi.advanceTimersByTimeAsync(0);
  state.look();
  expect(command).toHaveBeenCalledTimes(2);
});

it('asks no more without a subscription', async () => {
  const { command, state } = answering(missing);
  const stop = [state.watch(), state.watch()];
  await vi.advanceTimersByTimeAsync(10_000);
  const asked = command.mock.calls.length;
  stop.forEach((each) => each());
  await vi.advanceTimersByTimeAsync(20_000);
  expect(command.mock.calls.length - asked).toBeLessThanOrEqual(1);
});

it('rests while the page is out of sight, and looks at once when it is back', async () => {
  const { command, state } = answering(missing);
  state.watch();
  await vi.advanceTimersByTimeAsync(0);
  visibilityState = 'hidden';
  await vi.advanceTimersByTimeAsync(30_000);
  expect(command).toHaveBeenCalledTimes(1);
  visibilityState = 'visible';
  listeners.dispatchEvent(new Event('visibilitychange'));
  expect(command).toHaveBeenCalledTimes(2);
});

it('says nothing of the native host once its status is unknown again', async () => {
  const { state } = answering(ready, new Error('gone'), ready);
  state.watch();
  await vi.advanceTimersByTimeAsync(0);
  expect(state.status.value).toEqual(ready);
  state.look();
  await vi.advanceTimersByTimeAsync(0);
  expect(state.status.value).toBeNull();
  await vi.advanceTimersByTimeAsync(5000);
  expect(state.status.value).toEqual(ready);
});

it('goes on looking when the worker did not answer', async () => {
  const { state } = answering(new Error('gone'), ready);
  state.watch();
  await vi.advanceTimersByTimeAsync(5000);
  expect(state.status.value).toEqual(ready);
});
