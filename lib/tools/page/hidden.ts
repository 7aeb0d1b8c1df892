import { attribute, localName } from './dom.ts';

/** What of an element is seen: all of it, none, or only what in it says otherwise (`own`: its own text is not). */
type Seen = 'all' | 'none' | 'not_own';

/** What text stands on, as a colour of CSS; null where it is not known. */
export type Ground = string | null;

/** Pixels; nobody reads smaller letters. */
const SMALLEST_FONT = 3;
/** Pixels that move text out of sight. */
const FAR = -500;

const TRANSPARENT = 'rgba(0, 0, 0, 0)';

/** What holds for every element of one name with the same attributes in the same place. */
export type Kind = {
  /** Tells the places of its children apart. */
  id: number;
  ground: Ground;
  display: string;
  isPlaced: boolean;
  isClipping: boolean;
  isInkSeen: boolean;
};

/** The inside of a frame: what its document stands on is not known. */
export const elsewhere: Kind = {
  id: -1,
  ground: null,
  display: 'block',
  isPlaced: false,
  isClipping: false,
  isInkSeen: true,
};

export type Look = { seen: Seen; kind: Kind };

/** Elements whose ink is looked at one by one: a style for every seventh paragraph is an old trick. */
const BLOCK: ReadonlySet<string> = new Set(
  'p li td th dd dt h1 h2 h3 h4 h5 h6 div section article blockquote pre main'.split(' '),
);

/**
 * What of elements a person can see, by their styles, in one walk through a document. Of colours only those that are
 * exactly their ground’s are told. Each property that is read of a style takes a microsecond, so most are read once for
 * all elements of a kind.
 * @param canvas what the document stands on
 */
export function createLook(canvas: Ground): (element: Element, name: string, parent: Kind | null) => Look {
  const kinds = new Map<string, Kind>();
  return (element, name, parent) => {
    const key = `${parent?.id ?? 0} ${name} ${attributesOf(element)}`;
    const known = kinds.get(key);
    const kind = known ?? kindOf(getComputedStyle(element), parent ? parent.ground : canvas, kinds.size + 1);
    if (!known) kinds.set(key, kind);
    const seen = isBoxSeen(element, kind);
    if (seen !== 'all') return { seen, kind };
    if (kind.isPlaced && isAway(element, getComputedStyle(element))) return { seen: 'none', kind };
    if (kind.isClipping && isClosed(element)) return { seen: 'none', kind };
    const isOwn = known !== undefined && BLOCK.has(name);
    const isInk = isOwn ? isInkSeen(getComputedStyle(element), kind.ground) : kind.isInkSeen;
    return { seen: isInk ? 'all' : 'not_own', kind };
  };
}

function attributesOf(element: Element): string {
  if (!Element.prototype.hasAttributes.call(element)) return '';
  return Element.prototype.getAttributeNames
    .call(element)
    .map((name) => (name === 'href' || name === 'src' ? name : `${name}=${attribute(element, name)}`))
    .join(' ');
}

function kindOf(style: CSSStyleDeclaration, under: Ground, id: number): Kind {
  const ground = groundOf(style, under);
  return {
    id,
    ground,
    display: style.display,
    isPlaced: style.position !== 'static',
    isClipping: style.overflowX !== 'visible' && style.overflowY !== 'visible',
    isInkSeen: isInkSeen(style, ground) && Number.parseFloat(style.textIndent) > FAR,
  };
}

function isBoxSeen(element: Element, { display }: Kind): Seen {
  const asked = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: false };
  if (Element.prototype.checkVisibility.call(element, asked)) return 'all';
  if (display === 'contents') return getComputedStyle(element).visibility === 'visible' ? 'all' : 'not_own';
  const isBox = Element.prototype.checkVisibility.call(element, { opacityProperty: true });
  return isBox ? 'not_own' : 'none';
}

function groundOf(style: CSSStyleDeclaration, ground: Ground): Ground {
  const colour = style.backgroundColor;
  if (style.backgroundImage !== 'none') return null;
  if (colour === TRANSPARENT) return style.position === 'static' ? ground : null;
  return colour.startsWith('rgb(') ? colour : null;
}

function isInkSeen(style: CSSStyleDeclaration, ground: Ground): boolean {
  const { color } = style;
  if (color === ground) return false;
  if (color === TRANSPARENT && style.backgroundImage === 'none') return false;
  return Number.parseFloat(style.fontSize) >= SMALLEST_FONT;
}

/** Outside of what can be scrolled to, or cut away. */
function isAway(element: Element, style: CSSStyleDeclaration): boolean {
  const { left, right, top, bottom } = Element.prototype.getBoundingClientRect.call(element);
  const { documentElement: root, defaultView: view } = element.ownerDocument;
  const [x, y] = style.position === 'fixed' || !view ? [0, 0] : [view.scrollX, view.scrollY];
  const isEmpty = right === left && bottom === top;
  if (!isEmpty && (right + x <= 0 || bottom + y <= 0)) return true;
  if (!isEmpty && (left + x >= root.scrollWidth || top + y >= root.scrollHeight)) return true;
  return (
    /^rect\((\d+)px,? \1px,? \1px,? \1px\)$/.test(style.clip) || /^inset\((50|100)%\)$/.test(style.clipPath)
  );
}

/** So small that what is in it does not show. */
function isClosed(element: Element): boolean {
  if (localName(element) === 'body') return false;
  const { width, height } = Element.prototype.getBoundingClientRect.call(element);
  return width <= 1 || height <= 1;
}
