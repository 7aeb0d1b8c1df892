import { isAway } from './away.ts';
import { createBackdrops } from './backdrop.ts';
import { FAINTEST, isFaint, isLost, isOpaque, sheetOf } from './colours.ts';
import {
  attribute,
  childElementCount,
  firstChild,
  localName,
  nextSibling,
  nodeType,
  parentNode,
  shadowRoot,
} from './dom.ts';
import { isFilteredAway, isMaskedAway } from './shapes.ts';
import { singledOut } from './singled-out.ts';

/** What of an element is seen: all of it, none, or only what in it says otherwise (`own`: its own text is not). */
type Seen = 'all' | 'none' | 'not_own';

/** What text stands on, as a colour of CSS; null where it is not known. */
export type Ground = string | null;

/** Pixels; nobody reads smaller letters. */
const SMALLEST_FONT = 3;
/** Pixels that move text out of sight. */
const FAR = -500;
/** Pixels; nothing shows in a box of that size. */
const SMALLEST_BOX = 3;
/** Of 1; what is shrunk further nobody reads. */
const SMALLEST_ZOOM = 0.1;

const TRANSPARENT = 'rgba(0, 0, 0, 0)';

/** What holds for every element of one name with the same attributes in the same place. */
export type Kind = {
  /** Those of its children, by names and attributes. */
  kinds: Map<string, Kind>;
  ground: Ground;
  /** Of 1, with that of all around it. */
  opacity: number;
  display: string;
  isPlaced: boolean;
  /** Placed by what is positioned around it, whatever lies between. */
  isFree: boolean;
  /** A margin pushes it, or what it lies in, away: its box reaches farther than its letters. */
  isFar: boolean;
  /** Transformed or cut to a shape. */
  isShaped: boolean;
  isClipping: boolean;
  isInkSeen: boolean;
  /** The colour of letters that are gone on the ground, unless they stand on something else: each may. */
  lost: string | null;
  seen: Seen;
  /** Elements of this kind, and what is in them, are looked at one by one. */
  isEach: boolean;
  /** It lies in a box that is closed for all but what is free. */
  isShut: boolean;
  /** The same in such a box. */
  shut?: Kind;
};

/** The inside of a frame: what its document stands on is not known. */
export const elsewhere = (): Kind => ({
  kinds: new Map(),
  ground: null,
  opacity: 1,
  display: 'block',
  isPlaced: false,
  isFree: false,
  isFar: false,
  isShaped: false,
  isClipping: false,
  isInkSeen: true,
  lost: null,
  seen: 'all',
  isEach: true,
  isShut: false,
});

export type Look = { seen: Seen; kind: Kind };

/** Whether anything of it is seen, but for what is free of a closed box around it. */
export const isAnySeen = ({ seen, kind }: Look): boolean => seen !== 'none' && !kind.isShut;

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
  const mayStandOnOther = createBackdrops(canvas);
  const top = { ground: canvas, opacity: 1, isFar: false };
  const scrollers = new Map<Element, Element | null>();
  const isOnOther = (element: Element, name: string, ink: string): boolean =>
    !isHolder(element, name) && mayStandOnOther(element, ink);
  return (element, name, parent) => {
    const isEach = parent?.isEach || isSingled(element);
    const kinds = parent ? parent.kinds : roots;
    const isBare = !isEach && !Element.prototype.hasAttributes.call(element);
    const key = isBare ? name : name + (isEach ? '!' : ' ') + attributesOf(element);
    const known = kinds.get(key);
    const kind = known ?? kindOf(element, parent ?? top, isEach);
    if (!known) kinds.set(key, kind);
    const seen = isEach && known ? isBoxSeen(element, kind.display) : kind.seen;
    if (seen === 'none') return { seen, kind };
    if (parent?.isShut && !kind.isFree) return shut(element, kind);
    if (seen !== 'all') return { seen, kind };
    if (kind.isPlaced && isAway(element, kind, scrollers)) return { seen: 'none', kind };
    if (kind.isClipping && isClosed(element)) return shut(element, kind);
    const isOwn = isEach && known !== undefined && BLOCK.has(name);
    if (!isOwn) {
      // Where one of them is seen, all are.
      kind.isInkSeen ||= kind.lost !== null && isOnOther(element, name, kind.lost);
      return { seen: kind.isInkSeen ? 'all' : 'not_own', kind };
    }
    const style = getComputedStyle(element);
    if ((parent ?? top).opacity * Number(style.opacity) <= FAINTEST) return { seen: 'none', kind };
    const isInk =
      Number.parseFloat(style.fontSize) >= SMALLEST_FONT &&
      (!isInkGone(style, kind.ground) || isOnOther(element, name, inkOf(style)));
    return { seen: isInk ? 'all' : 'not_own', kind };
  };
}

export type LookAt = ReturnType<typeof createLook>;

/** Cut off with all that is in it, but for what is free of it. */
function shut(element: Element, kind: Kind): Look {
  if (kind.isPlaced || childElementCount(element) === 0) return { seen: 'none', kind };
  kind.shut ??= { ...kind, kinds: new Map(), isShut: true };
  return { seen: 'not_own', kind: kind.shut };
}

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

function kindOf(element: Element, under: Pick<Kind, 'ground' | 'opacity' | 'isFar'>, isEach: boolean): Kind {
  const style = getComputedStyle(element);
  const ground = groundOf(style, under.ground);
  const opacity = under.opacity * Number(style.opacity);
  const isShaped = hasShape(style);
  const isFar = under.isFar || isPushed(style);
  const isGone = isInkGone(style, ground);
  const isReadable = Number.parseFloat(style.fontSize) >= SMALLEST_FONT && !isIndented(style);
  return {
    kinds: new Map(),
    ground,
    opacity,
    display: style.display,
    isShaped,
    isFar,
    isFree: /^(?:absolute|fixed)$/.test(style.position),
    isPlaced: isShaped || isFar || style.position !== 'static',
    isClipping:
      ((style.overflowX !== 'visible' && style.overflowY !== 'visible') ||
        /strict|content|paint/.test(style.contain)) &&
      !/^(?:inline|contents)$/.test(style.display),
    isInkSeen: isReadable && !isGone,
    lost: isReadable && isGone ? inkOf(style) : null,
    seen: isSkipped(style) || opacity <= FAINTEST ? 'none' : isBoxSeen(element, style.display),
    isEach,
    isShut: false,
  };
}

/** It has elements in it, and no letters of its own: how those would be seen is all one. */
function isHolder(element: Element, name: string): boolean {
  if (childElementCount(element) === 0 || /^(?:select|slot)$/.test(name) || shadowRoot(element)) return false;
  for (let node = firstChild(element); node; node = nextSibling(node))
    if (nodeType(node) === 3 && /\S/.test((node as Text).data)) return false;
  return true;
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
  isFilteredAway(style.filter) ||
  Number(style.zoom || 1) < SMALLEST_ZOOM ||
  isMaskedAway(style.maskImage, style.maskSize);

const hasShape = ({ transform, translate, scale, rotate, clip, clipPath }: CSSStyleDeclaration): boolean =>
  [transform, translate, scale, rotate, clipPath].some((value) => value !== 'none') || clip !== 'auto';

/** By a margin, out of sight; padding as wide brings what is in it back. */
const isPushed = ({ marginLeft, marginTop, paddingLeft, paddingTop }: CSSStyleDeclaration): boolean =>
  Number.parseFloat(marginLeft) + Number.parseFloat(paddingLeft) < FAR ||
  Number.parseFloat(marginTop) + Number.parseFloat(paddingTop) < FAR;

/** Out of its box, to the left or, in one that cuts it off, to the right. */
function isIndented({ textIndent, overflowX }: CSSStyleDeclaration): boolean {
  const indent = Number.parseFloat(textIndent);
  return indent <= FAR || (overflowX !== 'visible' && indent >= (textIndent.endsWith('%') ? 100 : -FAR));
}

function groundOf(style: CSSStyleDeclaration, ground: Ground): Ground {
  const colour = style.backgroundColor;
  if (style.backgroundImage !== 'none') return sheetOf(style.backgroundImage);
  if (colour === TRANSPARENT) return ground;
  return isOpaque(colour) && style.backgroundClip !== 'text' ? colour : null;
}

const inkOf = ({ webkitTextFillColor, color }: CSSStyleDeclaration): string => webkitTextFillColor || color;

/** Letters of the colour of what they stand on, as far as that is known. */
function isInkGone(style: CSSStyleDeclaration, ground: Ground): boolean {
  if (style.textShadow !== 'none' || Number.parseFloat(style.webkitTextStrokeWidth) > 0) return false;
  const color = inkOf(style);
  if (color === ground || isLost(color, ground)) return true;
  // On what is not known they may be cut out of it.
  return isFaint(color) && ground !== null;
}

/** So small that what is in it does not show. */
function isClosed(element: Element): boolean {
  if (localName(element) === 'body') return false;
  const { width, height } = Element.prototype.getBoundingClientRect.call(element);
  return width <= SMALLEST_BOX || height <= SMALLEST_BOX;
}
