import type { FrameReading } from '../../types/page.ts';

/** What a reader has to know of what is not there. */
export const leftOut = (hidden: number): string =>
  `[Left out: ${hidden} ${hidden === 1 ? 'character' : 'characters'} that the page holds and does not show.]`;

export const drawnOnly = ({ rows, of }: FrameReading['drawn'][number]): string =>
  `[A list on the page has drawn ${rows} of ${of === -1 ? 'more' : of} rows; the others are not there to be read until the page is scrolled to them.]`;

/** Without frames that lie in a hidden one. */
export function seenFrames<T extends Pick<FrameReading, 'at' | 'unseen'>>(frames: T[]): T[] {
  const unseen = frames.flatMap((each) => each.unseen ?? []);
  return frames.filter(({ at = '' }) => !unseen.some((path) => at.startsWith(path)));
}
