/** One request's lifetime: it ends when the caller aborts, when nothing comes for too long, or when it is closed. */
export type RequestLifetime = {
  controller: AbortController;
  /** Something arrived, be it a keep-alive comment: the idle clock starts again. */
  alive: () => void;
  /** A piece of the answer arrived: every clock starts again. */
  progress: () => void;
  /** All that matters has arrived: from now on a short time without a piece of the answer is the end. */
  linger: () => void;
  /** The time, in milliseconds, for which nothing came; undefined unless that ended it. */
  timedOut: () => number | undefined;
  close: () => void;
};

/** How long to wait, in milliseconds. */
export type Timeouts = {
  /** For a sign of life. */
  idleMs: number;
  /** For a piece of the answer, whatever signs of life there are: a server may load a model for minutes. */
  stallMs: number;
  /** For a count of tokens behind the answer; some servers keep the connection open after it. */
  lingerMs: number;
};

export const TIMEOUTS: Timeouts = { idleMs: 120_000, stallMs: 600_000, lingerMs: 5_000 };

/** Starts the clocks of a request. */
export function startLifetime(signal: AbortSignal, { idleMs, stallMs, lingerMs }: Timeouts): RequestLifetime {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let timedOut: number | undefined;
  let isLast = false;
  const clock = () => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = () => clearTimeout(timer);
    const start = (ms: number) => {
      stop();
      timer = setTimeout(() => {
        timedOut ??= ms;
        abort();
      }, ms);
    };
    return { start, stop };
  };
  const idle = clock();
  const stall = clock();
  const alive = () => {
    if (!isLast) idle.start(idleMs);
  };
  const progress = () => {
    alive();
    stall.start(isLast ? Math.min(lingerMs, stallMs) : stallMs);
  };
  const linger = () => {
    if (isLast) return;
    isLast = true;
    idle.stop();
    progress();
  };
  const close = () => {
    idle.stop();
    stall.stop();
    signal.removeEventListener('abort', abort);
    abort();
  };

  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  progress();
  return { controller, alive, progress, linger, timedOut: () => timedOut, close };
}
