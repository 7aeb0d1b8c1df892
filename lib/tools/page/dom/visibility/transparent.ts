import * as dom from '../dom.ts';
import { FAINTEST } from './ground.ts';

const FIELDS = /^(input|select|textarea)$/;
/** Pixels; a smaller one takes no presses, what labels it does. */
const SMALLEST = 3;

/**
 * The fields in what can't be seen, but used: transparent ones, which pages lay over what is drawn in their stead, a box or a knob,
 * so that they take the presses; and a caret. What they hold is not seen.
 */
export function transparentFields(element: Element, name: string, until: number): Element[] {
  if (FIELDS.test(name)) return isTransparentField(element) || isCaretField(element) ? [element] : [];
  if (isCaret(element)) return [element];
  return isTransparent(element) ? fieldsIn(element, until) : [];
}

/** Whether it is where an editor that draws its own text takes the keys, as small as a caret. */
const isCaret = (element: Element): boolean =>
  dom.attribute(element, 'role') === 'textbox' &&
  dom.attribute(element, 'tabindex') === '0' &&
  dom.isDrawn(element);

/** Whether a form field is where an editor takes the keys, without room for what it holds: in browsers without `EditContext`. */
export const isCaretField = (element: Element): boolean =>
  FIELDS.test(dom.localName(element)) && isCaret(element) && !hasRoom(element);

function fieldsIn(element: Element, until: number): Element[] {
  if (performance.now() > until) return [];
  return dom
    .composedChildren(element)
    .filter(dom.isElement)
    .flatMap((child) => {
      if (FIELDS.test(dom.localName(child))) return isPressed(child) ? [child] : [];
      return fieldsIn(child, until);
    });
}

/** Whether a field can be pressed, though it or what it lies in is transparent. */
export function isTransparentField(field: Element): boolean {
  for (let at: Element | null = field; at; at = dom.elementAround(at))
    if (isTransparent(at)) return isPressed(field);
  return false;
}

const isTransparent = (element: Element): boolean => Number(getComputedStyle(element).opacity) <= FAINTEST;

/**
 * Whether an unseen field is a check box or radio button that is there for the keys and assistive technology (`visually-hidden`, no
 * size), while its label is drawn as the box. Text that is hidden so stays left out: it may be there to deceive.
 */
export const isLabelledBox = (field: Element): boolean =>
  /^(checkbox|radio)$/.test((field as HTMLInputElement).type) && dom.isDrawn(field);

export function hasRoom(element: Element): boolean {
  const { width, height } = Element.prototype.getBoundingClientRect.call(element);
  return width > SMALLEST && height > SMALLEST;
}

function isPressed(field: Element): boolean {
  return hasRoom(field) && getComputedStyle(field).pointerEvents !== 'none' && dom.isDrawn(field);
}
