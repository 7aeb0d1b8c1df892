import * as dom from '../dom.ts';
import { lasting } from '../lasting.ts';
import { isSecretLabel, isSecretName } from './secret-names.ts';

/** By which attribute a field says that it holds a password, a one-time code or a card’s number. */
const SECRETS: [attribute: string, says: (value: string) => boolean][] = [
  ['autocomplete', (filled) => /\b(cc-|one-time-code|current-password|new-password)/i.test(filled)],
  ['name', isSecretName],
  ['id', isSecretName],
];
/** By which words, where it takes some. */
const WORDS: typeof SECRETS = [
  ['aria-label', isSecretLabel],
  ['placeholder', isSecretLabel],
];
const TAKING = /^(text|tel|number|range|select-one|select-multiple)$/;
/** Fields that were seen as a password’s: a button of the page’s may show it as text. */
const passwords = lasting('portsidePasswords', () => new WeakSet<Element>());
/** The last of them by what they are called: the page may draw another one in its stead. */
const drawnAnew = lasting('portsidePasswordNames', () => new Map<string, WeakRef<Element>>());
/** Types of fields that show nothing of what they hold. */
const HIDDEN = /^(hidden|file)$/;
const MASKS = /disc|circle|square/;
/** Milliseconds in which a document is looked through. */
const MOST_MS = 500;
/** Fields that are typed into. */
const TYPED =
  'textarea, input:not([type=hidden i], [type=file i], [type=checkbox i], [type=radio i], [type=submit i], [type=button i], [type=reset i], [type=image i])';
const BUTTONS: ReadonlySet<string> = new Set(['button', 'submit', 'reset']);

/**
 * What a form field shows: `[value]`, `[x]`; nothing of a password or a card’s number. Undefined for what is no field.
 * @param name the element's
 */
export function fieldText(element: Element, name: string): string | undefined {
  if (name === 'input') return inputText(element as HTMLInputElement);
  if (name === 'textarea') return isPrivate(element) ? '' : `[${(element as HTMLTextAreaElement).value}]`;
  if (name !== 'select') return undefined;
  if (isPrivate(element)) return '';
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
  isSecretField(element, saysSecret(element), isMasked(getComputedStyle(element)));

/** The same, of an element of which a part is known. @param says its attributes do @param isDotted it is shown as dots */
export const isSecretField = (
  element: Element,
  says: boolean,
  isDotted: boolean,
  labelsOf = (field: Element): Iterable<Element> => (field as HTMLInputElement).labels ?? [],
): boolean => wasPassword(element) || says || isDotted || isLabelledSecret(element, labelsOf);

/** Whether the attributes of a field say so. */
export const saysSecret = (element: Element): boolean =>
  (takesSecret(element) ? [...SECRETS, ...WORDS] : SECRETS).some(([attribute, says]) => {
    const value = dom.attribute(element, attribute);
    return value !== null && says(value);
  });

/** Whether the words at it may say so. */
const takesSecret = (element: Element): boolean =>
  /^(input|select)$/.test(dom.localName(element)) && TAKING.test((element as HTMLInputElement).type);

/** Whether the labels of a field say so; the words of the group around it, where it takes one sign of a code. */
function isLabelledSecret(element: Element, labelsOf: (field: Element) => Iterable<Element>): boolean {
  if (!takesSecret(element)) return false;
  const labels = [...labelsOf(element)];
  const group =
    (element as HTMLInputElement).maxLength === 1 &&
    Element.prototype.closest.call(element, 'fieldset, [role="group"]');
  if (group) labels.push(...dom.select(group, ':scope > legend'));
  return (
    labels.some((label) => isSecretLabel(dom.textContent(label) ?? '')) ||
    isSecretLabel((group && dom.attribute(group, 'aria-label')) || '')
  );
}

function wasPassword(element: Element): boolean {
  if (passwords.has(element)) return true;
  if (dom.localName(element) !== 'input') return false;
  const isPassword = /^password$/i.test(dom.attribute(element, 'type') ?? '');
  if (!isPassword && drawnAnew.size === 0) return false;
  const called = calledBy(element as HTMLInputElement);
  const before = drawnAnew.get(called);
  const isInItsStead = before !== undefined && before.deref()?.isConnected !== true;
  if (!isPassword && !isInItsStead) return false;
  passwords.add(element);
  if (called !== '') drawnAnew.set(called, new WeakRef(element));
  return true;
}

/** Its name and id, and those of its form; empty where it has none. */
function calledBy(element: HTMLInputElement): string {
  const [of, form] = [element, element.form].map((each) =>
    ['name', 'id'].map((attribute) => (each && dom.attribute(each, attribute)) ?? ''),
  );
  return of?.some(Boolean) ? JSON.stringify([of, form]) : '';
}

/** Whether text of that style is shown as dots. */
export const isMasked = (style: CSSStyleDeclaration): boolean =>
  MASKS.test(style.getPropertyValue('-webkit-text-security'));

/** Whether a field shows as text what the user alone may type; also where the document is too long to tell. */
export function showsSecret(document: Document): boolean {
  const until = performance.now() + MOST_MS;
  const shown = dom.selectDeep(document, TYPED, until).some((element) => {
    const { type, value } = element as HTMLInputElement;
    return value !== '' && isSecret(element) && type !== 'password' && !isMasked(getComputedStyle(element));
  });
  return shown || performance.now() > until;
}
