import * as dom from '../dom/dom.ts';
import { tellFocus } from '../dom/told-focus.ts';

/** Puts the focus where a press puts it: on the nearest that can have it. */
export function focusNear(element: Element): void {
  for (let at: Element | null = element; at; at = dom.elementAround(at)) {
    if (at instanceof HTMLLabelElement) return; // its click does
    if (focusOn(at)) return;
  }
  const had = dom.activeElement(element.ownerDocument);
  if (had instanceof HTMLElement) had.blur();
  tellFocus();
}

/** Gives an element the focus within its page. */
export function focusOn(element: Element): boolean {
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return false;
  if (dom.focused(element.ownerDocument) !== element) element.focus({ preventScroll: true });
  tellFocus(element);
  return (element.getRootNode() as Document | ShadowRoot).activeElement === element;
}
