import {
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
  if (isOutside(box, root, x, y)) {
    const scroller = scrollerOf(element, scrollers);
    if (!scroller) return true;
    const { left, top } = Element.prototype.getBoundingClientRect.call(scroller);
    if (isOutside(box, scroller, scrollLeft(scroller) - left, scrollTop(scroller) - top)) return true;
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

/** Whether a box, moved by `x` and `y`, lies where what scrolls can't bring it. */
function isOutside({ left, right, top, bottom }: DOMRect, scroller: Element, x: number, y: number): boolean {
  if (right === left && bottom === top) return false;
  // From right to left it scrolls to what is left of its beginning.
  const width = scrollWidth(scroller);
  const first = getComputedStyle(scroller).direction === 'rtl' ? clientWidth(scroller) - width : 0;
  return (
    right + x <= first || bottom + y <= 0 || left + x >= first + width || top + y >= scrollHeight(scroller)
  );
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
