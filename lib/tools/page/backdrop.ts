import { isFaint, isLost, isOpaque, sheetOf } from './colours.ts';
import { elementAround, localName } from './dom.ts';
import type { Ground } from './hidden.ts';

/** Elements that are looked at for one reading: beyond that the ground counts as what it was taken for. */
const MOST_LOOKED_AT = 50_000;

const PAINTS: ReadonlySet<string> = new Set('img video canvas svg iframe object embed'.split(' '));

const isPainted = ({ backgroundColor, backgroundImage }: CSSStyleDeclaration): boolean =>
  backgroundImage !== 'none' || !isFaint(backgroundColor);

type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;
/**
 * Whether an element, or what it lies in up to its owner, stays in the window while that scrolls, has a layer of its own,
 * and lies below what is flat.
 */
type Layer = { isStill: boolean; isLifted: boolean; isSunk: boolean };
/** `colour`: null for a picture. `isRaised`: it is drawn over all that lies flat. */
type Painter = { element: Element; box: Box; colour: string | null; isStill: boolean; isRaised: boolean };

const FLOOR: Layer = { isStill: false, isLifted: false, isSunk: false };

const EVERYWHERE: Box = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
const boxOf = (element: Element): Box => Element.prototype.getBoundingClientRect.call(element);
const colourOf = (style: CSSStyleDeclaration): string | null =>
  style.backgroundImage === 'none' ? style.backgroundColor : null;

/**
 * Whether letters may stand on something else than the ground that the elements around them have: a layer below, a
 * picture beside them in the same place, what a pseudo-element draws, a filter, what they were moved onto. Asked only of
 * letters that seem gone: what a person can read must never be left out.
 * @param canvas what the document stands on
 */
export function createBackdrops(canvas: Ground): (element: Element, ink: string) => boolean {
  const known = new Map<Element, Painter[]>();
  let left = MOST_LOOKED_AT;

  function paintersIn(owner: Element): Painter[] {
    const found: Painter[] = [];
    const layerOf = createLayers(owner);
    for (const element of Element.prototype.querySelectorAll.call(owner, '*')) {
      if ((left -= 1) < 0) break;
      const style = getComputedStyle(element);
      const add = (box: Box, colour: string | null, canRise: boolean): void => {
        const { isStill, isLifted, isSunk } = layerOf(element);
        found.push({ element, box, colour, isStill, isRaised: canRise && isLifted && !isSunk });
      };
      if (PAINTS.has(localName(element))) add(boxOf(element), null, true);
      else if (isPainted(style)) add(boxOf(element), colourOf(style), true);
      for (const pseudo of paintedBeside(element)) add(boxBeside(element, pseudo), colourOf(pseudo), false);
    }
    return found;
  }

  return (element, ink) => {
    const own = boxOf(element);
    const around = aroundOf(element, own, ink, canvas);
    if (!around) return true;
    const { owner, isMoving, isFlat } = around;
    const painters = known.get(owner) ?? paintersIn(owner);
    known.set(owner, painters);
    return painters.some(
      ({ element: other, box, colour, isStill, isRaised }) =>
        !(isFlat && isRaised) &&
        Math.min(box.right, own.right) - Math.max(box.left, own.left) > 1 &&
        (isMoving || isStill || Math.min(box.bottom, own.bottom) - Math.max(box.top, own.top) > 1) &&
        (colour === null || !isLost(ink, colour)) &&
        !Node.prototype.contains.call(other, element) &&
        !Node.prototype.contains.call(element, other),
    );
  };
}

/**
 * What an element lies in as far as its ground is that one's, whether it moves over what lies below, and whether it lies
 * flat in it; undefined where something around it makes letters of that colour seen.
 */
function aroundOf(
  element: Element,
  own: Box,
  ink: string,
  canvas: Ground,
): { owner: Element; isMoving: boolean; isFlat: boolean } | undefined {
  let owner = element;
  let isMoving = false;
  let isFlat = true;
  /** What lies below the page lies above what its body is painted with. */
  let base: Ground = null;
  for (let at: Element | null = element; at; at = elementAround(at)) {
    const style = getComputedStyle(at);
    if (style.filter !== 'none' || style.mixBlendMode !== 'normal') return undefined;
    if (style.backgroundImage !== 'none' && sheetOf(style.backgroundImage) === null) return undefined;
    if (style.boxShadow.includes('inset') || paintedBeside(at).length > 0) return undefined;
    // What the browser draws below those, no style of theirs tells.
    if (Element.prototype.matches.call(at, ':modal, :popover-open, :fullscreen')) return undefined;
    owner = at;
    const { backgroundColor, position } = style;
    if (/^(?:html|body)$/.test(localName(at))) {
      if (isOpaque(backgroundColor)) base ??= backgroundColor;
    } else if (isOpaque(backgroundColor)) {
      // What was moved out of it does not stand on it.
      if (isIn(own, boxOf(at))) return isLost(ink, backgroundColor) ? { owner, isMoving, isFlat } : undefined;
    }
    isMoving ||= STAYS.test(position) || (at !== element && scrolls(at, style));
    isFlat &&= liesFlat(style);
  }
  return isLost(ink, base ?? canvas) ? { owner, isMoving, isFlat } : undefined;
}

/** What makes no layer of an element (https://drafts.csswg.org/css2/#elaborate-stacking-contexts, and what later CSS adds). */
const FLAT = Object.entries({
  position: 'static',
  zIndex: 'auto',
  opacity: '1',
  transform: 'none',
  translate: 'none',
  rotate: 'none',
  scale: 'none',
  perspective: 'none',
  backdropFilter: 'none',
  clipPath: 'none',
  maskImage: 'none',
  isolation: 'auto',
  willChange: 'auto',
  contain: 'none',
  containerType: 'normal',
}) as [keyof CSSStyleDeclaration, string][];

const liesFlat = (style: CSSStyleDeclaration): boolean =>
  FLAT.every(([property, value]) => (style[property] ?? value) === value);

const STAYS = /^(?:fixed|sticky)$/;

/** The layers of what an owner holds; each element is looked at once. */
function createLayers(owner: Element): (element: Element) => Layer {
  const known = new Map<Element, Layer>([[owner, FLOOR]]);
  return (element) => {
    const path: Element[] = [];
    let at: Element | null = element;
    for (; at && !known.has(at); at = elementAround(at)) path.push(at);
    let layer = (at && known.get(at)) ?? FLOOR;
    for (const each of path.toReversed()) {
      const { position, zIndex } = getComputedStyle(each);
      layer = {
        isStill: layer.isStill || STAYS.test(position),
        isLifted: layer.isLifted || position !== 'static',
        isSunk: layer.isSunk || Number.parseInt(zIndex, 10) < 0,
      };
      known.set(each, layer);
    }
    return layer;
  };
}

/** Within the page: what the page scrolls, moves with all that it holds. */
const scrolls = (element: Element, { overflowY }: CSSStyleDeclaration): boolean =>
  /^(?:auto|scroll)$/.test(overflowY) && !/^(?:html|body)$/.test(localName(element));

const isIn = (inner: Box, outer: Box): boolean =>
  inner.left >= outer.left - 1 &&
  inner.right <= outer.right + 1 &&
  inner.top >= outer.top - 1 &&
  inner.bottom <= outer.bottom + 1;

const paintedBeside = (element: Element): CSSStyleDeclaration[] =>
  ['::before', '::after']
    .map((pseudo) => getComputedStyle(element, pseudo))
    .filter((style) => !/^(?:none|normal)$/.test(style.content) && isPainted(style));

/** Where about a pseudo-element is drawn: in what it is placed by. */
function boxBeside(element: Element, { position }: CSSStyleDeclaration): Box {
  if (position === 'fixed') return EVERYWHERE;
  let at: Element | null = element;
  if (position === 'absolute')
    while (at && getComputedStyle(at).position === 'static') at = elementAround(at);
  return at ? boxOf(at) : EVERYWHERE;
}
