import createDOMPurify, { type Config } from 'dompurify';

/** Elements of the model's own HTML that live on, without attributes; all others are shown as text. */
export const inertTags = new Set([
  'b',
  'br',
  'del',
  'em',
  'i',
  'ins',
  'kbd',
  'mark',
  's',
  'small',
  'strong',
  'sub',
  'sup',
  'u',
]);

const ownTags = 'div p h1 h2 h3 h4 h5 h6 hr a code span table thead tr th td'.split(' ');
const tags = new Set([...inertTags, ...ownTags]);
const attributes = new Set(['href', 'title', 'dir', 'scope']);
const ADDRESS = /^(?:https?:\/\/|mailto:)/i;

const prose: Config = {
  ALLOWED_TAGS: [...tags, '#text'],
  ALLOWED_ATTR: [...attributes],
  ADD_URI_SAFE_ATTR: ['dir', 'scope'],
  ALLOWED_URI_REGEXP: ADDRESS,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  IN_PLACE: true,
};
const formula: Config = {
  USE_PROFILES: { mathMl: true },
  ADD_TAGS: ['semantics'],
  FORBID_TAGS: ['annotation', 'annotation-xml', 'maction', 'a', 'style'],
  FORBID_CONTENTS: ['annotation', 'annotation-xml'],
  FORBID_ATTR: ['style', 'class', 'href', 'xlink:href', 'src', 'id', 'name'],
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

const [prosePurifier, formulaPurifier] = [createDOMPurify(window), createDOMPurify(window)];
prosePurifier.setConfig(prose);
formulaPurifier.setConfig(formula);

/** Whether the sanitiser would let an element by as it is. */
const isKnown = (element: Element): boolean =>
  element instanceof HTMLElement &&
  tags.has(element.localName) &&
  element
    .getAttributeNames()
    .every(
      (name) => attributes.has(name) && (name !== 'href' || ADDRESS.test(element.getAttribute(name) ?? '')),
    );

/**
 * The gate that everything drawn from a model's words goes through before it is in the page. What is drawn is known, by all
 * that we know: then there is nothing to take out, and looking for it would be a third of what a long answer costs to draw.
 */
export function sanitise(root: HTMLElement): void {
  if (![...root.querySelectorAll('*')].every(isKnown)) prosePurifier.sanitize(root, { IN_PLACE: true });
}

/**
 * KaTeX's output as MathML and nothing else. Its inline styles go before the browser reads it, which would report each to
 * the console; a quote inside a text is escaped there, so nothing but an attribute looks like one.
 */
export const sanitiseFormula = (html: string): DocumentFragment =>
  formulaPurifier.sanitize(html.replace(/ style="[^"]*"/g, ''), { RETURN_DOM_FRAGMENT: true });
