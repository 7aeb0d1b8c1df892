type Lane = { running: number; waiting: (() => void)[] };

export type CallQueue = {
  /**
   * Runs `job` when its origin has room. Aborting `signal` while it waits takes it out at once.
   * @throws signal.reason when aborted before `job` began; else whatever `job` throws.
   */
  run<T>(origin: string, signal: AbortSignal, job: () => Promise<T>): Promise<T>;
  /** How many jobs of the origin run now. */
  running(origin: string): number;
  /** Whether any job waits for its turn. */
  isWaitedFor(origin: string): boolean;
  /** The origin's limit may have grown. */
  advance(origin: string): void;
};

/** First come, first served, at most `limit(origin)` jobs at once for each origin, as it is at that moment. */
export function createCallQueue(limit: (origin: string) => number): CallQueue {
  const lanes = new Map<string, Lane>();

  const laneOf = (origin: string): Lane => {
    const lane = lanes.get(origin) ?? { running: 0, waiting: [] };
    lanes.set(origin, lane);
    return lane;
  };

  const advance = (origin: string): void => {
    const lane = laneOf(origin);
    while (lane.waiting.length > 0 && lane.running < limit(origin)) {
      lane.running++;
      lane.waiting.shift()?.();
    }
  };

  return {
    running: (origin) => lanes.get(origin)?.running ?? 0,
    isWaitedFor: (origin) => laneOf(origin).waiting.length > 0,
    advance,
    async run(origin, signal, job) {
      signal.throwIfAborted();
      const lane = laneOf(origin);
      if (lane.running < limit(origin)) lane.running++;
      else await turn(lane, signal);
      try {
        return await job();
      } finally {
        lane.running--;
        // At once, so that nobody can slip in between.
        advance(origin);
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
