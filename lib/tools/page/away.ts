import {
  clientHeight,
  clientWidth,
  elementAround,
  localName,
  offsetHeight,
  offsetWidth,
  scrollHeight,
  scrollLeft,
  scrollTop,
  scrollWidth,
} from './dom.ts';
import type { Kind } from './hidden.ts';
import { isClippedAway, isCut, isFlat, isFlatAlone } from './shapes.ts';

/** Pixels to the right that move out of sight: no page is so wide. */
const FAR_RIGHT = 20_000;

/** Outside of what can be scrolled to, or cut away. */
export function isAway(
  element: Element,
  { isShaped, isFar }: Pick<Kind, 'isShaped' | 'isFar'>,
  scrollers: Map<Element, Element | null>,
): boolean {
  const style = getComputedStyle(element);
  const box = isFar ? boxOfLetters(element) : Element.prototype.getBoundingClientRect.call(element);
  const { documentElement: root, defaultView: view } = element.ownerDocument;
  const [x, y] = style.position === 'fixed' || !view ? [0, 0] : [view.scrollX, view.scrollY];
  if (isBeyond(box, pageReach(root), x, y)) {
    const scroller = scrollerOf(element, scrollers);
    if (!scroller || isOutside(element, box, scroller)) return true;
  }
  if (box.left + x > FAR_RIGHT && !/^(?:relative|sticky)$/.test(style.position) && !isWithin(element, box))
    return scrollerOf(element, scrollers) === null;
  if (!isShaped) return false;
  return (
    (style.transform !== 'none' && isFlat(style.transform)) ||
    isFlatAlone(style.scale, style.rotate) ||
    (/^(?:absolute|fixed)$/.test(style.position) && isCut(style.clip)) ||
    (style.clipPath !== 'none' && isClippedAway(style.clipPath, sizeOf(element)))
  );
}

/** Whether what an element lies in reaches as far to the right, as a wide board does. */
function isWithin(element: Element, { left }: DOMRect): boolean {
  const parent = elementAround(element);
  return parent !== null && Element.prototype.getBoundingClientRect.call(parent).right > left;
}

function boxOfLetters(element: Element): DOMRect {
  const range = Document.prototype.createRange.call(element.ownerDocument);
  range.selectNodeContents(element);
  return range.getBoundingClientRect();
}

/** Before it is transformed, if that is known. */
const sizeOf = (element: Element): { width: number; height: number } =>
  'offsetWidth' in element
    ? { width: offsetWidth(element as HTMLElement), height: offsetHeight(element as HTMLElement) }
    : Element.prototype.getBoundingClientRect.call(element);

/** Whether an element lies where what scrolls can't bring it, with all that it holds: a track is moved for its slides. */
function isOutside(element: Element, box: DOMRect, scroller: Element): boolean {
  const { left, top } = Element.prototype.getBoundingClientRect.call(scroller);
  const { x, y } = zoomOf(scroller);
  const reach = reachOf(scroller);
  const [byX, byY] = [scrollLeft(scroller) * x - left, scrollTop(scroller) * y - top];
  return isBeyond(box, reach, byX, byY) && isBeyond(boxOfLetters(element), reach, byX, byY);
}

type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

/** @param x pixels from the window's beginning to that of what scrolls; so `y` */
function isBeyond({ left, right, top, bottom }: Box, reach: Box, x: number, y: number): boolean {
  if (right === left && bottom === top) return false;
  return (
    right + x <= reach.left || bottom + y <= reach.top || left + x >= reach.right || top + y >= reach.bottom
  );
}

/** What a page can be scrolled to: from right to left also what is left of its beginning. */
function pageReach(root: Element): Box {
  const { width, height, beyondX } = extentOf(root);
  const { direction, writingMode } = getComputedStyle(root);
  const left = direction === 'rtl' || writingMode === 'vertical-rl' ? -beyondX : 0;
  return { left, right: left + width, top: 0, bottom: height };
}

/** What scrolls within a page may begin at its end, or be turned over: it reaches as far either way. */
function reachOf(scroller: Element): Box {
  const { width, height, beyondX, beyondY } = extentOf(scroller);
  return { left: -beyondX, right: width + beyondX, top: -beyondY, bottom: height + beyondY };
}

/** Of all that is in what scrolls, in pixels of the window, and how much of it lies beyond what is shown at once. */
function extentOf(scroller: Element) {
  const { x, y } = zoomOf(scroller);
  const [width, height] = [scrollWidth(scroller) * x, scrollHeight(scroller) * y];
  return {
    width,
    height,
    beyondX: width - clientWidth(scroller) * x,
    beyondY: height - clientHeight(scroller) * y,
  };
}

/** Pixels of the window to one of its own. */
function zoomOf(element: Element): { x: number; y: number } {
  const { width, height } = Element.prototype.getBoundingClientRect.call(element);
  const size = sizeOf(element);
  return { x: width / size.width || 1, y: height / size.height || 1 };
}

/** What scrolls within the page, or cuts off, and holds the element; null where that is the page alone. */
function scrollerOf(element: Element, known: Map<Element, Element | null>): Element | null {
  const parent = elementAround(element);
  if (!parent || localName(parent) === 'html') return null;
  const before = known.get(parent);
  if (before !== undefined) return before;
  const found = isScroller(parent) ? parent : scrollerOf(parent, known);
  known.set(parent, found);
  return found;
}

function isScroller(element: Element): boolean {
  const { overflowX, overflowY, display } = getComputedStyle(element);
  if ((overflowX === 'visible' && overflowY === 'visible') || /^(?:inline|contents)$/.test(display))
    return false;
  // What a body says of it is the page's, unless its root says something itself.
  if (localName(element) !== 'body') return true;
  const root = getComputedStyle(element.ownerDocument.documentElement);
  return root.overflowX !== 'visible' || root.overflowY !== 'visible';
}
