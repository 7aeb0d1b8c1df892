import * as dom from '../dom/dom.ts';
import { holderAt, originOfFrame, pathOf } from '../dom/frames.ts';
import { describe } from '../dom/marks.ts';
import { elementOf } from '../dom/refs.ts';
import { nearNamed } from './done.ts';
import type { Point } from './events/fire-pointer.ts';
import { aimAt, elementAt } from './aim.ts';

/** A point of the frame at a path (`FrameReading.at`). */
type PointInFrame = Point & { at: string };

/** Whether this document reaches all that lie around it, and so looks for what covers it by itself. */
function reachesTop(): boolean {
  let at: Window = window;
  while (at !== window.top && at.frameElement) at = at.parent;
  return at === window.top;
}

/** Where an element would be pressed, in a frame that can't look at all that lies around it; null where it could not be. */
export function pointOfRef(ref: string): PointInFrame | null {
  const element = elementOf(ref);
  if (!element || reachesTop()) return null;
  const point = aimAt(element);
  return 'cover' in point ? null : { at: pathOf(window), ...point };
}

/** Of a frame that this document holds: what covers a point of it, or where that point is here. Null where that can't be said. */
export function aroundFrame({ at, x, y }: PointInFrame) {
  const holder = holderAt(at);
  if (!holder) return null;
  const { paddingLeft, paddingTop } = getComputedStyle(holder);
  const place = (): Point => {
    const { left, top, width } = Element.prototype.getBoundingClientRect.call(holder);
    const scale = width / holder.offsetWidth || 1;
    const inner = {
      x: holder.clientLeft + parseFloat(paddingLeft),
      y: holder.clientTop + parseFloat(paddingTop),
    };
    return { x: left + (inner.x + x) * scale, y: top + (inner.y + y) * scale };
  };
  const { y: before } = place();
  if (before < 0 || before > innerHeight) scrollBy({ top: before - innerHeight / 2, behavior: 'instant' });
  const point = place();
  const hit = elementAt(document, point);
  let around: Element | null = holder;
  while (around && around !== hit) around = dom.elementAround(around);
  return {
    ...originOfFrame(),
    cover: hit && !around ? describe(nearNamed(hit)) : undefined,
    point: { at: pathOf(window), ...point },
  };
}
