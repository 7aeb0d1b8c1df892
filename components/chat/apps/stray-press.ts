import { GUARD_MS } from '../../ui/keys/decisions.ts';

/** Where an app was, in what, and since when it is not. */
let room: { was: DOMRect; log: Element | null; since: number } | undefined;

const drop = (event: MouseEvent): void => {
  if (!room || performance.now() - room.since >= GUARD_MS) return;
  const { was, log } = room;
  const { clientX: x, clientY: y } = event;
  if (x < was.left || x > was.right || y < was.top || y > was.bottom) return;
  const target = event.target as Element;
  // Its head is Portside's, and what scrolls under the edge of the log was not seen there.
  if (target.closest('.app-head') || (log && !log.contains(target))) return;
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
  room = { was, log, since: performance.now() };
  // The same listener each time: the browser keeps one of them.
  for (const type of ['click', 'auxclick'] as const) addEventListener(type, drop, true);
}
