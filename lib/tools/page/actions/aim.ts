import { boxesOf, pictureOf } from '../dom/areas.ts';
import * as dom from '../dom/dom.ts';
import { isLabelAway } from '../dom/effects.ts';
import { nameOf } from '../dom/names.ts';
import { roleOf } from '../dom/roles.ts';
import { createLook } from '../dom/visibility/hidden.ts';
import type { Point } from './events/fire-pointer.ts';
import { isSight } from './sight.ts';

/** What leads elsewhere at a press: in a drawing also by an address in a namespace, in Firefox any part of a formula. */
const LINKS = ':is(a, math, math *)[*|href]';
/** What does something of its own at a press. */
export const CONTROLS = `${LINKS}, button, input, select, textarea, summary, label, [role="button"], [role="link"]`;

/**
 * A point at which a press reaches the element, scrolled into view if it has to be.
 * @returns what lies above it instead, `null` where nothing of it can be pressed
 */
export function aimAt(element: Element): Point | { cover: Element | null } {
  let point = pointOn(element);
  if (!('cover' in point)) return point;
  for (const block of ['nearest', 'center'] as const) {
    Element.prototype.scrollIntoView.call(pictureOf(element) ?? element, {
      block,
      inline: 'nearest',
      behavior: 'instant',
    });
    point = pointOn(element);
    if (!('cover' in point)) return point;
  }
  return point;
}

/** The same without scrolling. */
export function pointOn(element: Element): Point | { cover: Element | null } {
  let cover: Element | null = null;
  const boxes = boxesOf(element).filter(({ width, height }) => width > 0 && height > 0);
  for (const { left, top, width, height } of boxes.slice(0, 3))
    for (const [across, down] of [
      [0.5, 0.5],
      [0.25, 0.5],
      [0.75, 0.5],
      [0.5, 0.2],
      [0.5, 0.8],
    ] as const) {
      const point = { x: left + width * across, y: top + height * down };
      const hit = elementAt(element.ownerDocument, point);
      if (hit && isWithin(hit, element) && isFrameClear(element, point)) return point;
      cover ??= hit;
    }
  return { cover };
}

/** The innermost element at a point, in shadow trees too. */
export function elementAt(document: Document, { x, y }: Point): Element | null {
  let hit: Element | null =
    Document.prototype.elementsFromPoint.call(document, x, y).find((each) => !isSight(each)) ?? null;
  for (;;) {
    const inner = hit && dom.shadowRoot(hit)?.elementFromPoint(x, y);
    if (!inner || inner === hit) return hit;
    hit = inner;
  }
}

/** Whether a press on `hit` is one on the element: it lies in it, or is its label. */
function isWithin(hit: Element, element: Element): boolean {
  const root = element.getRootNode();
  if (root instanceof ShadowRoot && root.host === hit) return true;
  if (hit === pictureOf(element)) return true;
  for (let at: Element | null = hit; at; at = dom.elementAround(at))
    if (at === element || (at instanceof HTMLLabelElement && at.control === element)) return true;
  return false;
}

/** Whether it is pressed for its control: a stranger's label that has a link in it is named like that alone. */
const isLabelled = (element: Element): boolean =>
  element instanceof HTMLLabelElement && element.control !== null;

/** Whether nothing of the pages around it covers its frame there; of what another site's holds frame-cover.ts asks. */
function isFrameClear({ ownerDocument }: Element, { x, y }: Point): boolean {
  try {
    const frame = ownerDocument.defaultView?.frameElement;
    if (!frame) return true;
    const { left, top } = Element.prototype.getBoundingClientRect.call(frame);
    const point = { x: x + left + frame.clientLeft, y: y + top + frame.clientTop };
    return elementAt(frame.ownerDocument, point) === frame && isFrameClear(frame, point);
  } catch {
    return true;
  }
}

/**
 * What of an element a press at the point reaches: a page may listen to that alone. The element itself where that is a control
 * of another name, a link without one or in a box's label, or a label of what lies elsewhere.
 */
export function innermostAt(element: Element, point: Point): Element {
  const hit = elementAt(element.ownerDocument, point);
  const look = createLook(element.ownerDocument);
  const called = (each: Element): string => nameOf(look, each, roleOf(each) || 'generic');
  for (let at = hit; at; at = dom.elementAround(at)) {
    if (at === element) return hit ?? element;
    if (!Element.prototype.matches.call(at, CONTROLS)) continue;
    const isLink = Element.prototype.matches.call(at, LINKS);
    const isOther = isLink && (called(at) === '' || isLabelled(element));
    if (isOther || isLabelAway(at, element) || called(at) !== called(element)) return element;
  }
  return element;
}
