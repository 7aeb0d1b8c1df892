import * as dom from './dom.ts';

/** Types of fields whose content is private, and those that show none. */
const PRIVATE = /^(password|hidden|file)$/;
const PRIVATE_FILL = /\b(cc-|one-time-code|current-password|new-password)/;
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
  const { type } = element as HTMLInputElement;
  const masked = getComputedStyle(element).getPropertyValue('-webkit-text-security');
  return (
    MASKS.test(masked) ||
    PRIVATE.test(type) ||
    PRIVATE_FILL.test(dom.attribute(element, 'autocomplete') ?? '')
  );
}
