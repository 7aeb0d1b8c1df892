import type { ServerConnections } from './server-connections.ts';

/** While a run works, a server that was lost is tried again this often. */
const RETRY_MS = 5_000;
/**
 * While only a page is open, after these pauses, the last of them again and again. An idle worker dies after 30 s; a
 * try, which asks the browser for the permission, keeps it if it comes sooner.
 */
const PAUSES_MS = [1_000, 3_000, 10_000, 25_000];

/** While any run works or any page is open, servers that are lost are tried again; an idle worker tries nothing. */
export function createLostServerRetries({ retry }: Pick<ServerConnections, 'retry'>) {
  const runs = new Set<string>();
  let interval: ReturnType<typeof setInterval> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let hasPages = false;
  let tries = 0;

  const tryLost = () =>
    retry().catch((error: unknown) => {
      console.warn('The servers could not be tried again.', error);
      return {};
    });

  /** Goes on for as long as any is lost. */
  function wait(): void {
    clearTimeout(timer);
    if (!hasPages) return;
    const pause = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)];
    timer = setTimeout(() => void again(), pause);
  }

  async function again(): Promise<void> {
    tries += 1;
    const outcomes = Object.values(await tryLost());
    if (outcomes.some(({ ok }) => !ok)) wait();
  }

  /** A server was lost just now, or may be back: pauses begin small again. */
  function start(): void {
    tries = 0;
    wait();
  }

  return {
    /** A run, by its id, works or does no longer. */
    working(id: string, works: boolean): void {
      if (works) runs.add(id);
      else runs.delete(id);
      if (runs.size > 0) {
        interval ??= setInterval(() => void tryLost(), RETRY_MS);
      } else {
        clearInterval(interval);
        interval = undefined;
      }
    },
    /** Whether any page is open. */
    watched(isWatched: boolean): void {
      if (isWatched === hasPages) return;
      hasPages = isWatched;
      start();
    },
    lost: start,
    online(): void {
      if (!hasPages) return;
      tries = 0;
      void again();
    },
  };
}
