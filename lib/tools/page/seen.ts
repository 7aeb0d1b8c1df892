import type { FrameReading } from '../../types/page.ts';
import * as dom from './dom.ts';
import { drawnRows } from './drawn.ts';
import { fieldText } from './fields.ts';
import { createLook, elsewhere, type Ground, type Look } from './hidden.ts';
import { withoutUnseen } from './unseen.ts';

/** Characters of text of one document, milliseconds, and levels: beyond that it is cut. */
const MOST_TEXT = 1_000_000;
const MOST_MS = 1_500;
const DEEPEST = 1_000;
/** Longer addresses are left out: a model has no use for them. */
const LONGEST_LINK = 500;
/** Pixels: smaller frames count visitors. */
const SMALLEST_FRAME = 50;

/** What holds around a node. */
type Place = Look['kind'] | null;

/** What the walk has found so far. */
type Walk = {
  html: string;
  text: number;
  hidden: number;
  isCut: boolean;
  frames: number;
  drawn: FrameReading['drawn'];
  steps: number;
  until: number;
  look: ReturnType<typeof createLook>;
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
const EMPTY: ReadonlySet<string> = new Set(['br', 'hr']);

/**
 * What a person sees of a document, in the order of its tree: through open shadow roots, slots and frames of the same
 * origin. Changes nothing in it.
 * @param within only what lies in this range
 */
export function readSeen(document: Document, within: Range | null = null): FrameReading {
  const walk: Walk = {
    html: '',
    text: 0,
    hidden: 0,
    isCut: false,
    frames: 0,
    drawn: [],
    steps: 0,
    until: performance.now() + MOST_MS,
    look: createLook(within ? null : groundUnder(document)),
    within,
  };
  const from = within ? elementOf(within.commonAncestorContainer) : dom.bodyOf(document);
  if (from) readElement(walk, from, null, 0);
  const { html, hidden, isCut, frames, drawn } = walk;
  const title = withoutUnseen(dom.titleOf(document)).text;
  const { URL: url, contentType } = document;
  return { url, title, contentType, html, hidden, isCut, frames, drawn };
}

/** What a range lies in; of a whole shadow tree its host. */
function elementOf(node: Node): Element | null {
  if (dom.isElement(node)) return node;
  return node instanceof ShadowRoot ? node.host : (dom.parentNode(node) as Element | null);
}

/** The canvas is white unless the page is in a dark scheme. */
function groundUnder(document: Document): Ground {
  const { colorScheme, backgroundColor, backgroundImage } = getComputedStyle(document.documentElement);
  if (backgroundImage !== 'none' || colorScheme.includes('dark')) return null;
  return backgroundColor.startsWith('rgb(') ? backgroundColor : 'rgb(255, 255, 255)';
}

function isOver(walk: Walk): boolean {
  if (walk.isCut) return true;
  walk.steps += 1;
  const isLate = walk.steps % 512 === 0 && performance.now() > walk.until;
  walk.isCut = isLate || walk.text > MOST_TEXT;
  return walk.isCut;
}

function readNode(walk: Walk, node: Node, within: Place, isOwnSeen: boolean, depth: number): void {
  if (isOver(walk)) return;
  const type = dom.nodeType(node);
  if (type === 3) readText(walk, node as Text, isOwnSeen);
  else if (type === 1) readElement(walk, node as Element, within, depth);
}

function readText(walk: Walk, node: Text, isSeen: boolean): void {
  const { within } = walk;
  if (within && !within.intersectsNode(node)) return;
  const data = within ? part(node, within) : node.data;
  if (!isSeen) return void (walk.hidden += data.trim().length);
  const { text, hidden } = withoutUnseen(data);
  walk.hidden += hidden;
  walk.text += text.length;
  walk.html += escaped(text);
}

function part(node: Text, { startContainer, startOffset, endContainer, endOffset }: Range): string {
  const end = endContainer === node ? endOffset : undefined;
  return node.data.slice(startContainer === node ? startOffset : 0, end);
}

function readElement(walk: Walk, element: Element, parent: Place, depth: number): void {
  const name = dom.localName(element);
  if (SKIPPED.has(name)) return;
  if (walk.within && !walk.within.intersectsNode(element)) return;
  if (depth > DEEPEST) return void (walk.isCut = true);
  const { seen, kind } = walk.look(element, name, parent);
  if (seen === 'none') return void (walk.hidden += lengthOf(element));
  const field = fieldText(element, name);
  if (field !== undefined) return void (seen === 'all' && (walk.html += `<span>${escaped(field)}</span>`));
  if (name === 'img') return readPicture(walk, element);
  if (name === 'iframe' || name === 'frame') return readFrame(walk, element, depth);
  const isBare = !Element.prototype.hasAttributes.call(element);
  const rows = isBare && name !== 'ul' ? undefined : drawnRows(element);
  if (rows) walk.drawn.push(rows);
  const tag = tagFor(name, kind);
  walk.html += isBare ? `<${tag}>` : `<${tag}${attributesOf(element, name)}>`;
  if (EMPTY.has(tag)) return;
  readChildren(walk, element, kind, seen === 'all', depth + 1);
  walk.html += `</${tag}>`;
}

function readChildren(walk: Walk, element: Element, kind: Place, isOwnSeen: boolean, depth: number): void {
  const shadow = dom.shadowRoot(element);
  const { within } = walk;
  if (shadow) walk.within = null; // a range knows nothing of another tree
  if (element instanceof HTMLSlotElement) {
    const assigned = element.assignedNodes({ flatten: true });
    if (assigned.length > 0) {
      for (const node of assigned) readNode(walk, node, kind, isOwnSeen, depth);
      return;
    }
  }
  const isClosed = element instanceof HTMLDetailsElement && !element.open;
  for (let node = dom.firstChild(shadow ?? element); node; node = dom.nextSibling(node)) {
    if (isOver(walk)) return;
    if (!isClosed || (dom.isElement(node) && dom.localName(node) === 'summary'))
      readNode(walk, node, kind, isOwnSeen, depth);
    else walk.hidden += lengthOf(node);
  }
  walk.within = within;
}

/** Characters of it; what is never shown, such as a script, has none. */
function lengthOf(node: Node): number {
  if (dom.isElement(node) && SKIPPED.has(dom.localName(node))) return 0;
  return (dom.textContent(node) ?? '').trim().length;
}

function readPicture(walk: Walk, element: Element): void {
  const words = withoutUnseen(dom.attribute(element, 'alt') ?? '').text.trim();
  if (words !== '') walk.html += `<img alt="${escaped(words)}">`;
}

function readFrame(walk: Walk, element: Element, depth: number): void {
  const { width, height } = Element.prototype.getBoundingClientRect.call(element);
  if (width < SMALLEST_FRAME || height < SMALLEST_FRAME || walk.within) return;
  const inner = dom.frameDocument(element);
  const body = inner && dom.bodyOf(inner);
  if (!body) return void (walk.frames += 1);
  walk.html += '<div>';
  readElement(walk, body, elsewhere, depth + 1);
  walk.html += '</div>';
}

function tagFor(name: string, { display }: Look['kind']): string {
  if (KEPT.has(name)) return name;
  return display.startsWith('inline') || display === 'contents' ? 'span' : 'div';
}

function attributesOf(element: Element, name: string): string {
  if (name === 'a') return linkOf(element as HTMLAnchorElement);
  if (name === 'td' || name === 'th') return named(element, 'colspan');
  if (name === 'ol') return named(element, 'start');
  if (name === 'code' || name === 'pre') return named(element, 'class');
  // By these an extractor tells what is beside the point.
  return name === 'p' || name === 'li' || name === 'tr'
    ? ''
    : named(element, 'class') + named(element, 'id') + named(element, 'role');
}

function named(element: Element, name: string): string {
  const value = dom.attribute(element, name);
  return value === null || value === '' ? '' : ` ${name}="${escaped(value.slice(0, 100))}"`;
}

function linkOf({ href }: HTMLAnchorElement): string {
  const isUsed = typeof href === 'string' && href.length <= LONGEST_LINK && /^(https?|mailto):/.test(href);
  return isUsed ? ` href="${escaped(href)}"` : '';
}

const marks: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string =>
  /[&<>"]/.test(text) ? text.replace(/[&<>"]/g, (mark) => marks[mark] ?? mark) : text;
