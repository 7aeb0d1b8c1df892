type Lane = { running: number; waiting: (() => void)[] };

export type CallQueue = {
  /**
   * Runs `job` when its origin has room. Aborting `signal` while it waits takes it out at once.
   * @throws signal.reason when aborted before `job` began; else whatever `job` throws.
   */
  run<T>(origin: string, signal: AbortSignal, job: () => Promise<T>): Promise<T>;
};

/**
 * Chromium opens six HTTP/1.1 sockets per origin. One holds the server's own stream and one stays free for
 * cancels, so four calls fly; `https:` servers mostly speak HTTP/2, where streams are cheap.
 */
export function callLimit(origin: string): number {
  return origin.startsWith('http:') ? 4 : 16;
}

/** First come, first served, at most `limit(origin)` jobs at once for each origin. */
export function createCallQueue(limit: (origin: string) => number = callLimit): CallQueue {
  const lanes = new Map<string, Lane>();

  const laneOf = (origin: string): Lane => {
    const lane = lanes.get(origin) ?? { running: 0, waiting: [] };
    lanes.set(origin, lane);
    return lane;
  };

  return {
    async run(origin, signal, job) {
      signal.throwIfAborted();
      const lane = laneOf(origin);
      if (lane.running < limit(origin)) lane.running++;
      else await turn(lane, signal);
      try {
        return await job();
      } finally {
        // The slot goes straight to the next in line, so nobody can slip in between.
        const next = lane.waiting.shift();
        if (next) next();
        else lane.running--;
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
