/** Resolves after `ms`, or as soon as the signal, if there is one, aborts. Keeps no worker alive by itself. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    if (signal?.aborted) done();
    else signal?.addEventListener('abort', done, { once: true });
  });
}

/** Gives the thread to what waits for it. No timer, which is slowed down in a tab that is not seen. */
export function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener('message', () => (port1.close(), resolve()));
    port1.start();
    port2.postMessage(null);
  });
}

/** The promise, or a rejection with the signal's reason as soon as it aborts. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([promise, aborted.promise]).finally(() => signal.removeEventListener('abort', abort));
}

/** Runs jobs one after another, in the order in which they are given, whatever becomes of the one before. */
export function createSerial(): <T>(job: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (job) => {
    const result = last.then(job);
    last = result.catch(() => undefined); // the caller is told
    return result;
  };
}

/** A job that runs once for all callers that ask while it runs. */
export function singleFlight<T>(job: (input: T) => Promise<void>) {
  let running: Promise<void> | undefined;
  return {
    run: (input: T): Promise<void> =>
      (running ??= job(input).finally(() => {
        running = undefined;
      })),
    /** Resolves when none runs, however it ended. */
    settled: async (): Promise<void> => {
      await running?.catch(() => undefined);
    },
  };
}

/**
 * A job that never runs twice at once: callers that ask while it runs share the next run. So each sees all that was so
 * when it asked, and a hundred calls cost two runs.
 */
export function coalesced(job: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function start(): Promise<void> {
    next = undefined;
    running = job().finally(() => (running = undefined));
    return running;
  }

  return () => {
    if (next) return next;
    if (!running) return start();
    next = running.then(start, start); // callers of the run before are told how it failed
    return next;
  };
}

/** Milliseconds for which changes are gathered; twice as long each time they go on. */
const GATHER = 300;
const LONGEST_GATHER = 10_000;

/**
 * Debounces `refresh`: it runs some time after `poke`, never twice at once, once more when poked meanwhile, and with
 * backoff for changes without end. `refresh` must not reject.
 */
export function createRefresher(refresh: () => Promise<void>): { poke(): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isBusy = false;
  let isStale = false;
  let isStopped = false;
  let gather = GATHER;

  const start = (): void => {
    isBusy = true;
    timer = setTimeout(() => void run(), gather);
  };
  const run = async (): Promise<void> => {
    isStale = false;
    await refresh();
    if (isStopped) return;
    isBusy = false;
    gather = isStale ? Math.min(gather * 2, LONGEST_GATHER) : GATHER;
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

type Lane = { running: number; waiting: (() => void)[] };

export type Queue = {
  /**
   * Runs `job` when its key has room. Aborting `signal` while it waits takes it out at once.
   * @throws signal.reason when aborted before `job` began; else whatever `job` throws
   */
  run<T>(key: string, signal: AbortSignal, job: () => Promise<T>): Promise<T>;
  /** How many jobs of the key run now. */
  running(key: string): number;
  /** Whether any job waits. */
  isWaitedFor(key: string): boolean;
  /** The key's limit may have grown. */
  advance(key: string): void;
};

/** First come, first served, at most `limit(key)` jobs at once for each key, as it is at that moment. */
export function createQueue(limit: (key: string) => number): Queue {
  const lanes = new Map<string, Lane>();

  const laneOf = (key: string): Lane => {
    const lane = lanes.get(key) ?? { running: 0, waiting: [] };
    lanes.set(key, lane);
    return lane;
  };

  const advance = (key: string): void => {
    const lane = laneOf(key);
    while (lane.waiting.length > 0 && lane.running < limit(key)) {
      lane.running++;
      lane.waiting.shift()?.();
    }
  };

  return {
    running: (key) => laneOf(key).running,
    isWaitedFor: (key) => laneOf(key).waiting.length > 0,
    advance,
    async run(key, signal, job) {
      signal.throwIfAborted();
      const lane = laneOf(key);
      if (lane.running < limit(key)) lane.running++;
      else await turn(lane, signal);
      try {
        return await job();
      } finally {
        lane.running--;
        // At once, so that no later caller overtakes those that wait.
        advance(key);
      }
    },
  };
}

function turn(lane: Lane, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      lane.waiting.splice(lane.waiting.indexOf(enter), 1);
      reject(signal.reason);
    };
    const enter = (): void => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    lane.waiting.push(enter);
    signal.addEventListener('abort', leave, { once: true });
  });
}

/** Gives what `make` made; after a failure the next caller has it made anew. */
export function memoizedUntilFailure<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}
