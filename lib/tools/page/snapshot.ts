import * as dom from './dom/dom.ts';
import { type Guard, isMasked, isSecretField } from './dom/fields/private-fields.ts';
import { createLook, type Kind, type Look, type Place } from './dom/visibility/hidden.ts';
import { oneLine } from './dom/inner-words.ts';
import { type Named, nameBy } from './dom/names.ts';
import { frameNumber } from './dom/frames.ts';
import { pictureOf } from './dom/areas.ts';
import { elementOf, noteTwin, refOf, startTelling } from './dom/refs.ts';
import { hasUnusualState, optionNamesOf, statesOf, valueOf } from './dom/fields/value-and-states.ts';
import { createRows } from './dom/rows.ts';
import { ALIKE, type Traits, traitsOf } from './dom/traits.ts';
import { isLabelledBox, isTransparentField, transparentFields } from './dom/visibility/transparent.ts';

/** Characters of a document's lines, about 8,000 tokens; of one text or value, and of an address. */
const MOST = 27_000;
const LONGEST_TEXT = 300;
const LONGEST_LINK = 300;
/** Entries of one list, table or menu; more are counted, and told when its reference is given. */
const MOST_ALIKE = 30;
/** Characters that are kept for what stands around a list of which a part is told. */
const ABOUT_LIST = 1_000;
/** Milliseconds; what of a huge document is not found by then is left out. */
const MOST_MS = 1_500;
const DEEPEST = 1_000;
/** Elements. */
const MANY = 4;
/** Pixels; further than what is not moved lies above or below what it is in. */
const FAR = 500;
/** Elements from one look at the clock to the next, which takes as long as a good part of one. */
const BETWEEN_CLOCKS = 32;

const SKIPPED: ReadonlySet<string> = new Set(
  'script style template noscript head link meta object embed'.split(' '),
);
/** What draws itself: nothing but its role and name is told of it. */
const DRAWN: ReadonlySet<string> = new Set('svg canvas video audio iframe frame'.split(' '));
const USED_IN_DRAWING =
  'a[href], a[*|href], [role="button"], [role="link"], [role="checkbox"], [role="tab"], [tabindex="0"], [onclick]';
/** `interactive`: only what can be used, with the headings and what it lies in. */
export type Filter = 'all' | 'interactive';

/** An element with what lies in it, text, or how many entries are left out. */
type Entry = { head: string; value?: string; inner: Item[]; role: string; isUsed: boolean };
type Item = Entry | string | { more: number; of: string; next?: number };

type Walk = {
  look: Look;
  rowOf: (element: Element) => string;
  traits: Map<Kind, Traits>;
  until: number;
  visited: number;
  isCut: boolean;
  focused: Element | null;
  /** Entries of one list that are told. */
  alike: number;
  /** The first list, whose entries are told from one on, and as many as there is room for; none where `from` is 0. */
  from: number;
  list: Item[] | null;
  /** In which the last entry is a text that goes on. */
  text: Item[] | null;
  passed: number;
  filter: Filter;
  /** Characters that are left, more or less: entries beyond them are not named, but counted. */
  left: number;
  counted: number;
  /** Pixels that the tab shows. */
  shown: { width: number; height: number };
};

/** An element as it is looked at. `count`: of its children that are elements; `place`: how it is seen, and its kind. */
type Met = { element: Element; name: string; count: number; place: Place; traits: Traits };

/** What holds for what lies in an element. */
type Around = {
  kind: Kind;
  isOwnSeen: boolean;
  /** Its text stands in a name already. */
  isNamed: boolean;
  /** Assistive technology is told nothing of it: of what can be used only what can have the focus is. */
  isAriaHidden: boolean;
  isOffscreen: boolean;
  /** Unless it is moved, it is all far off screen, of which nothing is said yet, or all on it. */
  lies: 'far_off' | 'shown' | 'anywhere';
  /** The reference of the innermost that has one; null in what is only counted. */
  ref: string | null;
  /** The innermost that tells what is in it from its like. */
  row: Element | null;
  depth: number;
};

/**
 * The accessibility tree of what is seen of this document, as indented lines: `- textbox "Name" [ref=e8] [required]: Ada`
 * (https://playwright.dev/docs/aria-snapshots). Empty where there is nothing, or the reference is not of this document.
 * @param ref of an element: only what lies in it, with all entries of its lists
 * @param most characters; more than usual in one that is compared or searched, and that no model is told of
 * @param from the entry of its first list to begin at
 */
export function readSnapshot(
  document: Document,
  ref = '',
  filter: Filter = 'all',
  most = MOST,
  from = 1,
): string {
  const whole = ref === '' ? dom.bodyOf(document) : elementOf(ref);
  if (!whole) return '';
  startTelling(most > MOST);
  const alike = ref === '' && most === MOST ? MOST_ALIKE : Infinity;
  const paged = ref === '' ? 0 : Math.max(1, Number(from) || 1);
  const { items, isCut, counted } = itemsOf(document, whole, { alike, filter, left: most, from: paged });
  const lines = print(filter === 'all' ? items : items.flatMap(usable), 0);
  let left = most;
  const kept = lines.filter(({ length }) => (left -= length + 1) >= 0 || left + length + 1 === most);
  const more = lines.length - kept.length + counted;
  const atLeast = counted > 0 ? 'at least ' : '';
  return [
    ...kept,
    ...(more > 0
      ? [`[and ${atLeast}${more} more lines: give the reference of a part, or filter "interactive"]`]
      : []),
    ...(isCut ? [CUT] : []),
  ].join('\n');
}

/** What a line says of an element beside its words: its role, reference and states; a name as it is quoted. */
const MARKS = /^ *- [^\s:]+(?: ("(?:[^"\\]|\\.)*"))?(?: \[[^\]]*\])*:? ?/;
const NO_WORDS = /^ *(?:- )?(?:\/url:|\[)/;
const UNCHOSEN = /^ *- option "(?:[^"\\]|\\.)*"(?: \[disabled\])?$/;

/** The words that a document shows, a line for each element: nothing of marks, addresses, and options of closed lists. */
export function shownWords(document: Document, most: number): string {
  const lines = readSnapshot(document, '', 'all', most).split('\n');
  let isClosed = false;
  return lines
    .filter((line) => {
      if (UNCHOSEN.test(line)) return !isClosed;
      isClosed = /^ *- combobox\b/.test(line) || (isClosed && /^ *- option /.test(line));
      return !NO_WORDS.test(line);
    })
    .map((line) => line.replace(MARKS, (_, name = '""') => `${JSON.parse(name)} `))
    .join('\n');
}

/** Lines of what is found; more are counted. */
const MOST_FOUND = 50;

/**
 * The entries of the accessibility tree whose line holds a text (letter case apart), of one role if it is given, each with
 * what it lies in. Empty where there is none.
 */
export function findInSnapshot(document: Document, text: string, role: string): string {
  const body = dom.bodyOf(document);
  if (!body) return '';
  startTelling(false);
  const { items, isCut } = itemsOf(document, body, {
    alike: Infinity,
    filter: 'all',
    left: Infinity,
    from: 0,
  });
  const found = matches(items, oneLine(text).toLowerCase(), role.trim().toLowerCase(), []);
  const more = found.length - MOST_FOUND;
  return [
    ...found.slice(0, MOST_FOUND),
    ...(more > 0 ? [`[and ${more} more]`] : []),
    ...(isCut ? [CUT] : []),
  ].join('\n');
}

function matches(items: Item[], text: string, role: string, around: string[]): string[] {
  return items.flatMap((item) => {
    if (typeof item === 'string')
      return around.length === 0 && role === '' && oneLine(item).toLowerCase().includes(text)
        ? print([item], 0)
        : [];
    if ('more' in item) return [];
    const [line = ''] = print([{ ...item, inner: item.inner.filter((each) => typeof each === 'string') }], 0);
    const own = item.inner.filter((each) => typeof each === 'string').join(' ');
    const isFound =
      item.role !== '' &&
      (role === '' || item.role === role) &&
      `${item.head} ${item.value ?? ''} ${own}`.toLowerCase().includes(text);
    const inner = matches(item.inner, text, role, item.role === '' ? around : [...around, item.head]);
    return isFound
      ? [`${line}${around.length > 0 ? ` (in ${around.slice(-2).join(', ')})` : ''}`, ...inner]
      : inner;
  });
}

const CUT = '[The page is too long to be read whole: its end is missing.]';

function itemsOf(
  document: Document,
  from: Element,
  most: Pick<Walk, 'alike' | 'filter' | 'left' | 'from'>,
): { items: Item[]; isCut: boolean; counted: number } {
  const { defaultView: view } = document;
  const look = createLook(document);
  const walk: Walk = {
    ...most,
    look,
    rowOf: createRows(look),
    traits: new Map(),
    until: performance.now() + MOST_MS,
    visited: 0,
    isCut: false,
    focused: dom.focused(document),
    counted: 0,
    list: null,
    text: null,
    passed: 0,
    shown: { width: view?.innerWidth ?? 0, height: view?.innerHeight ?? 0 },
  };
  const items: Item[] = [];
  const around = {
    isOwnSeen: true,
    isNamed: false,
    isAriaHidden: false,
    isOffscreen: false,
    lies: 'anywhere' as const,
    ref: '',
    row: from,
    depth: 0,
  };
  if (look.placeOf(from).seen !== 'none')
    visit(walk, from, items, { ...around, kind: look.kindAround(from) });
  if (walk.list && most.left !== Infinity) endPage(walk, walk.list, most.left);
  return { items, isCut: walk.isCut, counted: walk.counted };
}

function visit(walk: Walk, element: Element, into: Item[], around: Around): void {
  const name = dom.localName(element);
  if (SKIPPED.has(name)) return;
  walk.visited += 1;
  const isLate = walk.visited % BETWEEN_CLOCKS === 0 && performance.now() > walk.until;
  walk.isCut ||= around.depth > DEEPEST || isLate;
  if (walk.isCut) return;
  const count = dom.childElementCount(element);
  const place =
    name === 'area' && isOnSeenPicture(walk, element)
      ? ({ seen: 'not_own', kind: around.kind } as const)
      : walk.look.placeIn(element, around.kind, name, count > 0);
  if (name === 'area' && place.seen !== 'none')
    return tell(walk, { element, name, count, place, traits: traitsOf(element, name) }, into, around);
  if (place.seen === 'none') {
    for (const field of transparentFields(element, name, walk.until)) {
      const own = dom.localName(field);
      const within = { seen: 'not_own', kind: place.kind } as const;
      const met = { element: field, name: own, count: 0, place: within, traits: traitsOf(field, own) };
      tell(walk, met, into, around);
    }
    return;
  }
  let traits = walk.traits.get(place.kind);
  if (!traits) walk.traits.set(place.kind, (traits = traitsOf(element, name)));
  tell(walk, { element, name, count, place, traits }, into, around);
}

function tell(walk: Walk, met: Met, into: Item[], around: Around): void {
  const { element, name, count, place, traits } = met;
  const { seen, kind } = place;
  const labels = name === 'label' ? labelsSeen(walk, element as HTMLLabelElement, kind) : undefined;
  if (labels === 'box') {
    const box = (element as HTMLLabelElement).control as HTMLElement;
    const own = { kind, seen: 'not_own' } as const;
    tell(
      walk,
      { element: box, name: 'input', count: 0, place: own, traits: traitsOf(box, 'input') },
      into,
      around,
    );
  }
  const isLeftOut = around.isAriaHidden && !canHaveFocus(element);
  const isUsed =
    !isLeftOut &&
    (traits.isInteractive || (labels ? labels === 'hidden' : isPressable(traits, kind, around)));
  const role = isLeftOut && traits.isInteractive ? '' : traits.role || (isUsed ? 'generic' : '');
  const isFull = walk.left < 0;
  const isPrivate = !isFull && traits.guard !== undefined && isSecretAs(walk, element, traits.guard, seen);
  const inside: Around = {
    kind,
    isOwnSeen: seen === 'all',
    isNamed: around.isNamed || labels === 'seen' || labels === 'box',
    isAriaHidden: around.isAriaHidden || traits.isAriaHidden,
    isOffscreen: around.isOffscreen,
    lies: kind.isPlaced ? 'anywhere' : around.lies,
    ref: around.ref,
    row: traits.isRow ? element : around.row,
    depth: around.depth + 1,
  };
  if (role === '' || (around.isNamed && !isUsed)) {
    if (isPrivate) return;
    if (inside.lies === 'anywhere' && count >= MANY && !inside.isOffscreen && !isFull)
      inside.lies = liesOf(element, Element.prototype.getBoundingClientRect.call(element), walk.shown);
    return visitChildren(walk, met, into, inside);
  }
  if (traits.isAlike && isBeyond(walk, into, role)) return;
  const isReferenced = isUsed || traits.isReferenced;
  const by = !isFull || (isReferenced && around.ref !== null) ? traits.namedBy : undefined;
  const named: Named = { look: walk.look, element, role, name, place };
  const label = by ? nameBy(by, named) : '';
  const row = isReferenced && label !== '' && inside.row ? walk.rowOf(inside.row) : '';
  const told = { role, label, within: around.ref ?? '', row };
  if (isReferenced) inside.ref = isFull ? null : refOf(element, told);
  if (traits.isNamedByContent && (label !== '' || isFull)) inside.isNamed = true;
  if (isFull) {
    if (label !== '') noteTwin(told);
    if (walk.filter === 'all' || isUsed || role === 'heading') walk.counted += 1;
    return visitChildren(walk, met, [], inside);
  }
  inside.isOffscreen ||= isOutside(element, count, inside, walk.shown);
  const states = statesAs(met, role, isPrivate);
  let head = role;
  const called =
    by && named.values === 'noted' ? nameBy(by, { ...named, values: 'told', followed: 0 }) : label;
  if (called !== '') head += ` ${JSON.stringify(called)}`;
  if (isReferenced) head += ` [ref=${inside.ref}]`;
  for (const state of states) head += ` [${state}]`;
  const within = dom.isFrame(name) && (element as HTMLIFrameElement).contentWindow;
  if (within) head += ` ${frameNumber(within)}`;
  if (element === walk.focused) head += ' [focused]';
  if (inside.isOffscreen && !around.isOffscreen) head += ' [offscreen]';
  const value = traits.hasValue && seen === 'all' ? valueOf(element, name, isPrivate) : undefined;
  const inner: Item[] = [];
  put(walk, into, { head, inner, role, isUsed, ...(value && { value: oneLine(value) }) });
  const href = role === 'link' ? (dom.attribute(element, 'href') ?? '') : '';
  if (href !== '' && href.length <= LONGEST_LINK && !/^\s*(javascript|data):/i.test(href))
    put(walk, inner, { head: `/url: ${oneLine(href)}`, inner: [], role: '', isUsed: true });
  if (name === 'select') return visitOptions(walk, element as HTMLSelectElement, inner, isPrivate);
  if (value === undefined && !isPrivate) visitChildren(walk, met, inner, inside);
}

/** What shows as dots is not seen whole. */
const isSecretAs = ({ look }: Walk, element: Element, guard: Guard, seen: Place['seen']): boolean =>
  isSecretField(element, guard, seen !== 'all' && isMasked(getComputedStyle(element)), look.labelsOf);

function statesAs({ element, name, traits }: Met, role: string, isPrivate: boolean): string[] {
  const isUnusual = traits.hasOwnStates && hasUnusualState(element);
  if (!isUnusual && !isPrivate && !traits.isBox) return traits.states;
  return statesOf(element, role, name, { isPrivate, isUnusual, saysMore: traits.hasAria });
}

function put(walk: Walk, into: Item[], entry: Entry): void {
  into.push(entry);
  if (walk.filter === 'all' || entry.isUsed || entry.role === 'heading') walk.left -= entry.head.length + 3;
}

function visitChildren(walk: Walk, { element, name, count }: Met, into: Item[], around: Around): void {
  if (name === 'svg') for (const each of usedIn(element)) visit(walk, each, into, around);
  if (DRAWN.has(name)) return;
  const { isBlock } = around.kind;
  const isClosed = name === 'details' && dom.attribute(element, 'open') === null;
  const isTold = around.isOwnSeen && !around.isNamed && walk.left >= 0 && !isClosed;
  if (isBlock) endText(walk, into);
  const from = dom.drawnIn(element, name);
  if (from === element && count === 0) {
    if (isTold) addText(walk, into, dom.textContent(element) ?? '');
  } else if (from === element && !isTold && !isClosed)
    for (let each = dom.firstElementChild(element); each; each = dom.nextElementSibling(each))
      visit(walk, each, into, around);
  else
    for (const node of dom.composedChildren(element, name, from)) {
      const type = dom.nodeType(node);
      if (type === 3) {
        if (isTold) addText(walk, into, (node as Text).data);
      } else if (type === 1 && (!isClosed || dom.localName(node as Element) === 'summary'))
        visit(walk, node as Element, into, around);
    }
  if (isBlock) endText(walk, into);
}

/** The outermost parts of a drawing that can be used: nothing else of it is told. */
function usedIn(drawing: Element): Element[] {
  if (dom.childElementCount(drawing) === 0) return [];
  const used = new Set(dom.select(drawing, USED_IN_DRAWING));
  return [...used].filter((each) => {
    for (let at = dom.elementAround(each); at && at !== drawing; at = dom.elementAround(at))
      if (used.has(at)) return false;
    return true;
  });
}

/** An area is drawn by the picture that it belongs to. */
function isOnSeenPicture({ look }: Walk, area: Element): boolean {
  const picture = pictureOf(area);
  return picture !== undefined && look.placeOf(picture).seen !== 'none';
}

function addText(walk: Walk, into: Item[], text: string): void {
  if (walk.filter === 'all') walk.left -= Math.min(text.trim().length, LONGEST_TEXT);
  const last = into.at(-1);
  if (walk.text === into && typeof last === 'string') into[into.length - 1] = last + text;
  // What stands between two elements is not told.
  else if (/\S/.test(text)) {
    into.push(text);
    walk.text = into;
  }
}

/** What follows stands on another line. */
function endText(walk: Walk, into: Item[]): void {
  if (walk.text === into) walk.text = null;
}

/** They are not drawn until the list is opened, and can be chosen all the same. */
function visitOptions(walk: Walk, select: HTMLSelectElement, into: Item[], isPrivate: boolean): void {
  const nameIn = optionNamesOf(select);
  for (const option of select.options) {
    if (isBeyond(walk, into, 'option')) continue;
    const states = `${option.selected && !isPrivate ? ' [selected]' : ''}${option.disabled ? ' [disabled]' : ''}`;
    const head = `option ${JSON.stringify(nameIn(option))}${states}`;
    put(walk, into, { head, inner: [], role: 'option', isUsed: true });
  }
}

/** Whether so many entries of a list were told that this one is only counted, or it stands before those that are. */
function isBeyond(walk: Walk, into: Item[], role: string): boolean {
  const last = into.at(-1);
  if (walk.from > 0) walk.list ??= into;
  const isPaged = walk.list === into && (walk.passed += 1) > 0;
  if (isPaged && walk.passed < walk.from) return true;
  if (typeof last === 'object' && 'more' in last && last.of === role) return (last.more += 1) > 0;
  const isFull = isPaged ? walk.left < 0 : into.length >= walk.alike && countOf(into, role) >= walk.alike;
  if (isFull) into.push({ more: 1, of: role });
  return isFull;
}

/** Leaves of a list what there is room for, and says which entry is the next. */
function endPage({ from, filter }: Walk, list: Item[], most: number): void {
  let left = most - ABOUT_LIST;
  let told = 0;
  for (const [at, item] of list.entries()) {
    if (typeof item === 'string') continue;
    if ('more' in item) item.next = from + told;
    else if (ALIKE.test(item.role)) {
      for (const line of print(filter === 'all' ? [item] : usable(item), 2)) left -= line.length + 1;
      if (left < 0 && told > 0) {
        const rest = list.splice(at).filter((each) => typeof each === 'object');
        const more = rest.reduce((sum, each) => sum + ('more' in each ? each.more : 1), 0);
        list.push({ more, of: item.role, next: from + told });
        return;
      }
      told += 1;
    }
  }
}

const countOf = (items: Item[], role: string): number =>
  items.filter((item) => typeof item === 'object' && 'role' in item && item.role === role).length;

/**
 * Whether the field of a label is seen, and says its words as its name; or is a box for which its first label is drawn, told in
 * its place; undefined where there is none, or it is a button with words of its own. @param kind of the label
 */
function labelsSeen(
  { look }: Walk,
  label: HTMLLabelElement,
  kind: Kind,
): 'seen' | 'box' | 'hidden' | undefined {
  const { control } = label;
  if (!control) return undefined;
  const { seen } = dom.parentNode(control) === label ? look.placeIn(control, kind) : look.placeOf(control);
  if (seen !== 'none' || isTransparentField(control))
    return dom.localName(control) === 'button' ? undefined : 'seen';
  if (!isLabelledBox(control)) return 'hidden';
  const first = look.labelsOf(control).find((each) => look.placeOf(each).seen !== 'none');
  return first === label ? 'box' : 'seen';
}

/** Whether a press on it does something: its style or its markup says so, and what it lies in does not. */
const isPressable = ({ press }: Traits, kind: Kind, around: Around): boolean =>
  press === 'always' ||
  (!around.isNamed && (press === 'unless_named' || (kind.isPointed && !around.kind.isPointed)));

const canHaveFocus = (element: Element): boolean =>
  (element as HTMLElement).tabIndex >= 0 && !Element.prototype.matches.call(element, ':disabled, [inert] *');

/** Of the part of the page that the tab shows; where there is much in it, it is noted of what is inside. */
function isOutside(element: Element, count: number, inside: Around, shown: Walk['shown']): boolean {
  if (inside.lies !== 'anywhere') return inside.lies === 'far_off';
  const box = Element.prototype.getBoundingClientRect.call(element);
  const { top, bottom, left, right } = box;
  if (top >= shown.height || bottom <= 0 || left >= shown.width || right <= 0)
    return !(box.width === 0 && box.height === 0);
  if (count >= MANY) inside.lies = liesOf(element, box, shown);
  return false;
}

/**
 * Whether what lies in an element, unless it is moved, is so far above or below what the tab shows, or so well in it, that none of
 * it has to be asked: where each box is, is what costs the most.
 */
function liesOf(element: Element, box: DOMRect, { width, height }: Walk['shown']): Around['lies'] {
  const { top, bottom, left, right } = box;
  const isFarOff = bottom < -FAR || top > height + FAR;
  const isShown = top >= 0 && bottom <= height && left >= 0 && right <= width;
  if (!isFarOff && !isShown) return 'anywhere';
  const length = dom.scrollHeight(element);
  if (length > Math.ceil(bottom - top)) return 'anywhere';
  if (isFarOff) return 'far_off';
  // What has no box of its own, by `display: contents` or in a line, says nothing of where what is in it lies.
  return length === 0 || dom.scrollWidth(element) > Math.ceil(right - left) ? 'anywhere' : 'shown';
}

/** What can be used, with the headings and what it lies in. */
function usable(item: Item): Item[] {
  if (typeof item === 'string') return [];
  if ('more' in item) return [item];
  const inner = item.inner.flatMap(usable);
  return item.isUsed || item.role === 'heading' || inner.length > 0 ? [{ ...item, inner }] : [];
}

function print(items: Item[], depth: number, lines: string[] = []): string[] {
  const indent = '  '.repeat(depth);
  for (const item of items) {
    if (typeof item === 'string') {
      const text = shortened(item);
      if (text !== '') lines.push(`${indent}- text: ${text}`);
    } else if ('more' in item)
      lines.push(
        `${indent}- [and ${item.more} more of ${item.of}: give the reference of the list${item.next === undefined ? '' : `, and from ${item.next}`}]`,
      );
    else {
      const { head, value, inner } = item;
      const [only] = inner;
      const said = value ?? (inner.length === 1 && typeof only === 'string' ? only : undefined);
      if (said !== undefined) lines.push(`${indent}- ${head}: ${shortened(said)}`);
      else lines.push(`${indent}- ${head}${inner.length > 0 ? ':' : ''}`);
      if (inner.length > 0 && (value !== undefined || said === undefined)) print(inner, depth + 1, lines);
    }
  }
  return lines;
}

function shortened(text: string): string {
  const line = oneLine(text);
  return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT)}…` : line;
}
