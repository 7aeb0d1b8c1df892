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
/** Whose value has a form of its own, which what is written there has to have. */
const TYPED = /^(date|time|datetime-local|month|week|color|file|email|tel|url)$/;
const HEADING = /^h[1-6]$/;
/** What can be disabled, required or invalid by itself, or with a tag of its own by its script. */
const FORM_PARTS: ReadonlySet<string> = new Set(
  'button fieldset input object optgroup option output select textarea'.split(' '),
);
const BUTTONS = /^(button|submit|reset|image)$/;
const FIELDS = /^(input|textarea|select)$/;
const VALUED = /^(input|textarea|select|progress|meter)$/;
/** One question in place of four, for most fields are none of it. */
const UNUSUAL = ':disabled, :required, :invalid';

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

/** Whether it is an editor of the page's own, or calls itself one. */
export const isTextbox = (element: Element): boolean =>
  dom.hasAttributes(element) && (isEditor(element) || dom.attribute(element, 'role') === 'textbox');

/** Whether an element may hold what the user alone may type. @param name the element's */
export const mayBeSecret = (element: Element, name: string): boolean =>
  FIELDS.test(name) || isTextbox(element);

/** Whether an element with this role is named by what lies in it (https://w3c.github.io/aria/#namefromcontent). */
export const isNamedByContent = (role: string): boolean => BY_CONTENT.test(role) || role === 'generic';

/** Whether the states of an element are more than its name and its attributes tell. */
export const hasOwnStates = (name: string): boolean => FORM_PARTS.has(name) || name.includes('-');

const STATES = /^aria-(checked|disabled|expanded|invalid|level|pressed|required|selected)$/;
/** Whether an attribute says of an element what its name does not. */
export const hasAria = (element: Element): boolean =>
  dom.attributeNames(element).some((each) => STATES.test(each));

/** Whether a part of a form may be disabled, required or invalid. */
export const hasUnusualState = (element: Element): boolean =>
  Element.prototype.matches.call(element, UNUSUAL);

/**
 * States that differ from the usual: `checked`, `disabled`, `level=2`.
 * @param of `isPrivate`: the user alone may type it; `isUnusual`, of a part of a form; `saysMore`: as `hasAria` has it
 */
export function statesOf(
  element: Element,
  role: string,
  name: string,
  { isPrivate, isUnusual, saysMore }: { isPrivate: boolean; isUnusual: boolean; saysMore: boolean },
): string[] {
  const field = element as HTMLInputElement;
  const aria = (state: string): string | null => (saysMore ? dom.attribute(element, `aria-${state}`) : null);
  const is = (selector: string): boolean => Element.prototype.matches.call(element, selector);
  const type = name === 'input' ? field.type : '';
  const isBox = type === 'checkbox' || type === 'radio';
  const isMixed = isBox ? field.indeterminate : aria('checked') === 'mixed';
  const isOpen = name === 'details' ? String(is('[open]')) : aria('expanded');
  const level = role === 'heading' ? (aria('level') ?? name.slice(1)) : '';
  const states: string[] = [];
  const add = (state: string, holds: boolean): void => void (holds && states.push(state));
  add(`level=${level}`, /^\d$/.test(level));
  add(`type=${type}`, TYPED.test(type));
  add('private', isPrivate);
  add('checked=mixed', isMixed);
  add('checked', !isMixed && (isBox ? field.checked : aria('checked') === 'true'));
  add('pressed', aria('pressed') === 'true');
  add('selected', aria('selected') === 'true');
  add('expanded', isOpen === 'true');
  add('collapsed', isOpen === 'false');
  add('multiple', name === 'select' && dom.attribute(element, 'multiple') !== null);
  add('disabled', (isUnusual && is(':disabled')) || aria('disabled') === 'true');
  add('readonly', /^(input|textarea)$/.test(name) && field.readOnly);
  add('required', (isUnusual && is(':required')) || aria('required') === 'true');
  add('invalid', aria('invalid') === 'true' || (isUnusual && is(':user-invalid')));
  return states;
}

/** Whether it may hold a value of its own. */
export const hasValue = (element: Element, name: string): boolean =>
  VALUED.test(name) || dom.attributeNames(element).some((each) => each.startsWith('aria-value'));

function chosenIn(select: HTMLSelectElement): string {
  const chosen = select.multiple ? [...select.selectedOptions] : [select.options[select.selectedIndex]];
  return chosen.map((each) => each?.label.trim()).join(', ');
}

/** What a form field or a slider holds; nothing of a private one. Undefined for what holds no value of its own. */
export function valueOf(
  element: Element,
  name = dom.localName(element),
  isPrivate = FIELDS.test(name) && isSecret(element),
): string | undefined {
  if (name === 'input') {
    const { type, value } = element as HTMLInputElement;
    if (/^(checkbox|radio)$/.test(type) || BUTTONS.test(type)) return undefined;
    return isPrivate || type === 'hidden' ? '' : value;
  }
  if (FIELDS.test(name) && isPrivate) return '';
  if (name === 'textarea') return (element as HTMLTextAreaElement).value;
  if (name === 'select') return chosenIn(element as HTMLSelectElement);
  if (name === 'progress' || name === 'meter') return String((element as HTMLMeterElement).value);
  return dom.attribute(element, 'aria-valuetext') ?? dom.attribute(element, 'aria-valuenow') ?? undefined;
}
