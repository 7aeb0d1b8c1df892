import type { FrameReading } from '../../../types/page.ts';
import * as dom from '../dom/dom.ts';
import { fieldText } from '../dom/fields/private-fields.ts';
import { createLook, type Kind, kindOn, type Look } from '../dom/visibility/hidden.ts';
import { isSecretEditor } from '../dom/roles.ts';
import { drawnRows } from './tables.ts';
import { withoutUnseen } from './unseen.ts';

/** Characters of text of one document, milliseconds, and levels: beyond that it is cut. */
const MOST_TEXT = 1_000_000;
const MOST_MS = 1_500;
const DEEPEST = 1_000;
/** Pixels: smaller frames count visitors. */
const SMALLEST_FRAME = 50;
/** Characters: no tab shows as many. */
const LONGEST_TITLE = 2_000;
/** Characters: what is longer is no page, but a document of its own (`data:`). */
const LONGEST_ADDRESS = 2_000;

/** How elements of a kind are written down, but for `href` and `id`, in which they differ. */
type Mark = {
  open: string;
  /** An id follows, and the end of the tag. */
  hasId: boolean;
  /** Empty for an element that holds nothing. */
  close: string;
  isField: boolean;
  /** It may be one of which the page draws only a part. */
  isRows: boolean;
  /** It may have a shadow tree. */
  isHost: boolean;
};

/** What the walk has found so far. */
type Walk = {
  /** In pieces: joined at the end they make less garbage. */
  html: string[];
  text: number;
  hidden: number;
  isCut: boolean;
  frames: string[];
  drawn: FrameReading['drawn'];
  steps: number;
  until: number;
  look: Look;
  marks: Map<Kind, Mark>;
  /** In a frame, whose links are relative to another address. */
  isInner: boolean;
  /** Only what lies in it is read. */
  within: Range | null;
};

/** What holds nothing to read. */
const SKIPPED: ReadonlySet<string> = new Set(
  'script style template noscript svg canvas video audio object embed head link meta'.split(' '),
);
/** Tags that mean something; anything else becomes a box or a part of a line. */
const KEPT: ReadonlySet<string> = new Set(
  (
    'p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption thead tbody tfoot tr th td blockquote pre code a em i strong b ' +
    'del s sub sup br hr article main section nav aside header footer figure figcaption address time summary details kbd'
  ).split(' '),
);
/** The commonest of those that no script can give a shadow tree (https://dom.spec.whatwg.org/#valid-shadow-host-name). */
const HOSTLESS: ReadonlySet<string> = new Set('a em i strong b li ul ol td tr th code br'.split(' '));
const EMPTY: ReadonlySet<string> = new Set(['br', 'hr']);

/**
 * What a user sees of a document, in the order of its tree: through open shadow roots, slots and frames of the same
 * origin. Changes nothing in it.
 * @param within only what lies in this range
 */
export function readSeen(document: Document, within: Range | null = null): FrameReading {
  const walk: Walk = {
    html: [],
    text: 0,
    hidden: 0,
    isCut: false,
    frames: [],
    drawn: [],
    steps: 0,
    until: performance.now() + MOST_MS,
    look: createLook(document),
    marks: new Map(),
    isInner: false,
    within,
  };
  const from = within ? elementOf(within.commonAncestorContainer) : dom.bodyOf(document);
  // The user who selected it saw what it lies in.
  if (from) readElement(walk, from, walk.look.kindAround(from), 0);
  const { html, hidden, isCut, frames, drawn } = walk;
  const title = withoutUnseen(dom.titleOf(document).slice(0, LONGEST_TITLE)).text;
  const { URL: url, baseURI: base, contentType } = document;
  return { url, title, contentType, html: html.join(''), base, hidden, isCut, frames, drawn };
}

/** What a range lies in; of a whole shadow tree its host. */
export function elementOf(node: Node): Element | null {
  if (dom.isElement(node)) return node;
  return node instanceof ShadowRoot ? node.host : (dom.parentNode(node) as Element | null);
}

function isOver(walk: Walk): boolean {
  if (walk.isCut) return true;
  walk.steps += 1;
  const isLate = walk.steps % 512 === 0 && performance.now() > walk.until;
  walk.isCut = isLate || walk.text > MOST_TEXT;
  return walk.isCut;
}

function readNode(walk: Walk, node: Node, within: Kind, isOwnSeen: boolean, depth: number): void {
  const type = dom.nodeType(node);
  if (type === 3) readText(walk, node as Text, isOwnSeen);
  else if (type === 1) readElement(walk, node as Element, within, depth);
}

function readText(walk: Walk, node: Text, isSeen: boolean): void {
  const { within } = walk;
  if (within && !within.intersectsNode(node)) return;
  readWords(walk, within ? part(node, within) : node.data, isSeen);
}

function readWords(walk: Walk, data: string, isSeen: boolean): void {
  if (!isSeen) return void (walk.hidden += data.trim().length);
  walk.html.push(escaped(take(walk, data)));
}

/** As much of a text as there is room for. */
function take(walk: Walk, text: string): string {
  const room = MOST_TEXT - walk.text;
  walk.text += text.length;
  if (text.length <= room) return text;
  walk.isCut = true;
  return text.slice(0, Math.max(room, 0));
}

function part(node: Text, { startContainer, startOffset, endContainer, endOffset }: Range): string {
  const end = endContainer === node ? endOffset : undefined;
  return node.data.slice(startContainer === node ? startOffset : 0, end);
}

function readElement(walk: Walk, element: Element, parent: Kind, depth: number): void {
  const name = dom.localName(element);
  if (SKIPPED.has(name)) return;
  if (walk.within && !walk.within.intersectsNode(element)) return;
  if (depth > DEEPEST) return void (walk.isCut = true);
  const { seen, kind } = walk.look.at(element, parent, name);
  if (seen === 'none') return void (walk.hidden += lengthOf(element));
  const mark = walk.marks.get(kind) ?? markOf(walk, element, name, kind);
  if (mark.isField || (kind.isTextbox && isSecretEditor(element))) {
    const field = fieldText(element, name) ?? '';
    return void (seen === 'all' && walk.html.push(`<span>${escaped(take(walk, field))}</span>`));
  }
  if (name === 'img') return readPicture(walk, element);
  if (dom.isFrame(name)) return seen === 'all' ? readFrame(walk, element, depth) : undefined;
  const rows = mark.isRows ? drawnRows(element) : undefined;
  if (rows) walk.drawn.push(rows);
  const open = name === 'a' ? `<a${linkOf(walk, element)}>` : mark.open;
  walk.html.push(mark.hasId ? `${open}${named(element, 'id')}>` : open);
  if (mark.close === '') return;
  const shadow = mark.isHost ? dom.shadowRoot(element) : null;
  readChildren(walk, element, name, { kind, shadow, isOwnSeen: seen === 'all', depth: depth + 1 });
  walk.html.push(mark.close);
}

function markOf(walk: Walk, element: Element, name: string, kind: Kind): Mark {
  const tag = tagFor(name, kind);
  const told = attributesOf(name);
  const hasId = told.includes('role') && dom.attribute(element, 'id') !== null;
  const mark = {
    open: `<${tag}${told.map((each) => named(element, each)).join('')}${hasId ? '' : '>'}`,
    hasId,
    close: EMPTY.has(tag) ? '' : `</${tag}>`,
    isField: fieldText(element, name) !== undefined,
    isRows: name === 'ul' || named(element, 'aria-rowcount') + named(element, 'role') !== '',
    isHost: !HOSTLESS.has(name),
  };
  walk.marks.set(kind, mark);
  return mark;
}

function readChildren(
  walk: Walk,
  element: Element,
  name: string,
  at: { kind: Kind; shadow: ShadowRoot | null; isOwnSeen: boolean; depth: number },
): void {
  const { kind, shadow, isOwnSeen, depth } = at;
  const { within } = walk;
  if (shadow) {
    walk.within = null; // a range knows nothing of another tree
    walk.hidden += withoutSlot(element);
  }
  if (name === 'slot' && 'assignedNodes' in element) {
    const assigned = (element as HTMLSlotElement).assignedNodes({ flatten: true });
    if (assigned.length > 0) {
      for (const node of assigned) if (!isOver(walk)) readNode(walk, node, kind, isOwnSeen, depth);
      return;
    }
  }
  const isClosed = name === 'details' && dom.attribute(element, 'open') === null;
  // Most hold text alone: it is had at once.
  if (!shadow && !within && !isClosed && dom.childElementCount(element) === 0)
    return void readWords(walk, dom.textContent(element) ?? '', isOwnSeen);
  for (let node = dom.firstChild(shadow ?? element); node; node = dom.nextSibling(node)) {
    if (isOver(walk)) return;
    if (!isClosed || (dom.isElement(node) && dom.localName(node) === 'summary'))
      readNode(walk, node, kind, isOwnSeen, depth);
    else walk.hidden += lengthOf(node);
  }
  walk.within = within;
}

/** Characters in a shadow host that stand in none of its tree's slots: they are not shown. */
function withoutSlot(host: Element): number {
  let length = 0;
  for (let node = dom.firstChild(host); node; node = dom.nextSibling(node))
    if (!(node as Text | Element).assignedSlot) length += lengthOf(node);
  return length;
}

/** Characters of it; what is never shown, such as a script, has none. */
function lengthOf(node: Node): number {
  if (dom.isElement(node) && SKIPPED.has(dom.localName(node))) return 0;
  return (dom.textContent(node) ?? '').trim().length;
}

function readPicture(walk: Walk, element: Element): void {
  const words = (dom.attribute(element, 'alt') ?? '').trim();
  if (words !== '') walk.html.push(`<img alt="${escaped(take(walk, words))}">`);
}

function readFrame(walk: Walk, element: Element, depth: number): void {
  const { width, height } = Element.prototype.getBoundingClientRect.call(element);
  if (width < SMALLEST_FRAME || height < SMALLEST_FRAME || walk.within) return;
  const inner = dom.frameDocument(element);
  const body = inner && dom.bodyOf(inner);
  if (!body) {
    const { src } = element as HTMLIFrameElement;
    return void walk.frames.push(src.length > LONGEST_ADDRESS ? '' : src);
  }
  const { isInner } = walk;
  walk.isInner = true;
  walk.html.push('<div>');
  readElement(walk, body, kindOn(null), depth + 1); // what its document stands on is not known
  walk.html.push('</div>');
  walk.isInner = isInner;
}

function tagFor(name: string, { display }: Kind): string {
  if (KEPT.has(name)) return name;
  return display.startsWith('inline') || display === 'contents' ? 'span' : 'div';
}

/** The attributes that are kept, which tell an extractor what is beside the point; where the role is one, the id is, too. */
function attributesOf(name: string): string[] {
  if (name === 'td' || name === 'th') return ['colspan'];
  if (name === 'ol') return ['start'];
  if (name === 'code' || name === 'pre') return ['class'];
  return name === 'a' || name === 'p' || name === 'li' || name === 'tr' ? [] : ['class', 'role'];
}

function named(element: Element, name: string): string {
  const value = dom.attribute(element, name);
  return value === null || value === '' ? '' : ` ${name}="${escaped(value.slice(0, 100))}"`;
}

function linkOf({ isInner }: Walk, link: Element): string {
  const href = isInner ? (link as HTMLAnchorElement).href : dom.attribute(link, 'href');
  return typeof href === 'string' ? ` href="${escaped(href)}"` : '';
}

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string =>
  /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (mark) => marks[mark] ?? mark) : text;
