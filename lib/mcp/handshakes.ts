import { sleep } from './clock.ts';
import type { CallQueue } from './queue.ts';

/** `heard` is to be called at every answer of the server. */
export type Handshake<T> = (signal: AbortSignal, heard: () => void) => Promise<T>;

/** So long, in milliseconds, a handshake's turns may take while others wait. What works mostly needs less than the first. */
const TURNS = [200, 500];
/** So many turns in a row a handshake gets in which the server does answer. */
const MOST_IN_A_ROW = 5;
/** Nobody has to wait longer, in milliseconds, for a server that is asked. */
export const PATIENCE_MS = 5_000;

const TURN_OVER = new Error('Others wait.');

/** Those of an origin that take turns; those that go on beside them; called when one has left either. */
type Queues = { handshakes: CallQueue; slow: CallQueue; ended: (origin: string) => void };

/** The same, with word of it when it takes longer than anybody has to wait. */
export function withPatience<T>(job: Handshake<T>, onSilent: () => void): Handshake<T> {
  return (signal, heard) => {
    const timer = setTimeout(onSilent, PATIENCE_MS);
    return job(signal, heard).finally(() => clearTimeout(timer));
  };
}

/** Runs a handshake where connections are few (`Sockets.handshake`). */
export async function inTurns<T>(
  { handshakes, slow, ended }: Queues,
  origin: string,
  signal: AbortSignal,
  job: Handshake<T>,
  onSilent: () => void,
): Promise<T> {
  const goOn = (next: () => Promise<T>): Promise<T> =>
    slow.run(origin, signal, next).finally(() => ended(origin));
  /** Resolves, when its place is free again, with what goes on or has ended; with nothing if it made way. */
  const begin = async (time: number, isLast: boolean): Promise<{ running: Promise<T> } | undefined> => {
    const turn = new AbortController();
    let isHeard = false;
    const running = job(AbortSignal.any([signal, turn.signal]), () => (isHeard = true));
    for (let turns = 1; ; turns++) {
      isHeard = false;
      if (await endsIn(time, running, signal)) return { running };
      if (slow.hasRoom(origin)) return { running: goOn(() => running) };
      if (isLast && !isHeard) onSilent();
      const mayStay = isHeard && turns < MOST_IN_A_ROW;
      if (!mayStay && handshakes.isWaitedFor(origin)) break;
    }
    turn.abort(TURN_OVER);
    // It may have ended at this moment.
    return running.then(
      () => ({ running }),
      (error: unknown) => (error === TURN_OVER ? undefined : { running }),
    );
  };
  for (const time of TURNS) {
    const turn = () => begin(time, time === TURNS.at(-1));
    const begun = await handshakes.run(origin, signal, turn).finally(() => ended(origin));
    if (begun) return begun.running;
  }
  onSilent();
  return goOn(() => job(signal, () => undefined));
}

/** Whether it ends, in whatever way, within so many milliseconds. */
async function endsIn(time: number, running: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  const over = new AbortController();
  const late = sleep(time, AbortSignal.any([signal, over.signal])).then(
    () => false,
    () => true,
  );
  const ended = Promise.allSettled([running]).then(() => true);
  return Promise.race([ended, late]).finally(() => over.abort());
}
