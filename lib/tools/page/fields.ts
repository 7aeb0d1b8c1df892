import * as dom from './dom.ts';

const SECRET_NAME = /passw(or)?d|passcode|one.?time|\b_?otp\b|cvv|cvc|card.?(num|no\b)|\bcc.?num/i;
/** By which attribute a field says that it holds a password, a one-time code or a card’s number. */
const SECRETS: [attribute: string, says: RegExp][] = [
  ['type', /^password$/i],
  ['autocomplete', /\b(cc-|one-time-code|current-password|new-password)/i],
  ['name', SECRET_NAME],
  ['id', SECRET_NAME],
];
/** Types of fields that show nothing of what they hold. */
const HIDDEN = /^(hidden|file)$/;
const MASKS = /disc|circle|square/;
const BUTTONS: ReadonlySet<string> = new Set(['button', 'submit', 'reset']);

/**
 * What a form field shows: `[value]`, `[x]`; nothing of a password or a card’s number. Undefined for what is no field.
 * @param name the element's
 */
export function fieldText(element: Element, name: string): string | undefined {
  if (name === 'input') return inputText(element as HTMLInputElement);
  if (name === 'textarea') return isPrivate(element) ? '' : `[${(element as HTMLTextAreaElement).value}]`;
  if (name !== 'select') return undefined;
  const chosen = [...(element as HTMLSelectElement).selectedOptions].map(({ text }) => text.trim());
  return `[${chosen.join(', ')}]`;
}

function inputText(element: HTMLInputElement): string {
  const { type, value, checked, placeholder } = element;
  if (type === 'checkbox' || type === 'radio') return checked ? '[x] ' : '[ ] ';
  if (isPrivate(element)) return '';
  if (BUTTONS.has(type)) return `[${value || type}]`;
  return value === '' ? `[ ]${placeholder === '' ? '' : ` (${placeholder})`}` : `[${value}]`;
}

/** Whether its content is not to be read: passwords, cards, codes, and what is shown as dots. */
export function isPrivate(element: Element): boolean {
  return isSecret(element) || HIDDEN.test((element as HTMLInputElement).type);
}

/** Whether it holds what the user alone may type: a password, a card’s number, a code, and what is shown as dots. */
export const isSecret = (element: Element): boolean =>
  SECRETS.some(([attribute, says]) => says.test(dom.attribute(element, attribute) ?? '')) ||
  MASKS.test(getComputedStyle(element).getPropertyValue('-webkit-text-security'));
