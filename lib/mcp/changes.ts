/** How long changes are gathered before a list is read again, in milliseconds; twice as long each time they go on. */
const GATHER = 300;
const LONGEST = 10_000;

/**
 * Runs `refresh` some time after `poke`, however often that is called: never twice at once, once more when poked
 * meanwhile, and ever more rarely for a server that changes without end. `refresh` must not reject.
 */
export function createRefresher(refresh: () => Promise<void>): { poke(): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isBusy = false;
  let isStale = false;
  let isStopped = false;
  let wait = GATHER;

  const start = (): void => {
    isBusy = true;
    timer = setTimeout(() => void run(), wait);
  };
  const run = async (): Promise<void> => {
    isStale = false;
    await refresh();
    if (isStopped) return;
    isBusy = false;
    wait = isStale ? Math.min(wait * 2, LONGEST) : GATHER;
    if (isStale) start();
  };
  return {
    poke() {
      isStale = true;
      if (!isBusy) start();
    },
    stop() {
      isStopped = true;
      isBusy = true;
      clearTimeout(timer);
    },
  };
}
