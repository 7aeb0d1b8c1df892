import { tellFocus } from '../dom/told-focus.ts';
import { ACTION_PORT, openWorkerPort } from '../dom/worker-port.ts';
import { servedFrame } from './served-frames.ts';

/** Thrown at the next wait of an action that was stopped. */
class Stopped extends Error {}

/** Whether the action that is under way was stopped. */
let isStopped = false;

/** Resolves once the one before has ended. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Does an action once the worker says that it is wanted still, and until it is stopped or the worker dies: what the action
 * waits for then throws. One after another in a document.
 * @returns `stopped` where it was, maybe in the midst of it
 */
export function untilStopped<T>(id: string, action: () => Promise<T>): Promise<T | 'stopped'> {
  const ended = last.then(() => whileWanted(id, action));
  last = ended.catch(() => undefined); // its caller is told
  return ended;
}

async function whileWanted<T>(id: string, action: () => Promise<T>): Promise<T | 'stopped'> {
  const port = openWorkerPort(ACTION_PORT + id);
  try {
    await new Promise<void>((resolve) => {
      port?.onMessage.addListener(() => resolve());
      port?.onDisconnect.addListener(() => {
        isStopped = true;
        resolve();
      });
      if (!port) resolve();
    });
    throwIfStopped();
    return await action();
  } catch (error) {
    if (error instanceof Stopped) return 'stopped';
    throw error;
  } finally {
    port?.disconnect();
    isStopped = false;
  }
}

/** After each wait of an action. @throws Stopped */
export function throwIfStopped(): void {
  if (isStopped) throw new Stopped();
}

/** Resolves after what waits in the page's queues; unlike a timer it is not throttled in a tab that is behind. @throws Stopped */
export async function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  await new Promise<void>((resolve) => {
    port1.addEventListener('message', () => (port1.close(), resolve()));
    port1.start();
    port2.postMessage(null);
  });
  tellFocus();
  throwIfStopped();
}

/** In a tab that is behind as long as the page's own timers are held back, which are waited for. @throws Stopped */
export async function pause(ms: number): Promise<void> {
  if (document.hidden) await servedFrame();
  await new Promise((resolve) => setTimeout(resolve, ms));
  throwIfStopped();
}

/** Milliseconds in which a page's server, or its framework, agrees to what was done. */
const AGREED_MS = 2_000;

/** Whether it comes to be so within a while. @throws Stopped */
export async function comesTo(isSo: () => boolean): Promise<boolean> {
  const end = performance.now() + AGREED_MS;
  while (!isSo()) {
    if (performance.now() > end) return false;
    await pause(100);
  }
  return true;
}

/** Milliseconds for which a frame is waited for: hidden windows draw none. */
const FRAME_MS = 50;

/** Resolves after the page was drawn once more, or did what it waits for that with: some do only then what a key asks for. @throws Stopped */
export async function nextFrame(): Promise<void> {
  if (document.hidden) await servedFrame();
  else
    await new Promise<void>((resolve) => {
      requestAnimationFrame(() => resolve());
      setTimeout(resolve, FRAME_MS);
    });
  await nextTask();
}
