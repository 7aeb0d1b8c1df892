import { createCallQueue } from './queue.ts';
import type { CallQueue } from './queue.ts';

/** Browsers open no more HTTP/1.1 connections than this to one origin; what is beyond waits without a word. */
const SOCKETS = 6;
/** One is kept for answers and cancels. */
const KEPT = 1;
export const MOST_CALLS = 4;
/** Servers that hang while they are connected must not take the connections of those that work. */
const MOST_HANDSHAKES = 2;
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
  calls: CallQueue;
  /** Each with one request open at a time. One may always run, or calls that take long would keep servers away. */
  handshake: CallQueue['run'];
};

export function createSockets(): Sockets {
  const streams = new Map<string, number>();
  const count = (origin: string): number => streams.get(origin) ?? 0;
  const room = (origin: string, taken: number, most: number): number =>
    Math.min(Math.max(SOCKETS - KEPT - count(origin) - taken, 1), most);
  const calls: CallQueue = createCallQueue((origin) =>
    isPlain(origin) ? room(origin, handshakes.running(origin), MOST_CALLS) : CALLS_OVER_HTTPS,
  );
  const handshakes: CallQueue = createCallQueue((origin) =>
    isPlain(origin) ? room(origin, calls.running(origin), MOST_HANDSHAKES) : Infinity,
  );
  return {
    opened(origin) {
      streams.set(origin, count(origin) + 1);
      let isOpen = true;
      return () => {
        if (isOpen) streams.set(origin, count(origin) - 1);
        isOpen = false;
        calls.advance(origin);
      };
    },
    hasRoom: (origin, isOptional) =>
      !isPlain(origin) || count(origin) < (isOptional ? MOST_OPTIONAL : SOCKETS - KEPT),
    calls,
    handshake: (origin, signal, job) =>
      handshakes.run(origin, signal, job).finally(() => calls.advance(origin)),
  };
}

/** Whether the origin's connections are few. */
export function isPlain(origin: string): boolean {
  return origin.startsWith('http:');
}
