import { boxesOf, pictureOf } from '../dom/areas.ts';
import * as dom from '../dom/dom.ts';
import { requireAsked } from '../dom/effects.ts';
import { createLook } from '../dom/visibility/hidden.ts';
import { nameOf } from '../dom/names.ts';
import { roleOf } from '../dom/roles.ts';
import { holdKeys } from './events/key-events.ts';
import { fire, held, moveOnto, type Point } from './events/pointer-events.ts';
import { tellFocus } from '../dom/told-focus.ts';
import { isSight } from './sight.ts';
import { servedFrame } from './served-frames.ts';
import { nextTask } from './stopping.ts';

/** How an element is pressed. `modifiers`: keys that are held meanwhile. */
export type Press = {
  button: 'left' | 'middle' | 'right';
  count: number;
  modifiers?: ('Control' | 'Shift' | 'Alt' | 'Meta')[];
};

/** Milliseconds for which a frame is waited for: hidden windows draw none. */
const FRAME_MS = 50;
/** What does something of its own at a press. */
export const CONTROLS =
  'a[href], button, input, select, textarea, summary, label, [role="button"], [role="link"]';
const BUTTONS = { left: 0, middle: 1, right: 2 } as const;

/** Resolves after the page was drawn once more, or did what it waits for that with: some do only then what a key asks for. @throws Stopped */
export async function nextFrame(): Promise<void> {
  if (document.hidden) await servedFrame();
  else
    await new Promise<void>((resolve) => {
      requestAnimationFrame(() => resolve());
      setTimeout(resolve, FRAME_MS);
    });
  await nextTask();
}

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
      const hit = hitAt(element.ownerDocument, point);
      if (hit && isWithin(hit, element) && isFrameClear(element, point)) return point;
      cover ??= hit;
    }
  return { cover };
}

/** The innermost element at a point, in shadow trees too. */
function hitAt(document: Document, { x, y }: Point): Element | null {
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

/** Whether nothing of the pages around it covers its frame there; of what another site's holds frame-cover.ts asks. */
function isFrameClear({ ownerDocument }: Element, { x, y }: Point): boolean {
  try {
    const frame = ownerDocument.defaultView?.frameElement;
    if (!frame) return true;
    const { left, top } = Element.prototype.getBoundingClientRect.call(frame);
    const point = { x: x + left + frame.clientLeft, y: y + top + frame.clientTop };
    return hitAt(frame.ownerDocument, point) === frame && isFrameClear(frame, point);
  } catch {
    return true;
  }
}

/** Moves the pointer onto what of an element is at the point. */
export const hover = (element: Element, point: Point): void => moveOnto(innermostAt(element, point), point);

/**
 * Presses an element, with the events of a press in a browser's order (https://w3c.github.io/pointerevents/#mapping-for-devices-that-support-hover).
 * @param renewed what stands in its place, should the page replace it meanwhile
 * @returns the element that got the press; null when it was gone before
 * @throws NotAskedAbout, Stopped
 */
export async function press(
  element: Element,
  point: Point,
  { button: name, count, modifiers = [] }: Press,
  renewed: (point: Point) => Element | undefined,
): Promise<Element | null> {
  const button = BUTTONS[name];
  const buttons = [1, 4, 2][button] ?? 1;
  const keys = held(modifiers);
  let target: Element | undefined = innermostAt(element, point);
  requireAsked(target);
  const { ownerDocument: document } = element;
  const release = holdKeys(modifiers, () => dom.focused(document) ?? element);
  try {
    moveOnto(target, point, keys);
    if (!isThere(target)) target = renewed(point);
    if (!target) return null;
    for (let detail = 1; detail <= count; detail += 1) {
      const at = { ...point, button, detail, ...keys };
      // A press whose pointer event is cancelled has no mouse events, but its click.
      const isMouse = fire(target, 'pointerdown', { ...at, detail: 0, buttons });
      if (isMouse && fire(target, 'mousedown', { ...at, buttons })) focusNear(target);
      if (button === BUTTONS.right) fire(target, 'contextmenu', { ...at, detail: 0, buttons });
      await nextTask();
      if (!target.isConnected) target = renewed(point);
      if (!target) return null;
      fire(target, 'pointerup', { ...at, detail: 0 });
      if (isMouse) fire(target, 'mouseup', at);
      await nextTask();
      if (!target.isConnected) target = renewed(point);
      if (!target) return null;
      requireAsked(target); // the page may have made another of it meanwhile
      fire(target, button === BUTTONS.left ? 'click' : 'auxclick', at);
      if (detail === 2 && button === BUTTONS.left && target.isConnected) fire(target, 'dblclick', at);
    }
    return target;
  } finally {
    release();
  }
}

/** Whether it is still drawn: some go when the pointer leaves what it was on. */
const isThere = (element: Element): boolean => element.isConnected && boxesOf(element).length > 0;

/**
 * What of an element a press at the point reaches: a page may listen to that alone. The element itself where that is a control
 * of another name, or its label.
 */
export function innermostAt(element: Element, point: Point): Element {
  const hit = hitAt(element.ownerDocument, point);
  const look = createLook(element.ownerDocument);
  const called = (each: Element): string => nameOf(look, each, roleOf(each) || 'generic');
  for (let at = hit; at; at = dom.elementAround(at)) {
    if (at === element) return hit ?? element;
    if (Element.prototype.matches.call(at, CONTROLS) && called(at) !== called(element)) return element;
  }
  return element;
}

export const elementAt = (document: Document, point: Point): Element | null => hitAt(document, point);

/** Puts the focus where a press puts it: on the nearest that can have it. */
export function focusNear(element: Element): void {
  for (let at: Element | null = element; at; at = dom.elementAround(at)) {
    if (at instanceof HTMLLabelElement) return; // its click does
    if (focusOn(at)) return;
  }
  const had = dom.activeElement(element.ownerDocument);
  if (had instanceof HTMLElement) had.blur();
  tellFocus();
}

/** Gives an element the focus within its page. */
export function focusOn(element: Element): boolean {
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return false;
  if (dom.focused(element.ownerDocument) !== element) element.focus({ preventScroll: true });
  tellFocus(element);
  return (element.getRootNode() as Document | ShadowRoot).activeElement === element;
}
