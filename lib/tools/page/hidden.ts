import { FAINTEST, isFaint, isLost } from './colours.ts';
import { attribute, localName, nodeType, parentNode } from './dom.ts';
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
  return (element, name, parent) => {
    const isEach = parent?.isEach || isSingled(element);
    const kinds = parent ? parent.kinds : roots;
    const isBare = !isEach && !Element.prototype.hasAttributes.call(element);
    const key = isBare ? name : name + (isEach ? '!' : ' ') + attributesOf(element);
    const known = kinds.get(key);
    const kind = known ?? kindOf(element, parent ? parent.ground : canvas, isEach);
    if (!known) kinds.set(key, kind);
    const seen = isEach && known ? isBoxSeen(element, kind.display) : kind.seen;
    if (seen !== 'all') return { seen, kind };
    if (kind.isPlaced && isAway(element, kind)) return { seen: 'none', kind };
    if (kind.isClipping && isClosed(element)) return { seen: 'none', kind };
    const isOwn = isEach && known !== undefined && BLOCK.has(name);
    if (!isOwn) return { seen: kind.isInkSeen ? 'all' : 'not_own', kind };
    const style = getComputedStyle(element);
    if (Number(style.opacity) <= FAINTEST) return { seen: 'none', kind };
    return { seen: isInkSeen(style, kind.ground) ? 'all' : 'not_own', kind };
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

function kindOf(element: Element, under: Ground, isEach: boolean): Kind {
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
    isClipping: style.overflowX !== 'visible' && style.overflowY !== 'visible',
    isInkSeen: isInkSeen(style, ground) && !isIndented(style),
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

function isInkSeen(style: CSSStyleDeclaration, ground: Ground): boolean {
  const color = style.webkitTextFillColor || style.color;
  if (color === ground || isLost(color, ground)) return false;
  if (isFaint(color) && style.backgroundImage === 'none') return false;
  return Number.parseFloat(style.fontSize) >= SMALLEST_FONT;
}

/** Outside of what can be scrolled to, or cut away. */
function isAway(element: Element, { isShaped }: Kind): boolean {
  const style = getComputedStyle(element);
  const { left, right, top, bottom } = Element.prototype.getBoundingClientRect.call(element);
  const { documentElement: root, defaultView: view } = element.ownerDocument;
  const [x, y] = style.position === 'fixed' || !view ? [0, 0] : [view.scrollX, view.scrollY];
  const isEmpty = right === left && bottom === top;
  if (!isEmpty && (right + x <= 0 || bottom + y <= 0)) return true;
  if (!isEmpty && (left + x >= root.scrollWidth || top + y >= root.scrollHeight)) return true;
  if (left + x > FAR_RIGHT && !/^(?:relative|sticky)$/.test(style.position)) return true;
  if (!isShaped) return false;
  return (
    (style.transform !== 'none' && isFlat(style.transform)) ||
    isFlatAlone(style.scale, style.rotate) ||
    (/^(?:absolute|fixed)$/.test(style.position) && isCut(style.clip)) ||
    isClippedAway(style.clipPath)
  );
}

/** So small that what is in it does not show. */
function isClosed(element: Element): boolean {
  if (localName(element) === 'body') return false;
  const { width, height } = Element.prototype.getBoundingClientRect.call(element);
  return width <= SMALLEST_BOX || height <= SMALLEST_BOX;
}
