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

const ownTags = '#text div p h1 h2 h3 h4 h5 h6 hr a code span table thead tr th td'.split(' ');

const prose: Config = {
  ALLOWED_TAGS: [...inertTags, ...ownTags],
  ALLOWED_ATTR: ['href', 'title', 'dir', 'scope'],
  ADD_URI_SAFE_ATTR: ['dir', 'scope'],
  ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i,
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

/** The gate that everything drawn from a model's words goes through before it is in the page. */
export function sanitise(root: HTMLElement): void {
  prosePurifier.sanitize(root, { IN_PLACE: true });
}

/**
 * KaTeX's output as MathML and nothing else. Its inline styles go before the browser reads it, which would report each to
 * the console; a quote inside a text is escaped there, so nothing but an attribute looks like one.
 */
export const sanitiseFormula = (html: string): DocumentFragment =>
  formulaPurifier.sanitize(html.replace(/ style="[^"]*"/g, ''), { RETURN_DOM_FRAGMENT: true });
