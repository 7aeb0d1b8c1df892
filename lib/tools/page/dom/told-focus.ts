import * as dom from './dom.ts';
import { lasting } from './lasting.ts';

/**
 * The element that the page believes has the focus while it has none itself, since the user is in the panel or elsewhere: a
 * browser moves it then, and tells the page nothing. What the browser tells, as the page gets or loses the focus, comes first.
 */
const told = lasting('portsideToldFocus', () => {
  const kept: { element: Element | null; unmoved: Element | null } = { element: null, unmoved: null };
  const forget = ({ isTrusted }: Event): void => {
    if (isTrusted) kept.element = null;
  };
  for (const type of ['focus', 'blur']) addEventListener(type, forget, true);
  return kept;
});

/** Before an action: what has the focus by then is not what it moves. */
export function noteFocus(): void {
  told.unmoved = told.element ? null : focusedHere();
  tellFocus();
}

/**
 * Tells the page of the focus that moved in it, with the events of a browser, where the browser does not.
 * @param meant is told of also where it had the focus all the while
 */
export function tellFocus(meant?: Element): void {
  if (document.hasFocus()) return;
  const now = focusedHere();
  const before = told.element;
  if (now === before || (now === told.unmoved && now !== meant)) return;
  Object.assign(told, { element: now, unmoved: null });
  if (before?.isConnected) for (const type of ['blur', 'focusout']) send(before, type, now);
  // A listener may have moved it on, which was told by then.
  if (told.element === now && now?.isConnected)
    for (const type of ['focus', 'focusin']) send(now, type, before);
}

/** The element of this document that has the focus, in shadow trees too; what a frame does not tell of, its own script does. */
function focusedHere(): Element | null {
  let at = dom.activeElement(document);
  for (let inside = at; inside; inside = dom.shadowRoot(at as Element)?.activeElement ?? null) at = inside;
  return !at || at === dom.bodyOf(document) || dom.isFrame(dom.localName(at)) ? null : at;
}

const send = (element: Element, type: string, relatedTarget: Element | null): boolean =>
  element.dispatchEvent(
    new FocusEvent(type, {
      bubbles: /^focus(in|out)$/.test(type),
      composed: true,
      relatedTarget,
      view: window,
    }),
  );
