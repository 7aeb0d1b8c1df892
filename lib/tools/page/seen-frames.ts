import type { FrameReading } from '../../types/page.ts';

/** Without frames that lie in one that nobody sees. */
export function seenFrames<T extends Pick<FrameReading, 'at' | 'unseen'>>(frames: T[]): T[] {
  const unseen = frames.flatMap((each) => each.unseen ?? []);
  return frames.filter(({ at = '' }) => !unseen.some((path) => at.startsWith(path)));
}
