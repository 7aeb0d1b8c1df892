import { signal, type ReadonlySignal } from '@preact/signals';
import type { NativeHostStatus } from '../../protocol/servers.ts';
import { onReturn, type WorkerLink } from '../panel-port.ts';

/** How often the native host is looked for while a page waits for it, in milliseconds. */
const EVERY_MS = 3000;
/** Longer than Chromium's worker lives by itself: only its next one may start the native host. */
const WAITING_MS = 40_000;

/** How the native host is, for all that shows it on a page. */
export function createNativeHost(command: WorkerLink['send']) {
  const status = signal<NativeHostStatus | null>(null);
  /** It was not there when it was asked last. */
  let wasAway = false;
  let watchers = 0;
  let asking: Promise<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isDone = (): boolean => watchers === 0 || status.value?.state === 'ready';
  async function ask(): Promise<void> {
    const answer = await command('nativeHost').catch(() => null); // the worker is asked again, or the page says why not
    const cameUp = wasAway && answer?.state === 'ready';
    if (answer) wasAway = answer.state !== 'ready';
    status.value = answer;
    // Servers that could not be started for want of it; how they are then is their status.
    if (cameUp) void command('connectAll').catch(() => undefined);
    asking = null;
    clearTimeout(timer);
    if (!isDone()) timer = setTimeout(look, status.value?.state === 'waiting' ? WAITING_MS : EVERY_MS);
  }
  const look = (): void => {
    if (document.visibilityState === 'visible') asking ??= ask();
  };

  return {
    /** null before the first request: that starts it. */
    status: status as ReadonlySignal<NativeHostStatus | null>,
    /** Asks now. */
    look,
    /** Asks now, and again and again until it is ready, while the page is in sight. Returns the undo. */
    watch: (): (() => void) => {
      watchers += 1;
      look();
      const stop = onReturn(() => !isDone() && look());
      return () => {
        watchers -= 1;
        stop();
      };
    },
  };
}

export type NativeHostState = ReturnType<typeof createNativeHost>;
