import * as dom from './dom.ts';
import { isSecret } from './fields/private-fields.ts';

/** What elements are by their names (https://w3c.github.io/html-aria/#docconformance); what is not here is a box or a part of a line. */
const ROLES: Record<string, string> = {
  article: 'article',
  aside: 'complementary',
  blockquote: 'blockquote',
  button: 'button',
  caption: 'caption',
  dd: 'definition',
  details: 'group',
  dialog: 'dialog',
  dt: 'term',
  fieldset: 'group',
  figure: 'figure',
  footer: 'contentinfo',
  form: 'form',
  header: 'banner',
  hr: 'separator',
  iframe: 'iframe',
  li: 'listitem',
  main: 'main',
  menu: 'list',
  meter: 'meter',
  nav: 'navigation',
  ol: 'list',
  output: 'status',
  p: 'paragraph',
  progress: 'progressbar',
  search: 'search',
  select: 'combobox',
  summary: 'button',
  table: 'table',
  td: 'cell',
  textarea: 'textbox',
  th: 'columnheader',
  tr: 'row',
  ul: 'list',
};
const INPUTS: Record<string, string> = {
  button: 'button',
  checkbox: 'checkbox',
  image: 'button',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  search: 'searchbox',
  submit: 'button',
};
/** In which a header or a footer is that of a part of the page alone (https://w3c.github.io/html-aam/#el-header). */
const PARTS = 'article, aside, main, nav, section';
/** https://w3c.github.io/aria/#role_definitions */
const KNOWN: ReadonlySet<string> = new Set(
  `alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox comment
  complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell group
  heading img image insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox
  menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup
  rowheader scrollbar search searchbox separator slider spinbutton status strong subscript suggestion superscript switch tab
  table tablist tabpanel term text textbox time timer toolbar tooltip tree treegrid treeitem`.split(/\s+/),
);
/** Roles that say only how something looks. */
const UNTOLD = /^(presentation|none|generic|rowgroup|text|strong|emphasis|code|document)$/;
const BY_CONTENT = /^(button|link|heading|option|tab|menuitem\w*|checkbox|radio|switch|tooltip)$/;
const HEADING = /^h[1-6]$/;
/** The role of an element, by its own word or its name; empty for what only holds others. @param name the element's */
export function roleOf(element: Element, name = dom.localName(element)): string {
  const given = givenRole(element);
  if (given !== undefined) return UNTOLD.test(given) ? '' : given;
  if (HEADING.test(name)) return 'heading';
  if (name === 'input') return inputRole(element as HTMLInputElement);
  if (name === 'a' || name === 'area')
    return (dom.attribute(element, 'href') ?? dom.attribute(element, 'xlink:href')) === null ? '' : 'link';
  if (name === 'img') return dom.attribute(element, 'alt')?.trim() ? 'img' : '';
  if (name === 'section') return isNamed(element) ? 'region' : '';
  if (/^(header|footer)$/.test(name) && Element.prototype.closest.call(element, PARTS)) return '';
  if (name === 'th' && /^row/i.test(dom.attribute(element, 'scope') ?? '')) return 'rowheader';
  if (
    name === 'select' &&
    ((element as HTMLSelectElement).multiple || (element as HTMLSelectElement).size > 1)
  )
    return 'listbox';
  return ROLES[name] ?? (isEditor(element) ? 'textbox' : '');
}

/** The first of a list of roles that there is, as browsers do with those that they don't know. */
function givenRole(element: Element): string | undefined {
  const given = dom.attribute(element, 'role');
  return given === null
    ? undefined
    : given
        .toLowerCase()
        .split(/\s+/)
        .find((each) => KNOWN.has(each));
}

const isNamed = (element: Element): boolean =>
  ['aria-label', 'aria-labelledby', 'title'].some((each) => dom.attribute(element, each)?.trim());

function inputRole({ type, list }: HTMLInputElement): string {
  if (type === 'hidden') return '';
  return INPUTS[type] ?? (list ? 'combobox' : 'textbox');
}

/** Whether what lies in it can be edited as rich text. */
export const isEditor = (element: Element): element is HTMLElement =>
  /^(|true|plaintext-only)$/.test(dom.attribute(element, 'contenteditable') ?? 'none');

/** Whether it is an editor of the page's own for what the user alone may type: what lies in it is not read. */
export const isSecretEditor = (element: Element): boolean => isTextbox(element) && isSecret(element);

/** Those of them that lie in a part of the document. */
export const secretEditorsIn = (root: Document | Element): Element[] =>
  dom.select(root, '[contenteditable], [role="textbox"]').filter(isSecretEditor);

/** Whether it is an editor of the page's own, or calls itself one. */
export const isTextbox = (element: Element): boolean =>
  dom.hasAttributes(element) && (isEditor(element) || dom.attribute(element, 'role') === 'textbox');

/** Whether an element with this role is named by what lies in it (https://w3c.github.io/aria/#namefromcontent). */
export const isNamedByContent = (role: string): boolean => BY_CONTENT.test(role) || role === 'generic';
