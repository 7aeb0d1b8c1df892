import { elementAround, localName } from './dom.ts';

/** Elements that are looked at for one reading: beyond that the ground counts as what it was taken for. */
const MOST_LOOKED_AT = 50_000;

const PAINTS: ReadonlySet<string> = new Set('img video canvas svg iframe object embed'.split(' '));

const isPainted = ({ backgroundColor, backgroundImage }: CSSStyleDeclaration): boolean =>
  backgroundImage !== 'none' || !/^(?:rgba\(.*, 0\)|transparent)$/.test(backgroundColor);

type Painter = { element: Element; box: DOMRect };

/**
 * Whether letters may stand on something else than the ground that the elements around them have: a layer below, a
 * picture beside them in the same place, what a pseudo-element draws, a filter. Asked only of letters that seem gone:
 * what a person can read must never be left out.
 */
export function createBackdrops(): (element: Element) => boolean {
  const known = new Map<Element, Painter[]>();
  let left = MOST_LOOKED_AT;

  function paintersIn(owner: Element): Painter[] {
    const found: Painter[] = [];
    for (const element of Element.prototype.querySelectorAll.call(owner, '*')) {
      if ((left -= 1) < 0) break;
      if (!PAINTS.has(localName(element)) && !isPainted(getComputedStyle(element))) continue;
      found.push({ element, box: Element.prototype.getBoundingClientRect.call(element) });
    }
    return found;
  }

  return (element) => {
    let owner = element;
    for (let at: Element | null = element; at; at = elementAround(at)) {
      const style = getComputedStyle(at);
      if (style.filter !== 'none' || style.mixBlendMode !== 'normal') return true;
      if (style.boxShadow.includes('inset') || isPaintedBeside(at)) return true;
      owner = at;
      // What lies below the page lies above what its body is painted with.
      if (localName(at) !== 'body' && style.backgroundColor.startsWith('rgb(')) break;
    }
    const painters = known.get(owner) ?? paintersIn(owner);
    known.set(owner, painters);
    const own = Element.prototype.getBoundingClientRect.call(element);
    return painters.some(
      ({ element: other, box }) =>
        !Node.prototype.contains.call(other, element) &&
        !Node.prototype.contains.call(element, other) &&
        Math.min(box.right, own.right) - Math.max(box.left, own.left) > 1 &&
        Math.min(box.bottom, own.bottom) - Math.max(box.top, own.top) > 1,
    );
  };
}

function isPaintedBeside(element: Element): boolean {
  return ['::before', '::after'].some((pseudo) => {
    const style = getComputedStyle(element, pseudo);
    return !/^(?:none|normal)$/.test(style.content) && isPainted(style);
  });
}
