import * as dom from '../dom.ts';
import { oneLine } from '../inner-words.ts';
import { isTextbox } from '../roles.ts';
import { isSecret } from './private-fields.ts';

/** Whose value has a form of its own, which what is written there has to have. */
const TYPED = /^(date|time|datetime-local|month|week|color|file|email|tel|url)$/;
/** What can be disabled, required or invalid by itself, or with a tag of its own by its script. */
const FORM_PARTS: ReadonlySet<string> = new Set(
  'button fieldset input object optgroup option output select textarea'.split(' '),
);
const BUTTONS = /^(button|submit|reset|image)$/;
const FIELDS = /^(input|textarea|select)$/;
const VALUED = /^(input|textarea|select|progress|meter)$/;
/** One question in place of four, for most fields are none of it. */
const UNUSUAL = ':disabled, :required, :invalid';

/** Whether an element may hold what the user alone may type. @param name the element's */
export const mayBeSecret = (element: Element, name: string): boolean =>
  FIELDS.test(name) || isTextbox(element);

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

/** What options of a list are called: by their label, and their group where others have the same. */
export function optionNamesOf(select: HTMLSelectElement): (option: HTMLOptionElement) => string {
  const [once, twice] = [new Set<string>(), new Set<string>()];
  if (dom.first(select, 'optgroup'))
    for (const { label } of select.options) (once.has(label) ? twice : once).add(label);
  return (option) => {
    const { label } = option;
    const group = twice.has(label) && Element.prototype.closest.call(option, 'optgroup');
    return oneLine(group ? `${(group as HTMLOptGroupElement).label} / ${label}` : label);
  };
}

function chosenIn(select: HTMLSelectElement): string {
  const chosen = select.multiple ? [...select.selectedOptions] : [select.options[select.selectedIndex]];
  const nameIn = optionNamesOf(select);
  return chosen.map((each) => each && nameIn(each)).join(', ');
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
