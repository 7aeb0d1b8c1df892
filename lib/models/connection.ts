/** One request's lifetime: it ends when the caller aborts, when nothing arrives for too long, or when it is closed. */
export type Connection = {
  controller: AbortController;
  /** True once nothing had arrived for the idle time. */
  timedOut: () => boolean;
  /** True once `[DONE]` went by: the openai package hides whether a stream had it. */
  sawDone: () => boolean;
  /** Passes bytes through unchanged; each piece, even a keep-alive comment, restarts the idle clock. */
  watch: () => TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;
  close: () => void;
};

const DONE = /[\r\n]data: ?\[DONE\]/;
const DONE_LENGTH = '\ndata: [DONE]'.length;

/** Opens the lifetime and starts its idle clock. */
export function openConnection(signal: AbortSignal, idleTimeoutMs: number): Connection {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let timedOut = false;
  let sawDone = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restartClock = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      timedOut = true;
      abort();
    }, idleTimeoutMs);
  };
  const close = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    abort();
  };
  const watch = () => {
    const latin1 = new TextDecoder('latin1');
    let tail = '\n';
    return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(bytes, stream) {
        restartClock();
        tail += latin1.decode(bytes);
        sawDone ||= DONE.test(tail);
        tail = tail.slice(-DONE_LENGTH);
        stream.enqueue(bytes);
      },
    });
  };

  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  restartClock();
  return { controller, timedOut: () => timedOut, sawDone: () => sawDone, watch, close };
}
