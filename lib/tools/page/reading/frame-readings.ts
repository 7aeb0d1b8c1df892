import type { FrameReading } from '../../../types/page.ts';

/** A page may be full of advertisements. */
const MOST_NAMED = 10;

/** What a reader has to know of what is not there. */
export const leftOut = (hidden: number): string =>
  `[Left out: ${hidden} ${hidden === 1 ? 'character' : 'characters'} that the page holds and does not show.]`;

export const drawnOnly = ({ rows, of }: FrameReading['drawn'][number]): string =>
  `[A list on the page has drawn ${rows} of ${of === -1 ? 'more' : of} rows; the others are not there to be read until the page is scrolled to them.]`;

/** Without frames that lie in a hidden one. */
export function seenFrames<T extends Placed>(frames: T[]): T[] {
  const unseen = frames.flatMap((each) => each.unseen ?? []);
  return withOrigins(frames).filter(({ at = '' }) => !unseen.some((path) => at.startsWith(path)));
}

type Placed = Pick<FrameReading, 'at' | 'unseen' | 'origin'>;

/** What has no origin of its own is the tab's document's, which may be another site's by now. */
function withOrigins<T extends Placed>(frames: T[]): T[] {
  const { origin } = frames.find(({ at }) => at === '') ?? {};
  return origin === undefined ? frames : frames.map((frame) => ({ origin, ...frame }));
}

/**
 * Without what is in frames of other sites than those: the page that holds them may be the attacker, who frames a site where
 * the user is logged in to have it read with the page, of which alone the user was asked. So this holds for the first read of
 * a chat, too: what the page's own text has the model do comes after the same call.
 * @param origins the page's own, and those that the chat has read; undefined for all, as what the user attaches by hand
 */
export const readFrames = <T extends FrameReading>(
  frames: T[],
  origins: string[] | undefined,
): FrameReading[] =>
  withOrigins(frames).map((frame) => (isReadable(frame, origins) ? frame : withoutWords(frame)));

/** Whether a call that may read of these origins may read a frame. */
export const isReadable = (
  { origin }: Pick<FrameReading, 'origin'>,
  origins: string[] | undefined,
): boolean => origins === undefined || origin === undefined || origins.includes(origin);

/** Its address may hold what only its site and the user know. */
function withoutWords(frame: FrameReading): FrameReading {
  const { origin = '' } = frame;
  const none = { title: '', html: '', hidden: 0, isCut: false, frames: [], drawn: [] };
  return { ...frame, ...none, url: origin, base: origin, isLeftOut: true };
}

/** What stands for frames that were left out. @param addresses as the page has them, else their origins */
export function framesLeftOut(addresses: string[]): string {
  const each = [...new Set(addresses)].filter((address) => address !== 'null');
  const named = each.length > 0 ? `: ${each.slice(0, MOST_NAMED).join(', ')}` : '';
  const more = each.length > MOST_NAMED ? ` and ${each.length - MOST_NAMED} more` : '';
  return `[Left out: frames of sites that this chat has not read${named}${more}. One that is needed can be opened in a tab with open_tab, and read there.]`;
}
