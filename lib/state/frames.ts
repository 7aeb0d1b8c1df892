/**
 * What streams in is drawn at most so often: a frame costs nearly the same however little is new in it, and nobody reads
 * faster. What comes after a pause is drawn in the next frame.
 */
const APART_MS = 50;

/** Asks for frames to draw in, which are some time apart. @param now milliseconds of any clock */
export function createFrames(
  nextFrame: (paint: () => void) => void,
  now: () => number,
  later: (task: () => void, ms: number) => void,
): (paint: () => void) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (paint) => {
    const drawn = (): void => {
      last = now();
      paint();
    };
    const wait = last + APART_MS - now();
    if (wait > 0) later(() => nextFrame(drawn), wait);
    else nextFrame(drawn);
  };
}
