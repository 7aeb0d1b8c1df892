import * as dom from '../dom.ts';
import { labelledByElements } from '../labels.ts';
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
  ['title', isSecretLabel],
];
/** What the name and the attributes of a field, but for what they say, tell of whether it is secret. */
export type Guard = {
  says: typeof SECRETS;
  isInput: boolean;
  isPassword: boolean;
  /** The words at it may say so. */
  isWorded: boolean;
  /** It takes one sign. */
  isSingle: boolean;
};
const TAKING = /^(text|textarea|tel|number|range|select-one|select-multiple)$/;
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
  isSecretField(element, guardOf(element), isMasked(getComputedStyle(element)));

/** The same, of an element of which a part is known. @param isDotted it is shown as dots */
export const isSecretField = (
  element: Element,
  guard: Guard,
  isDotted: boolean,
  labelsOf = (field: Element): readonly Element[] => [...((field as HTMLInputElement).labels ?? [])],
): boolean =>
  wasPassword(element, guard) ||
  guard.says.some(([attribute, says]) => says(dom.attribute(element, attribute) ?? '')) ||
  isDotted ||
  (guard.isWorded && isLabelledSecret(element, guard, labelsOf));

export function guardOf(element: Element, name = dom.localName(element)): Guard {
  const isInput = name === 'input';
  const isEditor =
    dom.attribute(element, 'contenteditable') !== null || dom.attribute(element, 'role') === 'textbox';
  const isWorded = /^(input|textarea|select)$/.test(name)
    ? TAKING.test((element as HTMLInputElement).type)
    : isEditor;
  return {
    says: (isWorded ? [...SECRETS, ...WORDS] : SECRETS).filter(
      ([attribute]) => dom.attribute(element, attribute) !== null,
    ),
    isInput,
    isPassword: isInput && /^password$/i.test(dom.attribute(element, 'type') ?? ''),
    isWorded,
    isSingle: isWorded && (element as HTMLInputElement).maxLength === 1,
  };
}

/**
 * Whether the labels of a field, or what it is labelled by, say so; the words of the group around it, where it takes one sign of
 * a code.
 */
function isLabelledSecret(
  element: Element,
  { isSingle }: Guard,
  labelsOf: (field: Element) => readonly Element[],
): boolean {
  // A label around its field also has the field's own text, as a text area's.
  const own = dom.textContent(element) ?? '';
  const saysSo = (label: Element): boolean => isSecretLabel((dom.textContent(label) ?? '').replace(own, ''));
  if (labelsOf(element).some(saysSo) || labelledByElements(element).some(saysSo)) return true;
  const group = isSingle && Element.prototype.closest.call(element, 'fieldset, [role="group"]');
  if (!group) return false;
  return (
    dom.select(group, ':scope > legend').some(saysSo) ||
    isSecretLabel(dom.attribute(group, 'aria-label') ?? '')
  );
}

function wasPassword(element: Element, { isInput, isPassword }: Guard): boolean {
  if (passwords.has(element)) return true;
  if (!isInput || (!isPassword && drawnAnew.size === 0)) return false;
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
