import { inTurns, withPatience } from './handshakes.ts';
import type { Handshake } from './handshakes.ts';
import { createCallQueue } from './queue.ts';
import type { CallQueue } from './queue.ts';

/** Browsers open no more HTTP/1.1 connections than this to one origin; what is beyond waits without a word. */
const SOCKETS = 6;
/** One is kept for answers and cancels. */
const KEPT = 1;
export const MOST_CALLS = 4;
/** Servers that hang while they are connected must not take the connections of those that work. */
const MOST_HANDSHAKES = 2;
/** Handshakes that take longer, and streams, leave a connection to another handshake, one to a call, one to its cancel. */
const MOST_SLOW = SOCKETS - KEPT - 2;
/** The streams that servers can do without get no more than this, or there would be none left for calls. */
const MOST_OPTIONAL = 2;
/** `https:` servers mostly speak HTTP/2, where streams are cheap. */
const CALLS_OVER_HTTPS = 16;

/** What streams, calls and handshakes leave of an origin's connections to each other. */
export type Sockets = {
  /** A stream stays open until the returned function is called. */
  opened(origin: string): () => void;
  /** Whether a stream may be opened; `isOptional`: the server can be used without it. */
  hasRoom(origin: string, isOptional: boolean): boolean;
  /** The place of a stream that was lost and will be opened again: while it is kept, only `own` finds it free. */
  keep(origin: string): { own: Sockets; release: () => void };
  calls: CallQueue;
  /**
   * Each with one request open at a time. One may always run, or calls that take long would keep servers away. One that
   * takes longer than its turn leaves its place to the next; where there is no connection to go on with beside that,
   * `job` is aborted when another waits, and runs anew: in a longer turn once the others had theirs, then as soon as there
   * is one. It calls `heard` at every answer: then it may stay for a few turns. `onSilent` is called when nobody has to
   * wait for it any longer, maybe more than once: it takes 5 s in a row, or was not answered in either of its turns.
   * @throws signal.reason when aborted; else whatever `job` throws
   */
  handshake<T>(origin: string, signal: AbortSignal, job: Handshake<T>, onSilent?: () => void): Promise<T>;
};

export function createSockets(): Sockets {
  const [streams, kept] = [createCount(), createCount()];
  const count = streams.of;
  const room = (origin: string, taken: number, most: number): number =>
    Math.min(Math.max(SOCKETS - KEPT - count(origin) - taken, 1), most);
  const calls: CallQueue = createCallQueue((origin) =>
    isPlain(origin)
      ? room(origin, handshakes.running(origin) + slow.running(origin), MOST_CALLS)
      : CALLS_OVER_HTTPS,
  );
  const handshakes: CallQueue = createCallQueue((origin) =>
    Math.max(room(origin, calls.running(origin), MOST_HANDSHAKES) - slow.running(origin), 1),
  );
  const slow: CallQueue = createCallQueue((origin) => Math.max(MOST_SLOW - count(origin), 1));
  const hasSpare = (origin: string): boolean =>
    count(origin) < Math.min(MOST_OPTIONAL, MOST_SLOW - slow.running(origin));
  const ended = (origin: string): void => {
    handshakes.advance(origin);
    calls.advance(origin);
  };
  const hasPlace = (origin: string, others = 0): boolean => count(origin) + others < SOCKETS - KEPT;
  const sockets: Sockets = {
    opened(origin) {
      const closed = streams.add(origin);
      return () => {
        closed();
        calls.advance(origin);
      };
    },
    hasRoom: (origin, isOptional) =>
      !isPlain(origin) || (isOptional ? hasSpare(origin) : hasPlace(origin, kept.of(origin))),
    keep(origin) {
      const hasRoom: Sockets['hasRoom'] = (at, isOptional) =>
        sockets.hasRoom(at, isOptional) || (!isOptional && hasPlace(at));
      return { own: { ...sockets, hasRoom }, release: kept.add(origin) };
    },
    calls,
    handshake: (origin, signal, job, onSilent = () => undefined) =>
      isPlain(origin)
        ? inTurns({ handshakes, slow, ended }, origin, signal, withPatience(job, onSilent), onSilent)
        : withPatience(job, onSilent)(signal, () => undefined),
  };
  return sockets;
}

/** How many there are of each origin; each counts until the function that its addition returned is called. */
function createCount() {
  const counts = new Map<string, number>();
  const of = (origin: string): number => counts.get(origin) ?? 0;
  return {
    of,
    add(origin: string): () => void {
      counts.set(origin, of(origin) + 1);
      let isIn = true;
      return () => {
        if (isIn) counts.set(origin, of(origin) - 1);
        isIn = false;
      };
    },
  };
}

/** Whether the origin's connections are few. */
export function isPlain(origin: string): boolean {
  return origin.startsWith('http:');
}
