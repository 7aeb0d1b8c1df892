import * as dom from './dom/dom.ts';
import { isSecret } from './dom/fields.ts';
import { createLook, type Kind, type Look, type Place } from './dom/hidden.ts';
import { oneLine } from './dom/inner-words.ts';
import { nameOf } from './dom/names.ts';
import { elementOf, refOf, startTelling } from './dom/refs.ts';
import { isNamedByContent, isSecretEditor, roleOf, statesOf, valueOf } from './dom/roles.ts';
import { createRows } from './dom/rows.ts';
import { isTransparentField, transparentFields } from './dom/transparent.ts';

/** Characters of a document's lines, about 8,000 tokens; of one text or value, and of an address. */
const MOST = 27_000;
const LONGEST_TEXT = 300;
const LONGEST_LINK = 300;
/** Entries of one list, table or menu; more are counted, and told when its reference is given. */
const MOST_ALIKE = 30;
/** Milliseconds; what of a huge document is not found by then is left out. */
const MOST_MS = 1_500;
const DEEPEST = 1_000;
/** Elements from one look at the clock to the next, which takes as long as a good part of one. */
const BETWEEN_CLOCKS = 32;

const SKIPPED = /^(script|style|template|noscript|head|link|meta|object|embed)$/;
/** What draws itself: nothing but its role and name is told of it. */
const DRAWN = /^(svg|canvas|video|audio|iframe|frame)$/;
/** Entries of which there may be thousands. */
const ALIKE = /^(listitem|row|option|treeitem|menuitem|article)$/;
/** Roles that need no reference, as long as a press on them does nothing. */
const UNREFERENCED =
  /^(paragraph|listitem|row|rowgroup|cell|columnheader|rowheader|definition|term|img|blockquote|separator|caption)$/;
const INTERACTIVE =
  /^(button|link|checkbox|radio|switch|textbox|searchbox|combobox|listbox|option|slider|spinbutton|tab|menuitem\w*|treeitem)$/;

/** `interactive`: only what can be used, with the headings and what it lies in. */
export type Filter = 'all' | 'interactive';

/** An element with what lies in it, text, or how many entries are left out. */
type Entry = { head: string; value?: string; inner: Item[]; role: string; isUsed: boolean };
type Item = Entry | string | { more: number; of: string };

type Walk = {
  look: Look;
  rowOf: (element: Element) => string;
  until: number;
  visited: number;
  isCut: boolean;
  focused: Element | null;
  /** Entries of one list that are told. */
  alike: number;
  /** Pixels that the tab shows. */
  shown: { width: number; height: number };
};

/** What holds for what lies in an element. */
type Around = {
  kind: Kind;
  isOwnSeen: boolean;
  /** Its text stands in a name already. */
  isNamed: boolean;
  isOffscreen: boolean;
  /** The reference of the innermost that has one. */
  ref: string;
  depth: number;
};

/**
 * The accessibility tree of what is seen of this document, as indented lines: `- textbox "Name" [ref=e8] [required]: Ada`
 * (https://playwright.dev/docs/aria-snapshots). Empty where there is nothing, or the reference is not of this document.
 * @param ref of an element: only what lies in it, with all entries of its lists
 */
export function readSnapshot(document: Document, ref = '', filter: Filter = 'all', most = MOST): string {
  const whole = ref === '' ? dom.bodyOf(document) : elementOf(ref);
  if (!whole) return '';
  const { items, isCut } = itemsOf(document, whole, ref === '' && most === MOST ? MOST_ALIKE : Infinity);
  const lines = print(filter === 'all' ? items : items.flatMap(usable), 0);
  let left = most;
  const kept = lines.filter(({ length }) => (left -= length + 1) >= 0 || left + length + 1 === most);
  const more = lines.length - kept.length;
  return [
    ...kept,
    ...(more > 0 ? [`[and ${more} more lines: give the reference of a part, or filter "interactive"]`] : []),
    ...(isCut ? [CUT] : []),
  ].join('\n');
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
  const { items, isCut } = itemsOf(document, body, Infinity);
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

function itemsOf(document: Document, from: Element, alike: number): { items: Item[]; isCut: boolean } {
  const { defaultView: view } = document;
  const look = createLook(document);
  startTelling();
  const walk: Walk = {
    look,
    rowOf: createRows(look),
    until: performance.now() + MOST_MS,
    visited: 0,
    isCut: false,
    focused: dom.focused(document),
    alike,
    shown: { width: view?.innerWidth ?? 0, height: view?.innerHeight ?? 0 },
  };
  const items: Item[] = [];
  const around = { isOwnSeen: true, isNamed: false, isOffscreen: false, ref: '', depth: 0 };
  if (walk.look.placeOf(from).seen !== 'none')
    visit(walk, from, items, { ...around, kind: walk.look.kindAround(from) });
  return { items, isCut: walk.isCut };
}

function visit(walk: Walk, element: Element, into: Item[], around: Around): void {
  const name = dom.localName(element);
  if (SKIPPED.test(name)) return;
  walk.visited += 1;
  const isLate = walk.visited % BETWEEN_CLOCKS === 0 && performance.now() > walk.until;
  walk.isCut ||= around.depth > DEEPEST || isLate;
  if (walk.isCut) return;
  const { seen, kind } = walk.look.at(element, around.kind, name);
  if (seen === 'none') {
    for (const field of transparentFields(element, name, walk.until))
      tell(walk, field, into, around, { seen: 'not_own', kind });
  } else tell(walk, element, into, around, { seen, kind });
}

/** @param place how it is seen, and its kind */
function tell(walk: Walk, element: Element, into: Item[], around: Around, { seen, kind }: Place): void {
  const name = dom.localName(element);
  const found = roleOf(element, name);
  const labels = name === 'label' ? labelsSeen(walk, element as HTMLLabelElement) : undefined;
  const isUsed =
    INTERACTIVE.test(found) || (labels ? labels === 'hidden' : isPressable(element, kind, around));
  const role = found || (isUsed ? 'generic' : '');
  const isNamedInside = around.isNamed || labels === 'seen';
  const inside = {
    ...around,
    kind,
    isOwnSeen: seen === 'all',
    isNamed: isNamedInside,
    depth: around.depth + 1,
  };
  if (role === '' || (around.isNamed && !isUsed)) return visitChildren(walk, element, name, into, inside);
  if (ALIKE.test(role) && isBeyond(walk, into, role)) return;
  const isOffscreen = around.isOffscreen || isOutside(element, walk.shown);
  const label = nameOf(walk.look, element, role);
  const states = statesOf(element, role, name);
  if (element === walk.focused) states.push('focused');
  if (isOffscreen && !around.isOffscreen) states.push('offscreen');
  const isReferenced = isUsed || !UNREFERENCED.test(role);
  const row = isReferenced && label !== '' ? walk.rowOf(element) : '';
  const ref = isReferenced ? refOf(element, { role, label, within: around.ref, row }) : '';
  const head = [
    role,
    ...(label === '' ? [] : [JSON.stringify(label)]),
    ...(isReferenced ? [`[ref=${ref}]`] : []),
    ...states.map((state) => `[${state}]`),
  ].join(' ');
  const value = seen === 'all' ? valueOf(element, name) : undefined;
  const inner: Item[] = [];
  into.push({ head, inner, role, isUsed, ...(value && { value: oneLine(value) }) });
  const href = role === 'link' ? (dom.attribute(element, 'href') ?? '') : '';
  if (href !== '' && href.length <= LONGEST_LINK && !/^\s*(javascript|data):/i.test(href))
    inner.push({ head: `/url: ${oneLine(href)}`, inner: [], role: '', isUsed: true });
  if (name === 'select') return visitOptions(walk, element as HTMLSelectElement, inner);
  if (value !== undefined || DRAWN.test(name)) return;
  const isNamed = around.isNamed || (label !== '' && isNamedByContent(role));
  visitChildren(walk, element, name, inner, { ...inside, isNamed, isOffscreen, ref: ref || around.ref });
}

function visitChildren(walk: Walk, element: Element, name: string, into: Item[], around: Around): void {
  if (DRAWN.test(name) || isSecretEditor(element)) return;
  const { display } = around.kind;
  const isBlock = (!display.startsWith('inline') && display !== 'contents') || name === 'br';
  const endText = (): void => void (isBlock && typeof into.at(-1) === 'string' && into.push(''));
  endText();
  const isClosed = name === 'details' && dom.attribute(element, 'open') === null;
  for (const node of dom.composedChildren(element)) {
    if (dom.isElement(node)) {
      if (!isClosed || dom.localName(node) === 'summary') visit(walk, node, into, around);
    } else if (dom.nodeType(node) === 3 && around.isOwnSeen && !around.isNamed && !isClosed) {
      const last = into.at(-1);
      if (typeof last === 'string') into[into.length - 1] = last + (node as Text).data;
      else into.push((node as Text).data);
    }
  }
  endText();
}

/** They are not drawn until the list is opened, and can be chosen all the same. */
function visitOptions(walk: Walk, select: HTMLSelectElement, into: Item[]): void {
  const isPrivate = isSecret(select);
  for (const option of select.options) {
    if (isBeyond(walk, into, 'option')) continue;
    const states = `${option.selected && !isPrivate ? ' [selected]' : ''}${option.disabled ? ' [disabled]' : ''}`;
    const head = `option ${JSON.stringify(oneLine(option.label))}${states}`;
    into.push({ head, inner: [], role: 'option', isUsed: true });
  }
}

/** Whether so many entries of a list were told that this one is only counted. */
function isBeyond({ alike }: Walk, into: Item[], role: string): boolean {
  const last = into.at(-1);
  if (typeof last === 'object' && 'more' in last && last.of === role) last.more += 1;
  else if (alike === Infinity || into.filter((item) => isOf(item, role)).length < alike) return false;
  else into.push({ more: 1, of: role });
  return true;
}

const isOf = (item: Item, role: string): boolean =>
  typeof item === 'object' && 'role' in item && item.role === role;

/** Whether the field of a label is seen, and says its words as its name; undefined where there is none. */
function labelsSeen({ look }: Walk, { control }: HTMLLabelElement): 'seen' | 'hidden' | undefined {
  if (!control) return undefined;
  return look.placeOf(control).seen === 'none' && !isTransparentField(control) ? 'hidden' : 'seen';
}

/** Whether a press on it does something: its style or its markup says so, and what it lies in does not. */
function isPressable(element: Element, kind: Kind, around: Around): boolean {
  const isPointed = kind.isPointed && !around.kind.isPointed && !around.isNamed;
  const isLink = dom.localName(element) === 'a';
  if (!isLink && !dom.hasAttributes(element)) return isPointed;
  const tabindex = dom.attribute(element, 'tabindex');
  // A widget with a tag of its own may keep its role to itself (ElementInternals), and what of it has the focus moves.
  const isWidget = tabindex !== null && dom.localName(element).includes('-');
  if (dom.attribute(element, 'onclick') !== null || tabindex === '0' || isWidget) return true;
  if (dom.attribute(element, 'draggable') === 'true') return true;
  // Neither a link nor the target of one: what is done at a press a script says.
  if (isLink && Element.prototype.matches.call(element, ':not([href], [name], [id])')) return !around.isNamed;
  return isPointed;
}

/** Of the part of the page that the tab shows. */
function isOutside(element: Element, shown: Walk['shown']): boolean {
  const box = Element.prototype.getBoundingClientRect.call(element);
  return (
    (box.top >= shown.height || box.bottom <= 0 || box.left >= shown.width || box.right <= 0) &&
    !(box.width === 0 && box.height === 0)
  );
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
      lines.push(`${indent}- [and ${item.more} more of ${item.of}: give the reference of the list]`);
    else {
      const { head, value } = item;
      const inner = item.inner.filter((each) => typeof each !== 'string' || each.trim() !== '');
      const [only] = inner;
      const said = value ?? (inner.length === 1 && typeof only === 'string' ? only : undefined);
      if (said !== undefined) lines.push(`${indent}- ${head}: ${shortened(said)}`);
      else lines.push(`${indent}- ${head}${inner.length > 0 ? ':' : ''}`);
      if (value !== undefined || said === undefined) print(inner, depth + 1, lines);
    }
  }
  return lines;
}

function shortened(text: string): string {
  const line = oneLine(text);
  return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT)}…` : line;
}
