import * as dom from './dom.ts';
import { fieldText } from './fields.ts';
import { createLook, type Look } from './hidden.ts';
import { oneLine, textIn } from './inner-words.ts';
import { refOf } from './refs.ts';

/** Entries of one document; more are said to be there. */
const MOST = 500;
/** Milliseconds; what of a huge document is not found by then is left out. */
const MOST_MS = 1_500;
const LONGEST_NAME = 120;
/** Characters of a page's text that are looked at for a name. */
const LONGEST_TEXT = 2_000;

const SELECTOR =
  'h1, h2, h3, h4, h5, h6, main, nav, aside, header, footer, form, a[href], button, input, select, textarea, summary, ' +
  '[role], [contenteditable=""], [contenteditable="true"], [onclick], [tabindex="0"]';
/** Roles that only say how something looks or belongs together. */
const UNLISTED =
  /^(presentation|none|generic|group|list|listitem|row|rowgroup|cell|gridcell|img|text|status|log|paragraph)$/;
const roles: Record<string, string> = {
  a: 'link',
  aside: 'complementary',
  footer: 'contentinfo',
  header: 'banner',
  main: 'main',
  nav: 'navigation',
  select: 'combobox',
  summary: 'button',
  textarea: 'textbox',
};

/**
 * Headings, landmarks and what can be used of this document, in its order, a line each:
 * `[e7] heading 2: Ships`, `[e8] textbox: Name [Ada]`. Empty where there is none.
 */
export function readOutline(document: Document): string {
  const until = performance.now() + MOST_MS;
  const found = dom.selectDeep(document, SELECTOR, until).filter(isListed);
  const look = createLook(document);
  const lines: string[] = [];
  let at = 0;
  for (; at < found.length && lines.length < MOST && performance.now() < until + MOST_MS; at += 1) {
    const element = found[at];
    const seen = element && look.placeOf(element).seen;
    if (seen && seen !== 'none') lines.push(lineOf(look, element, seen === 'all'));
  }
  const more = found.length - at;
  return [...lines, ...(more > 0 ? [`[and ${more} more]`] : [])].join('\n');
}

function isListed(element: Element): boolean {
  if (UNLISTED.test(dom.attribute(element, 'role') ?? '')) return false;
  if (element instanceof HTMLInputElement && element.type === 'hidden') return false;
  return Element.prototype.checkVisibility.call(element, { opacityProperty: true, visibilityProperty: true });
}

function lineOf(look: Look, element: Element, isOwnSeen: boolean): string {
  const name = dom.localName(element);
  const level = /^h([1-6])$/.exec(name)?.[1];
  const role = (dom.attribute(element, 'role') ?? (level ? 'heading' : roleOf(element, name))).slice(0, 30);
  const value = isOwnSeen && fieldText(element, name)?.trim().slice(0, LONGEST_NAME);
  const parts = [level ? `${role} ${level}` : role, nameOf(look, element)].filter((part) => part !== '');
  return `[${refOf(element)}] ${parts.join(': ')}${value ? ` ${value}` : ''}`;
}

function roleOf(element: Element, name: string): string {
  if (element instanceof HTMLInputElement)
    return /^(checkbox|radio|range)$/.test(element.type) ? element.type : 'textbox';
  return roles[name] ?? name;
}

/** About what assistive technology calls it (https://w3c.github.io/accname/). */
function nameOf(look: Look, element: Element): string {
  const by = dom.attribute(element, 'aria-labelledby');
  const spoken =
    by && by.split(/\s+/).map((id) => element.ownerDocument.getElementById(id)?.textContent ?? '');
  const labels = 'labels' in element ? (element as HTMLInputElement).labels : null;
  const isField = /^(input|textarea|select|main|nav|aside|header|footer|form)$/.test(dom.localName(element));
  const candidates = [
    dom.attribute(element, 'aria-label'),
    spoken && spoken.join(' '),
    labels?.[0]?.textContent,
    isField ? null : textIn({ look, hidden: 0, left: LONGEST_TEXT }, element),
    dom.attribute(element, 'alt'),
    dom.attribute(element, 'placeholder'),
    dom.attribute(element, 'title'),
  ];
  const lines = candidates.map((text) => oneLine((text ?? '').slice(0, LONGEST_TEXT)));
  return (lines.find((line) => line !== '') ?? '').slice(0, LONGEST_NAME);
}
