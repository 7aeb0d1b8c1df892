/** One request's lifetime: it ends when the caller aborts, when nothing arrives for too long, or when it is closed. */
export type Connection = {
  controller: AbortController;
  /** Something arrived, be it a keep-alive comment: the idle clock starts again. */
  alive: () => void;
  /** All that matters has arrived: from now on a short silence is the end. */
  hurry: () => void;
  /** True once nothing had arrived for the idle time. */
  timedOut: () => boolean;
  close: () => void;
};

/** Time for a count of tokens to follow the answer; some servers keep the connection open after it. */
const LINGER_MS = 5_000;

/** Opens the lifetime and starts its idle clock. */
export function openConnection(signal: AbortSignal, idleTimeoutMs: number): Connection {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let patience = idleTimeoutMs;
  let timedOut = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timedOut = true;
      abort();
    }, patience);
  };
  const hurry = () => {
    if (patience <= LINGER_MS) return;
    patience = LINGER_MS;
    alive();
  };
  const close = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    abort();
  };

  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  alive();
  return { controller, alive, hurry, timedOut: () => timedOut, close };
}
