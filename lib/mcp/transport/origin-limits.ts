import { createQueue, type Queue } from '../../async.ts';

/** Browsers open no more HTTP/1.1 connections to one origin; further requests wait inside the browser, cancels too. */
const CONNECTIONS = 6;
/** Left free for answers to servers and for cancels. */
const RESERVED = 1;
export const MOST_CALLS = 4;
const MOST_HANDSHAKES = 2;
/** Beside those, handshakes whose turns are over. */
const MOST_SLOW_HANDSHAKES = 3;
/** Of the streams that servers can do without; more would leave none for calls. */
const MOST_OPTIONAL_STREAMS = 2;
/** `https:` servers mostly speak HTTP/2, where requests share a connection. */
const MOST_CALLS_OVER_HTTPS = 16;

/** Milliseconds after which a server that is being connected counts as unresponsive. */
export const RESPONSE_DEADLINE = 5_000;
/** Milliseconds for which a handshake keeps its place while others wait; after these turns it goes on beside them. */
const TURNS = [500, 1000];

const TURN_OVER = new Error('Other handshakes wait.');

/** Caps for each origin, first come first served: calls, handshakes and streams share its connections. */
export function createOriginLimits() {
  const streams = new Map<string, number>();
  const open = (origin: string): number => streams.get(origin) ?? 0;
  /** At least one, so that neither calls nor handshakes that take long keep the others from going on. */
  const room = (origin: string, others: number, most: number): number =>
    Math.min(Math.max(CONNECTIONS - RESERVED - open(origin) - others, 1), most);
  const calls: Queue = createQueue((origin) =>
    isPlain(origin)
      ? room(origin, handshakes.running(origin) + slow.running(origin), MOST_CALLS)
      : MOST_CALLS_OVER_HTTPS,
  );
  const handshakes: Queue = createQueue((origin) =>
    isPlain(origin) ? room(origin, calls.running(origin) + slow.running(origin), MOST_HANDSHAKES) : Infinity,
  );
  const slow: Queue = createQueue((origin) =>
    room(origin, calls.running(origin) + handshakes.running(origin), MOST_SLOW_HANDSHAKES),
  );
  const advance = (origin: string): void => {
    for (const queue of [calls, handshakes, slow]) queue.advance(origin);
  };

  return {
    calls,
    /** Counts a stream as open until the returned function is called. */
    openStream(origin: string): () => void {
      streams.set(origin, open(origin) + 1);
      let isOpen = true;
      return () => {
        if (isOpen) streams.set(origin, open(origin) - 1);
        isOpen = false;
        calls.advance(origin);
      };
    },
    /** Whether another stream may be opened; `isOptional`: the server can be used without it. */
    hasRoomForStream: (origin: string, isOptional: boolean): boolean =>
      !isPlain(origin) || open(origin) < (isOptional ? MOST_OPTIONAL_STREAMS : CONNECTIONS - RESERVED),
    /**
     * Runs a handshake, which has one request open at a time. Where others wait for its place, `job` is aborted at the end of
     * its turn and begins anew after them, at last in a place that it keeps: servers that hang must not keep those of the
     * same origin away, and fail in their own time.
     * @param onTimeout called once if it is not over RESPONSE_DEADLINE ms after its first request
     * @throws signal.reason when aborted; else whatever `job` throws
     */
    async handshake<T>(
      origin: string,
      signal: AbortSignal,
      job: (signal: AbortSignal) => Promise<T>,
      onTimeout: () => void = () => undefined,
    ): Promise<T> {
      let deadline: ReturnType<typeof setTimeout> | undefined;
      const begin = (turn?: number) => {
        deadline ??= setTimeout(onTimeout, RESPONSE_DEADLINE);
        const over = new AbortController();
        const makeWay = (): void => void (handshakes.isWaitedFor(origin) && over.abort(TURN_OVER));
        const timer = turn === undefined ? undefined : setInterval(makeWay, turn);
        return job(AbortSignal.any([signal, over.signal])).finally(() => clearInterval(timer));
      };
      try {
        for (const turn of TURNS) {
          try {
            return await handshakes.run(origin, signal, () => begin(turn));
          } catch (error) {
            if (error !== TURN_OVER) throw error;
            advance(origin);
          }
        }
        return await slow.run(origin, signal, () => begin());
      } finally {
        clearTimeout(deadline);
        advance(origin);
      }
    },
  };
}

export type OriginLimits = ReturnType<typeof createOriginLimits>;

/** Whether the browser limits the origin's connections. */
export function isPlain(origin: string): boolean {
  return origin.startsWith('http:');
}
