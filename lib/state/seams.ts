import type { FileContent } from '../files/kind.ts';
import { ownWindow } from '../gestures.ts';
import type { TextStore } from './composer/kept-answers.ts';
import { readFile } from './read-file.ts';

/** What a test or the gallery may replace. */
export type PanelSeams = {
  nextFrame: (paint: () => void) => void;
  newId: () => string;
  now: () => string;
  /** What outlives the page; null: nothing does. */
  store: TextStore | null;
  /** The id of the browser window that the page is in. */
  ownWindow: () => Promise<number>;
  later: (task: () => void, ms: number) => void;
  /** What a model can read of a file (lib/reader). @throws AppError; whatever `signal` is aborted with */
  readFile: (file: File, signal: AbortSignal) => Promise<FileContent>;
};

/**
 * What streams in is drawn at most so often: a frame costs nearly the same however little is new in it, and more often is
 * not readable. What comes after a pause is drawn in the next frame.
 */
const APART_MS = 50;

/** So many times as long as the last one took: what comes faster than it can be read leaves the page to its reader. */
const REST = 5;

/** Asks for frames to draw in, which are some time apart. @param now milliseconds of any clock */
export function createFrames(
  nextFrame: (paint: () => void) => void,
  now: () => number,
  later: (task: () => void, ms: number) => void,
): (paint: () => void) => void {
  let next = Number.NEGATIVE_INFINITY;
  return (paint) => {
    const drawn = (): void => {
      const begin = now();
      paint();
      next = begin + Math.max(APART_MS, REST * (now() - begin));
    };
    const wait = next - now();
    if (wait > 0) later(() => nextFrame(drawn), wait);
    else nextFrame(drawn);
  };
}

export const realSeams: PanelSeams = {
  ownWindow,
  nextFrame: createFrames(
    (paint) => requestAnimationFrame(paint),
    () => performance.now(),
    (task, ms) => setTimeout(task, ms),
  ),
  newId: () => crypto.randomUUID(),
  now: () => new Date().toISOString(),
  store: typeof localStorage === 'undefined' ? null : localStorage,
  later: (task, ms) => void setTimeout(task, ms),
  readFile,
};
