import type { Told } from './messages.ts';

/** Begins the name of a request's port: the document opens one to the worker, so that no page hears of it. */
export const MODEL_PORT = 'model/';

/** Often enough for the liveness check; it also keeps the worker alive. */
const BEAT_MS = 20_000;

/** What is used of a `runtime.Port`. */
export type ModelPort = {
  postMessage(message: unknown): void;
  disconnect(): void;
  onMessage: { addListener(listen: (message: unknown) => void): void };
  onDisconnect: { addListener(listen: () => void): void };
};

/** The document's end: tells all that `answer` yields. A port that drops aborts it. */
export async function serveModel(
  port: ModelPort,
  answer: (signal: AbortSignal) => AsyncIterable<Told>,
): Promise<void> {
  const dropped = new AbortController();
  const post = (told: Told): void => {
    if (dropped.signal.aborted) return;
    try {
      port.postMessage(told);
    } catch (error) {
      dropped.abort(error); // it has dropped, and the event that says so is still to come
    }
  };
  port.onDisconnect.addListener(() => dropped.abort());
  const beat = setInterval(() => post({ type: 'alive' }), BEAT_MS);
  try {
    for await (const told of answer(dropped.signal)) post(told);
    post({ type: 'end' });
  } catch (error) {
    // An aborted answer has no reader.
    if (dropped.signal.aborted) return;
    post({ type: 'refused', status: 500, error: { message: String(error) } });
    post({ type: 'end' });
  } finally {
    clearInterval(beat);
  }
}

/**
 * The worker's end. Call it before anything can have been told.
 * @throws the reason of `signal`, or Error when the port dropped before `end`
 */
export function receiveTold(port: ModelPort, signal: AbortSignal): AsyncGenerator<Told> {
  const untaken: Told[] = [];
  let isDropped = false;
  let changed = (): void => {};
  port.onMessage.addListener((message) => {
    untaken.push(message as Told);
    changed();
  });
  port.onDisconnect.addListener(() => {
    isDropped = true;
    changed();
  });
  signal.addEventListener('abort', () => changed(), { once: true });
  return (async function* () {
    try {
      for (;;) {
        if (signal.aborted) throw signal.reason;
        const told = untaken.shift();
        if (told?.type === 'end') return;
        if (told) yield told;
        else if (isDropped) throw new Error('The document that has the model was closed.');
        else await new Promise<void>((resolve) => (changed = resolve));
      }
    } finally {
      port.disconnect();
    }
  })();
}
