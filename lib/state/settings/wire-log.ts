import type { WireEntry } from '../../types/wire-log.ts';

/** Lines of one server that a page keeps, as many as the worker does. */
const MOST = 200;

const isSame = (one: WireEntry, other: WireEntry): boolean => one.seq === other.seq && one.at === other.at;

/** The log with one more line; one that is there already changes nothing. */
export function withEntry(log: WireEntry[], entry: WireEntry): WireEntry[] {
  return log.some((line) => isSame(line, entry)) ? log : [...log, entry].slice(-MOST);
}

/**
 * Whether the line goes on where the log ends. If not, the worker began anew, or lines came without a
 * subscription: the log has to be read again.
 */
export function follows(log: WireEntry[], entry: WireEntry): boolean {
  const last = log.at(-1);
  return last === undefined || entry.seq === last.seq + 1 || log.some((line) => isSame(line, entry));
}

/** Passes on the latest of what comes in quick succession, once a frame: a chatty server must not hold up the page. */
export function oncePerFrame<T>(
  show: (latest: T) => void,
  nextFrame: (paint: () => void) => void,
): (value: T) => void {
  let waiting: { latest: T } | null = null;
  return (value) => {
    if (waiting) {
      waiting.latest = value;
      return;
    }
    const shown = (waiting = { latest: value });
    nextFrame(() => {
      waiting = null;
      show(shown.latest);
    });
  };
}

export type LogFilter = { show: 'all' | 'errors'; text: string };

const GRAVE = new Set(['error', 'critical', 'alert', 'emergency']);

/** True for what went wrong: an error, or what the server logged as one. */
export const isFault = ({ isError, level }: WireEntry): boolean =>
  isError === true || (level !== undefined && GRAVE.has(level));

/** The lines whose message, id or content holds the text. */
export function filterLog(log: WireEntry[], { show, text }: LogFilter): WireEntry[] {
  const wanted = text.trim().toLowerCase();
  const holds = (part = ''): boolean => wanted === '' || part.toLowerCase().includes(wanted);
  return log.filter(
    (entry) =>
      (show === 'all' || isFault(entry)) && (holds(entry.summary) || holds(entry.id) || holds(entry.body)),
  );
}

/** The log as text to be handed on: a line each, and under it what was said. */
export function logText(log: WireEntry[]): string {
  return log
    .map(({ at, kind, id, summary, tookMs, body }) => {
      const head = [at, kind, id && `#${id}`, summary, tookMs !== undefined && `${Math.round(tookMs)} ms`];
      return [head.filter(Boolean).join(' '), body].filter(Boolean).join('\n');
    })
    .join('\n');
}
