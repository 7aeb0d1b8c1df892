/** Browsers open no more HTTP/1.1 connections than this to one origin; what is beyond waits without a word. */
const SOCKETS = 6;
/** One is kept for answers and cancels. */
const KEPT = 1;
const MOST_CALLS = 4;
/** The streams that servers can do without get no more than this, or there would be none left for calls. */
const MOST_OPTIONAL = 2;
/** `https:` servers mostly speak HTTP/2, where streams are cheap. */
const CALLS_OVER_HTTPS = 16;

/** What streams and calls leave of an origin's connections to each other. */
export type Sockets = {
  /** A stream stays open until the returned function is called. */
  opened(origin: string): () => void;
  /** Whether a stream may be opened; `isOptional`: the server can be used without it. */
  hasRoom(origin: string, isOptional: boolean): boolean;
  /** How many calls may be in flight. */
  calls(origin: string): number;
};

export function createSockets(): Sockets {
  const streams = new Map<string, number>();
  const count = (origin: string): number => streams.get(origin) ?? 0;
  const isPlain = (origin: string): boolean => origin.startsWith('http:');
  return {
    opened(origin) {
      streams.set(origin, count(origin) + 1);
      let isOpen = true;
      return () => {
        if (isOpen) streams.set(origin, count(origin) - 1);
        isOpen = false;
      };
    },
    hasRoom: (origin, isOptional) =>
      !isPlain(origin) || count(origin) < (isOptional ? MOST_OPTIONAL : SOCKETS - KEPT),
    calls: (origin) =>
      isPlain(origin) ? Math.min(Math.max(SOCKETS - KEPT - count(origin), 1), MOST_CALLS) : CALLS_OVER_HTTPS,
  };
}
