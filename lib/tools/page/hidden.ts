import { createBackdrops } from './backdrop.ts';
import { FAINTEST, isFaint, isLost } from './colours.ts';
import {
  attribute,
  clientWidth,
  elementAround,
  localName,
  nodeType,
  parentNode,
  scrollHeight,
  scrollLeft,
  scrollTop,
  scrollWidth,
} from './dom.ts';
import { isClippedAway, isCut, isFlat, isFlatAlone, isMaskedAway } from './shapes.ts';
import { singledOut } from './singled-out.ts';

/** What of an element is seen: all of it, none, or only what in it says otherwise (`own`: its own text is not). */
type Seen = 'all' | 'none' | 'not_own';

/** What text stands on, as a colour of CSS; null where it is not known. */
export type Ground = string | null;

/** Pixels; nobody reads smaller letters. */
const SMALLEST_FONT = 3;
/** Pixels that move text out of sight, and those to the right: no page is so wide. */
const FAR = -500;
const FAR_RIGHT = 20_000;
/** Pixels; nothing shows in a box of that size. */
const SMALLEST_BOX = 2;
/** Of 1; what is shrunk further nobody reads. */
const SMALLEST_ZOOM = 0.1;

const TRANSPARENT = 'rgba(0, 0, 0, 0)';

/** What holds for every element of one name with the same attributes in the same place. */
export type Kind = {
  /** Those of its children, by names and attributes. */
  kinds: Map<string, Kind>;
  ground: Ground;
  display: string;
  isPlaced: boolean;
  /** Transformed or cut to a shape. */
  isShaped: boolean;
  isClipping: boolean;
  isInkSeen: boolean;
  seen: Seen;
  /** Elements of this kind, and what is in them, are looked at one by one. */
  isEach: boolean;
};

/** The inside of a frame: what its document stands on is not known. */
export const elsewhere = (): Kind => ({
  kinds: new Map(),
  ground: null,
  display: 'block',
  isPlaced: false,
  isShaped: false,
  isClipping: false,
  isInkSeen: true,
  seen: 'all',
  isEach: true,
});

export type Look = { seen: Seen; kind: Kind };

/** Of elements that are looked at one by one these have their ink looked at too: that takes longest. */
const BLOCK: ReadonlySet<string> = new Set(
  'p li td th dd dt h1 h2 h3 h4 h5 h6 div section article blockquote pre main'.split(' '),
);

/**
 * What of elements a person can see, by their styles, in one walk through a document; what other elements cover is not
 * found. Each look at a style takes microseconds, so elements of a kind are looked at once,
 * unless a rule of the page's could tell one of them apart.
 * @param canvas what the document stands on
 */
export function createLook(
  document: Document,
  canvas: Ground,
): (element: Element, name: string, parent: Kind | null) => Look {
  const roots = new Map<string, Kind>();
  const isSingled = singledOut(document);
  const mayStandOnOther = createBackdrops();
  const scrollers = new Map<Element, Element | null>();
  const isInkSeen = (element: Element, style: CSSStyleDeclaration, ground: Ground): boolean =>
    Number.parseFloat(style.fontSize) >= SMALLEST_FONT &&
    (!isInkGone(style, ground) || mayStandOnOther(element));
  return (element, name, parent) => {
    const isEach = parent?.isEach || isSingled(element);
    const kinds = parent ? parent.kinds : roots;
    const isBare = !isEach && !Element.prototype.hasAttributes.call(element);
    const key = isBare ? name : name + (isEach ? '!' : ' ') + attributesOf(element);
    const known = kinds.get(key);
    const kind = known ?? kindOf(element, { under: parent ? parent.ground : canvas, isEach, isInkSeen });
    if (!known) kinds.set(key, kind);
    const seen = isEach && known ? isBoxSeen(element, kind.display) : kind.seen;
    if (seen !== 'all') return { seen, kind };
    if (kind.isPlaced && isAway(element, kind, scrollers)) return { seen: 'none', kind };
    if (kind.isClipping && isClosed(element)) return { seen: 'none', kind };
    const isOwn = isEach && known !== undefined && BLOCK.has(name);
    if (!isOwn) return { seen: kind.isInkSeen ? 'all' : 'not_own', kind };
    const style = getComputedStyle(element);
    if (Number(style.opacity) <= FAINTEST) return { seen: 'none', kind };
    return { seen: isInkSeen(element, style, kind.ground) ? 'all' : 'not_own', kind };
  };
}

export type LookAt = ReturnType<typeof createLook>;

/**
 * How an element is seen, by all that it lies in.
 * @param within what of that is known already, and is of the kind `kind`
 */
export function placeOf(
  look: LookAt,
  element: Element,
  within: Element | null = null,
  kind: Kind | null = null,
): Look {
  const node = parentNode(element);
  const isRoot = node !== null && nodeType(node) === 11; // of a shadow tree, which has styles of its own
  const parent = (isRoot ? (node as ShadowRoot).host : node) as Element | null;
  const isTop = !parent || parent === within || nodeType(parent) !== 1 || localName(parent) === 'html';
  const around = isTop ? undefined : placeOf(look, parent, within, kind);
  if (around?.seen === 'none') return around;
  const under = around ? around.kind : kind;
  return look(element, localName(element), isRoot && under ? { ...under, isEach: true } : under);
}

function attributesOf(element: Element): string {
  let all = '';
  for (const name of Element.prototype.getAttributeNames.call(element))
    all += name === 'href' || name === 'src' ? ` ${name}` : ` ${name}=${attribute(element, name)}`;
  return all;
}

function kindOf(
  element: Element,
  {
    under,
    isEach,
    isInkSeen,
  }: {
    under: Ground;
    isEach: boolean;
    isInkSeen: (element: Element, style: CSSStyleDeclaration, ground: Ground) => boolean;
  },
): Kind {
  const style = getComputedStyle(element);
  const ground = groundOf(style, under);
  const isShaped = hasShape(style);
  return {
    kinds: new Map(),
    ground,
    display: style.display,
    isShaped,
    isPlaced:
      isShaped ||
      style.position !== 'static' ||
      Math.min(Number.parseFloat(style.marginLeft), Number.parseFloat(style.marginTop)) < FAR,
    isClipping:
      style.overflowX !== 'visible' &&
      style.overflowY !== 'visible' &&
      !/^(?:inline|contents)$/.test(style.display),
    isInkSeen: isInkSeen(element, style, ground) && !isIndented(style),
    seen: isSkipped(style) ? 'none' : isBoxSeen(element, style.display),
    isEach,
  };
}

function isBoxSeen(element: Element, display: string): Seen {
  const asked = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: false };
  if (Element.prototype.checkVisibility.call(element, asked)) return 'all';
  if (display === 'contents') return getComputedStyle(element).visibility === 'visible' ? 'all' : 'not_own';
  const isBox = Element.prototype.checkVisibility.call(element, { opacityProperty: true });
  return isBox ? 'not_own' : 'none';
}

/** Drawn by nobody, though its box is there. */
const isSkipped = (style: CSSStyleDeclaration): boolean =>
  (style.contentVisibility === 'hidden' && !/^(inline|contents)$/.test(style.display)) ||
  Number(style.opacity) <= FAINTEST ||
  Number(/\bopacity\(([\d.]+)\)/.exec(style.filter)?.[1] ?? 1) <= FAINTEST ||
  Number(style.zoom || 1) < SMALLEST_ZOOM ||
  isMaskedAway(style.maskImage, style.maskSize);

const hasShape = ({ transform, translate, scale, rotate, clip, clipPath }: CSSStyleDeclaration): boolean =>
  [transform, translate, scale, rotate, clipPath].some((value) => value !== 'none') || clip !== 'auto';

/** Out of its box, to the left or, in one that cuts it off, to the right. */
function isIndented({ textIndent, overflowX }: CSSStyleDeclaration): boolean {
  const indent = Number.parseFloat(textIndent);
  return indent <= FAR || (overflowX !== 'visible' && indent >= (textIndent.endsWith('%') ? 100 : -FAR));
}

function groundOf(style: CSSStyleDeclaration, ground: Ground): Ground {
  const colour = style.backgroundColor;
  if (style.backgroundImage !== 'none') return null;
  if (colour === TRANSPARENT) return style.position === 'static' ? ground : null;
  return colour.startsWith('rgb(') ? colour : null;
}

/** Letters of the colour of what they stand on, as far as that is known. */
function isInkGone(style: CSSStyleDeclaration, ground: Ground): boolean {
  if (style.textShadow !== 'none' || Number.parseFloat(style.webkitTextStrokeWidth) > 0) return false;
  const color = style.webkitTextFillColor || style.color;
  if (color === ground || isLost(color, ground)) return true;
  // On what is not known they may be cut out of it.
  return isFaint(color) && ground !== null;
}

/** Outside of what can be scrolled to, or cut away. */
function isAway(element: Element, { isShaped }: Kind, scrollers: Map<Element, Element | null>): boolean {
  const style = getComputedStyle(element);
  const box = Element.prototype.getBoundingClientRect.call(element);
  const { documentElement: root, defaultView: view } = element.ownerDocument;
  const [x, y] = style.position === 'fixed' || !view ? [0, 0] : [view.scrollX, view.scrollY];
  if (isOutside(box, root, x, y)) {
    const scroller = scrollerOf(element, scrollers);
    if (!scroller) return true;
    const { left, top } = Element.prototype.getBoundingClientRect.call(scroller);
    if (isOutside(box, scroller, scrollLeft(scroller) - left, scrollTop(scroller) - top)) return true;
  }
  if (box.left + x > FAR_RIGHT && !/^(?:relative|sticky)$/.test(style.position))
    return scrollerOf(element, scrollers) === null;
  if (!isShaped) return false;
  return (
    (style.transform !== 'none' && isFlat(style.transform)) ||
    isFlatAlone(style.scale, style.rotate) ||
    (/^(?:absolute|fixed)$/.test(style.position) && isCut(style.clip)) ||
    isClippedAway(style.clipPath)
  );
}

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

/** So small that what is in it does not show. */
function isClosed(element: Element): boolean {
  if (localName(element) === 'body') return false;
  const { width, height } = Element.prototype.getBoundingClientRect.call(element);
  return width <= SMALLEST_BOX || height <= SMALLEST_BOX;
}
