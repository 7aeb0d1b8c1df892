import * as dom from '../dom.ts';

/** The colour that text stands on, as computed styles write it; null where it is not known. */
export type Ground = string | null;

/** Of 1; what is fainter can't be seen. */
export const FAINTEST = 0.05;
/** Of 1; what lets less through counts as opaque. */
const OPAQUE = 0.99;
/** Of 255, in red, green and blue; letters that differ by less from their ground can't be read. */
const LEAST_DIFFERENCE = 12;
/** Elements that are searched for painted ones, in one reading: beyond that nothing is painted. */
const MOST_SEARCHED = 50_000;

const MEDIA: ReadonlySet<string> = new Set('img video canvas svg iframe object embed'.split(' '));

/** Red, green and blue of 255, and opacity of 1; empty for other notations, such as `oklch()`. */
function channels(colour: string): number[] {
  const found = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(colour);
  return (found?.slice(1) ?? []).map((value = '1') => Number(value));
}

/** The ground of what an element holds. @param under what it stands on itself */
export function groundOf({ backgroundColor, backgroundImage }: CSSStyleDeclaration, under: Ground): Ground {
  if (backgroundImage !== 'none') return null;
  if (backgroundColor === 'rgba(0, 0, 0, 0)') return under;
  return (channels(backgroundColor)[3] ?? 0) >= OPAQUE ? backgroundColor : null;
}

/** Whether ink of that colour can't be told from its ground; false where one of them is not known. */
export function isLost(ink: string, ground: Ground): boolean {
  if (ground === null || ink === ground) return ground !== null;
  const [from, to] = [channels(ink), channels(ground)];
  const [, , , opacity = 1] = from;
  if (from.length === 0 || to.length === 0) return false;
  const differences = [0, 1, 2].map((at) => Math.abs((from[at] ?? 0) - (to[at] ?? 0)) * opacity);
  return opacity <= FAINTEST || Math.max(...differences) < LEAST_DIFFERENCE;
}

/**
 * What the document stands on: white, unless the page is in a dark scheme, or its own text would be lost on it, as on a
 * page whose ground is a layer below its body.
 */
export function canvasOf(document: Document): Ground {
  const root = getComputedStyle(document.documentElement);
  const [asked] = dom.select(document, 'meta[name="color-scheme" i][content*="dark" i]');
  const canvas = groundOf(root, root.colorScheme.includes('dark') || asked ? null : 'rgb(255, 255, 255)');
  const body = dom.bodyOf(document);
  const style = body && getComputedStyle(body);
  return style && isLost(style.color, groundOf(style, canvas)) ? null : canvas;
}

type Painted = { element: Element; box: DOMRect; ground: Ground };

const boxOf = (element: Element): DOMRect => Element.prototype.getBoundingClientRect.call(element);

const isPainted = (style: CSSStyleDeclaration): boolean => groundOf(style, '') !== '';

/** Whether a style makes letters of any colour seen, by what it adds to them, or has them pass over what lies below. */
const mayShow = (style: CSSStyleDeclaration): boolean =>
  style.filter !== 'none' ||
  style.mixBlendMode !== 'normal' ||
  style.backgroundClip === 'text' ||
  style.boxShadow.includes('inset') ||
  /^(?:fixed|sticky)$/.test(style.position);

const isPaintedBeside = (element: Element): boolean =>
  ['::before', '::after']
    .map((pseudo) => getComputedStyle(element, pseudo))
    .some((style) => !/^(?:none|normal)$/.test(style.content) && isPainted(style));

/**
 * Whether letters that are lost on the ground of what they lie in may stand on something else: a picture or a layer in
 * the same place. What can be seen must never be left out, so all that overlaps counts, above it or below.
 */
export function createOtherGround(): (element: Element, ink: string) => boolean {
  const known = new Map<Element, Painted[]>();
  let left = MOST_SEARCHED;

  function paintedIn(owner: Element): Painted[] {
    const elements = dom.selectDeep(owner, '*', Infinity).slice(0, left);
    left -= elements.length;
    return elements.flatMap((element) => {
      const style = getComputedStyle(element);
      if (MEDIA.has(dom.localName(element))) return [{ element, box: boxOf(element), ground: null }];
      return isPainted(style) ? [{ element, box: boxOf(element), ground: groundOf(style, null) }] : [];
    });
  }

  return (element, ink) => {
    let owner = element;
    let own = boxOf(element);
    for (let at: Element | null = element; at; at = dom.elementAround(at)) {
      const style = getComputedStyle(at);
      if (own.width === 0 && own.height === 0) own = boxOf(at); // a slot has none
      if (mayShow(style) || isPaintedBeside(at)) return true;
      owner = at;
      if (isPainted(style)) {
        if (!isLost(ink, groundOf(style, null))) return true;
        break;
      }
      // What scrolls passes over all that is in the place of its scroller.
      if (at !== element && /auto|scroll/.test(style.overflowY)) own = boxOf(at);
    }
    const painted = known.get(owner) ?? paintedIn(owner);
    known.set(owner, painted);
    return painted.some(
      ({ element: other, box, ground }) =>
        Math.min(box.right, own.right) - Math.max(box.left, own.left) > 1 &&
        Math.min(box.bottom, own.bottom) - Math.max(box.top, own.top) > 1 &&
        !isLost(ink, ground) &&
        !Node.prototype.contains.call(other, element) &&
        !Node.prototype.contains.call(element, other),
    );
  };
}
