import * as dom from '../dom.ts';
import { createLabels } from '../labels.ts';
import { isMasked } from '../fields/private-fields.ts';
import { isTextbox } from '../roles.ts';
import { canvasOf, createOtherGround, FAINTEST, type Ground, groundOf, isLost } from './ground.ts';

/** What of an element is seen: all of it, none, or only what in it says otherwise (`not_own`: its own text is not). */
type Seen = 'all' | 'none' | 'not_own';

/** What holds for all elements of one name with the same attributes in the same place, but for values that tell nothing. */
export type Kind = {
  /** Those of its children. */
  kinds: Kinds;
  /** What its text stands on. */
  ground: Ground;
  display: string;
  /** Text beside it stands on other lines. */
  isBlock: boolean;
  /** Nothing in its style hides it: only whether it is displayed is asked of each element. */
  isPlain: boolean;
  /** It is moved, or cuts off: where each box lies, and how large it is, is asked too. */
  isPlaced: boolean;
  /** Its pointer says that it can be pressed. */
  isPointed: boolean;
  isTextbox: boolean;
  /** The words that its style puts before and after what lies in it, once they were asked for. */
  styled?: readonly [before: string, after: string];
};

export type Place = { readonly seen: Seen; readonly kind: Kind };

/** By an element’s name, and then by each of its attributes and what matters of their values. */
type Kinds = {
  kind: Kind | undefined;
  whole: Place | undefined;
  next: Map<string | null, Kinds> | undefined;
  /** Of the attribute that was the last step. */
  matters: Matters | undefined;
};
const noKinds = (): Kinds => ({ kind: undefined, whole: undefined, next: undefined, matters: undefined });
/** `name`: whether the page’s selectors name it; `words`: whether there are any. */
type Matters = 'nothing_anywhere' | 'nothing' | 'name' | 'words' | 'value';

/** What holds for all that stands on a ground. */
export const kindOn = (ground: Ground, display = 'block'): Kind => ({
  kinds: noKinds(),
  ground,
  display,
  isBlock: !display.startsWith('inline') && display !== 'contents',
  isPlain: false,
  isPlaced: false,
  isPointed: false,
  isTextbox: false,
});

/** Pixels; smaller letters can't be read, and nothing shows in a smaller box. */
const SMALLEST = 3;
/** Pixels that move text out of its box, or a box out of the page. */
const FAR = -500;
/** Of its area; what is shrunk further can't be read. */
const SMALLEST_SCALE = 0.01;
/** What scrolls may be zoomed: its content lies within so many times its length. */
const MOST_ZOOM = 2;
/** Characters of the words of a style. */
const LONGEST_CONTENT = 1_000;
/** Of a page's style sheets; to read more takes longer than what it spares. */
const MOST_RULES = 500;
const FIELDS: ReadonlySet<string> = new Set(['input', 'select', 'textarea']);
/** Attributes whose values tell neither what an element is nor how it looks, unless a page's selectors name them. */
const VALUES = /^(?:data-.*|on.*|for|name|value|aria-(?:controls|describedby|description|details|owns))$/;
const NAMES = /^(?:alt|title|aria-label|aria-labelledby)$/;
/** What selectors name: attributes and ids. */
const NAMED = /[#[]\s*([\w-]+)/g;
/** A selector by the place or the state of an element, or by an address: `:nth-child(2)`, `a + b`, `[href]`. */
const BEYOND_NAMES = /[+~]|(?<!:):[a-z]|\[(?:href|src)/;

/**
 * What of a document's elements can be seen, in the usual ways of hiding: not displayed, not visible, no opacity, out of
 * the page, in a box of a pixel, tiny letters, dots in their stead, and the colour of the ground. What other elements cover, or a shape
 * cuts off, counts as seen: that a page's words are no instructions is enforced elsewhere (lib/trust).
 *
 * A style takes ten times as long as the rest, so a kind that hides nothing is looked at once; what a selector such as
 * `:nth-child()` makes of a later element of it counts as seen too, unless it is not displayed or not visible. To ask
 * that of each doubles the time, and is left out where no rule of the page's can make the difference. Elements that differ only
 * in values that none of its rules names are of one kind.
 */
export function createLook(document: Document) {
  const top = kindOn(canvasOf(document));
  const mayStandOnOther = createOtherGround();
  const places = new Map<Element, Place>();
  const rules = rulesOf(document);
  const isSame = rules !== null && !hidesByPlace(rules);
  const named = rules && namedIn(rules);
  const mayPutWords = rules?.some((text) => text.includes('content:')) !== false;
  const isDisplayed = (element: Element): boolean => isSame || dom.isDrawn(element);

  /** By its own style. @param parent the kind of what it lies in */
  function at(element: Element, parent: Kind, name = dom.localName(element)): Place {
    const kinds = kindsIn(parent.kinds, element, name);
    const known = kinds.kind;
    if (known?.isPlain && isDisplayed(element)) return asKnown(kinds, known, element);
    const style = getComputedStyle(element);
    const kind = known ?? kindOn(groundOf(style, parent.ground), style.display);
    const seen = seenOf(element, style, kind.ground);
    if (!known) {
      kind.isBlock ||= name === 'br';
      kind.isPlain = seen === 'all' && kind.display !== 'contents';
      // Browsers cut off at the edge of every field.
      kind.isPlaced = isMoved(style) || (isClipping(style) && !FIELDS.has(name));
      kind.isPointed = style.cursor === 'pointer';
      kind.isTextbox = isTextbox(element);
      kinds.kind = kind;
    }
    return { seen, kind };
  }

  /** Step by step: a text of them all takes longer to be looked up than each of them. */
  function kindsIn(all: Kinds, element: Element, name: string): Kinds {
    let kinds = step(all, name);
    let isByPage: boolean | undefined;
    for (const each of dom.attributeNames(element)) {
      kinds = step(kinds, each);
      const matters = (kinds.matters ??= mattersOf(each, named));
      if (matters === 'nothing_anywhere') continue;
      const isWhole = matters === 'value' || !(isByPage ??= isStyledByPage(element, name));
      if (!isWhole && matters === 'nothing') continue;
      const value = dom.attribute(element, each) ?? '';
      if (isWhole) kinds = step(kinds, value);
      else if (matters === 'words') kinds = step(kinds, /\S/.test(value) ? 'words' : '');
      else if (!/^[\w-]+$/.test(value) || named?.has(value)) kinds = step(kinds, value);
    }
    return kinds;
  }

  function seenOf(element: Element, style: CSSStyleDeclaration, ground: Ground): Seen {
    const isBox = style.display !== 'contents';
    if (isBox && !Element.prototype.checkVisibility.call(element)) return 'none';
    if (isBox && (Number(style.opacity) <= FAINTEST || !isBoxSeen(element, style))) return 'none';
    const isInked = isReadable(style) && !isMasked(style) && isInkSeen(element, style, ground);
    const isOwn = style.visibility === 'visible' && isInked;
    return isOwn ? 'all' : 'not_own';
  }

  function isInkSeen(element: Element, style: CSSStyleDeclaration, ground: Ground): boolean {
    const ink = style.webkitTextFillColor;
    if (!isLost(ink, ground) || style.textShadow !== 'none') return true;
    return Number.parseFloat(style.webkitTextStrokeWidth) > 0 || mayStandOnOther(element, ink);
  }

  /** By all that it lies in. */
  function placeOf(element: Element): Place {
    const known = places.get(element);
    if (known) return known;
    const around = placeAround(element);
    if (around?.seen !== 'none') return placeIn(element, around ? around.kind : top);
    places.set(element, around);
    return around;
  }

  /**
   * By its own style.
   * @param parent the kind of what it lies in, which is seen
   * @param isKept it is remembered, for what lies in it
   */
  function placeIn(element: Element, parent: Kind, name?: string, isKept = true): Place {
    let place = places.get(element);
    if (place) return place;
    place = at(element, parent, name);
    if (isKept) places.set(element, place);
    return place;
  }

  /** By the place of what it lies in. */
  const placeBelow = (element: Element, around: Place, name?: string): Place =>
    around.seen === 'none' ? around : placeIn(element, around.kind, name);

  function placeAround(element: Element): Place | null {
    const parent = dom.elementAround(element);
    return parent && dom.localName(parent) !== 'html' ? placeOf(parent) : null;
  }

  /** The kind of what an element lies in. */
  const kindAround = (element: Element): Kind => placeAround(element)?.kind ?? top;

  /** A text with the words that a style puts before and after it. */
  function withStyled(text: string, element: Element, kind: Kind): string {
    if (!mayPutWords && isStyledByPage(element, dom.localName(element))) return text;
    const words = (part: string): string => styledWords(getComputedStyle(element, part), kind.ground);
    const [before, after] = (kind.styled ??= [words('::before'), words('::after')]);
    return before + text + after;
  }

  return { at, placeIn, placeOf, placeBelow, kindAround, withStyled, labelsOf: createLabels() };
}

export type Look = ReturnType<typeof createLook>;

/** The rules of a page's style sheets; null where they are too many, or another origin's. */
function rulesOf(document: Document): string[] | null {
  try {
    const sheets = [...document.styleSheets, ...document.adoptedStyleSheets].map(({ cssRules }) => cssRules);
    if (sheets.reduce((sum, { length }) => sum + length, 0) > MOST_RULES) return null;
    const texts = sheets.flatMap((rules) => [...rules].map(({ cssText }) => cssText));
    return texts.some((text) => text.startsWith('@import')) ? null : texts;
  } catch {
    return null;
  }
}

/** Whether a page may hide one element of a kind and show another. */
const hidesByPlace = (rules: string[]): boolean =>
  rules.some((text) => BEYOND_NAMES.test(text) && /\b(?:display|visibility|all)\b/.test(text));

/** What its selectors name; null where a style may be any attribute's value. */
const namedIn = (rules: string[]): ReadonlySet<string> | null =>
  rules.some((text) => text.includes('attr('))
    ? null
    : new Set(rules.flatMap((text) => [...text.matchAll(NAMED)].map(([, name = '']) => name)));

/** What of an attribute's value tells an element from its like. @param named null where that is not known */
function mattersOf(attribute: string, named: ReadonlySet<string> | null): Matters {
  if (attribute === 'href' || attribute === 'src') return 'nothing_anywhere';
  if (!named || named.has(attribute)) return 'value';
  if (attribute === 'id') return 'name';
  if (NAMES.test(attribute)) return 'words';
  return VALUES.test(attribute) ? 'nothing' : 'value';
}

/** Not in a shadow tree, whose rules are its own, nor what may be the host of one. */
const isStyledByPage = (element: Element, name: string): boolean =>
  !name.includes('-') && dom.nodeType(dom.treeOf(element)) === 9;

const isReadable = ({ fontSize, textIndent, contentVisibility }: CSSStyleDeclaration): boolean =>
  contentVisibility !== 'hidden' &&
  Number.parseFloat(fontSize) >= SMALLEST &&
  Number.parseFloat(textIndent) > FAR;

/** Strings, and what begins the words that stand for them (https://drafts.csswg.org/css-content/#alt). */
const STRINGS = /"((?:[^"\\]|\\.)*)"|\//g;
/** Signs of icon fonts are none. */
const WORD = /[\p{L}\p{N}]/u;

/** The words of a `::before` or `::after`, as far as they are seen; icons and signs are none. */
function styledWords(style: CSSStyleDeclaration, under: Ground): string {
  const { content, visibility, left, top } = style;
  if (!content.includes('"') || style.display === 'none' || visibility !== 'visible') return '';
  if (!isReadable(style)) return '';
  if (Number(style.opacity) <= FAINTEST || isLost(style.color, groundOf(style, under))) return '';
  if (Math.min(Number.parseFloat(left) || 0, Number.parseFloat(top) || 0) < FAR) return '';
  let text = '';
  for (const [token, string = ''] of content.slice(0, LONGEST_CONTENT).matchAll(STRINGS))
    text = token === '/' ? '' : text + string.replaceAll(/\\(.)/g, '$1');
  if (!WORD.test(text)) return '';
  return style.display.startsWith('inline') ? text : ` ${text} `;
}

function step(from: Kinds, by: string | null): Kinds {
  from.next ??= new Map();
  let to = from.next.get(by);
  if (!to) from.next.set(by, (to = noKinds()));
  return to;
}

/** Where an element of a kind that is seen is, unless it lies where it is not. */
const asKnown = (of: Kinds, kind: Kind, element: Element): Place =>
  kind.isPlaced && !isBoxSeen(element) ? { seen: 'none', kind } : (of.whole ??= { seen: 'all', kind });

function isBoxSeen(element: Element, style?: CSSStyleDeclaration): boolean {
  const box = Element.prototype.getBoundingClientRect.call(element);
  // Most are large, and to the right of the window's corner, and below it.
  if (box.width > SMALLEST && box.height > SMALLEST && box.right > 0 && box.bottom > 0) return true;
  const asked = style ?? getComputedStyle(element);
  return !isCollapsed(element, asked, box) && !isOffPage(element, asked, box);
}

/** Whether a box is so small that what is in it does not show: it cuts that off, or is shrunk itself. */
function isCollapsed(element: Element, style: CSSStyleDeclaration, { width, height }: DOMRect): boolean {
  if ((width > SMALLEST && height > SMALLEST) || style.display === 'inline') return false;
  if (isClipping(style) && dom.localName(element) !== 'body') return true;
  if (!('offsetWidth' in element)) return false;
  const area = dom.offsetWidth(element as HTMLElement) * dom.offsetHeight(element as HTMLElement);
  return width * height < area * SMALLEST_SCALE;
}

/** Whether an element was moved to the left of the page, or above it, with all that it holds, where nothing scrolls. */
function isOffPage(element: Element, style: CSSStyleDeclaration, box: DOMRect): boolean {
  const { defaultView: view, documentElement: root } = element.ownerDocument;
  const { scrollX = 0, scrollY = 0 } = view ?? {};
  if ((box.right + scrollX > 0 && box.bottom + scrollY > 0) || !isMoved(style)) return false;
  const content = Document.prototype.createRange.call(element.ownerDocument);
  content.selectNodeContents(element);
  const inside = content.getBoundingClientRect();
  const { right, bottom } = inside.width > 0 ? inside : box;
  const scroller = scrollerAround(element);
  if (scroller) {
    const edge = Element.prototype.getBoundingClientRect.call(scroller);
    return (
      right < edge.left - dom.scrollWidth(scroller) * MOST_ZOOM ||
      bottom < edge.top - dom.scrollHeight(scroller) * MOST_ZOOM
    );
  }
  if (bottom + scrollY <= 0) return true;
  const { direction, writingMode } = getComputedStyle(root);
  return right + scrollX <= 0 && direction === 'ltr' && writingMode !== 'vertical-rl';
}

const isClipping = (style: CSSStyleDeclaration): boolean =>
  style.overflowX !== 'visible' && style.overflowY !== 'visible';

const isMoved = (style: CSSStyleDeclaration): boolean =>
  style.position !== 'static' ||
  style.transform !== 'none' ||
  style.translate !== 'none' ||
  style.scale !== 'none' ||
  style.rotate !== 'none' ||
  Math.min(Number.parseFloat(style.marginLeft), Number.parseFloat(style.marginTop)) < FAR;

/** What scrolls within the page, or cuts off, and holds the element; null where that is the page alone. */
function scrollerAround(element: Element): Element | null {
  for (let at = dom.elementAround(element); at; at = dom.elementAround(at)) {
    // What a body says of it is the page's, unless its root says something itself.
    if (dom.localName(at) === 'body') return dom.scrollTop(at) === 0 ? null : at;
    const { overflowX, overflowY } = getComputedStyle(at);
    if (overflowX !== 'visible' || overflowY !== 'visible') return at;
  }
  return null;
}
