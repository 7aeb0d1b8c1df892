import { GUARD_MS } from '../../ui/keys/decisions.ts';

/** Where apps were, in what, and since when they are not. */
type Room = { was: DOMRect; log: Element | null; since: number };
let rooms: Room[] = [];

const isNew = ({ since }: Room): boolean => performance.now() - since < GUARD_MS;

const drop = (event: MouseEvent): void => {
  const { clientX: x, clientY: y } = event;
  const target = event.target as Element;
  const room = rooms
    .filter(isNew)
    .filter(({ was }) => x >= was.left && x <= was.right && y >= was.top && y <= was.bottom)
    // What scrolls under the edge of the log was not seen there.
    .find(({ log }) => log?.contains(target) ?? true);
  // An app's head is Portside's.
  if (!room || target.closest('.app-head')) return;
  room.since = performance.now(); // of many in a row none counts
  event.preventDefault();
  event.stopImmediatePropagation();
};

/**
 * Drops the presses of the next moment where an app was that has just given room: one that was meant for it, such as the second of
 * two, would land on what is there now, a link or an approval, whose own guard need not see that anything moved.
 */
export function appGaveRoom(place: Element, was = place.getBoundingClientRect()): void {
  const log = place.closest('.app[data-mode="fullscreen"]') ? null : place.closest('.log');
  rooms = [...rooms.filter(isNew), { was, log, since: performance.now() }];
  // The same listener each time: the browser keeps one of them.
  for (const type of ['click', 'auxclick'] as const) addEventListener(type, drop, true);
}
