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
