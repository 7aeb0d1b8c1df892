import * as dom from '../../dom/dom.ts';
import { lasting } from '../../dom/lasting.ts';

export type Point = { x: number; y: number };

type Pointing = Point & {
  button?: number;
  buttons?: number;
  detail?: number;
  relatedTarget?: Element | null;
  movementX?: number;
  movementY?: number;
} & EventModifierInit;

/** Of which nothing can be cancelled; enter and leave do not bubble either, and stay within their tree. */
const BOUNDARY = /enter|leave/;
/** Of the mouse’s, though they are pointer events. */
const CLICKS = /^(click|auxclick|contextmenu)$/;

/** Sends an event of the pointer's or the mouse's. @returns false when the page cancelled it */
export function fire(
  target: Element,
  type: string,
  { button = 0, buttons = 0, detail = 0, x, y, ...given }: Pointing,
): boolean {
  const { defaultView: view } = target.ownerDocument;
  const isBoundary = BOUNDARY.test(type);
  const init = {
    bubbles: !isBoundary,
    cancelable: !isBoundary && type !== 'pointercancel',
    composed: !isBoundary,
    view,
    detail,
    clientX: x,
    clientY: y,
    screenX: x + (view?.screenX ?? 0),
    screenY: y + (view?.screenY ?? 0),
    button,
    buttons,
    ...given,
  };
  const isClick = CLICKS.test(type);
  if (!isClick && !type.startsWith('pointer')) return target.dispatchEvent(new MouseEvent(type, init));
  const pointer = { pointerId: 1, pointerType: 'mouse', isPrimary: !isClick };
  const pressure = buttons > 0 && !isClick ? 0.5 : 0;
  return target.dispatchEvent(new PointerEvent(type, { ...init, ...pointer, pressure }));
}

/** How events tell that keys are held. */
export const held = (modifiers: readonly string[]): EventModifierInit => ({
  ctrlKey: modifiers.includes('Control'),
  shiftKey: modifiers.includes('Shift'),
  altKey: modifiers.includes('Alt'),
  metaKey: modifiers.includes('Meta'),
});

type Kind = 'pointer' | 'mouse';

/** Where the pointer of the actions is in this document, and in which elements, the innermost first, as each kind of event has it. */
const last = lasting('portsidePointer', () => ({
  at: null as Point | null,
  within: { pointer: [], mouse: [] } as Record<Kind, WeakRef<Element>[]>,
}));

const withinLast = (kind: Kind): Element[] =>
  last.within[kind].flatMap((each) => {
    const element = each.deref();
    return element?.isConnected ? [element] : [];
  });

/** An element and what it lies in, the innermost first. */
export function elementsAround(element: Element): Element[] {
  const around: Element[] = [];
  for (let at: Element | null = element; at; at = dom.elementAround(at)) around.push(at);
  return around;
}

/**
 * Moves the pointer onto an element, out of the one that it was on, as scripts see it; styles for `:hover` no script can bring about.
 * @param pressed `isMouse` is false where the page cancelled the press that is under way: it gets no moves of the mouse
 */
export function moveOnto(
  target: Element,
  point: Point,
  { isMouse = true, ...pressed }: { buttons?: number; isMouse?: boolean } & EventModifierInit = {},
): void {
  const around = elementsAround(target);
  const from = last.at ?? point;
  for (const kind of ['pointer', 'mouse'] as const) {
    const init = { ...point, ...pressed, button: kind === 'pointer' ? -1 : 0 };
    const left = withinLast(kind);
    const [out = null] = left;
    last.within[kind] = around.map((each) => new WeakRef(each));
    if (out === target) continue;
    const leaving = { ...init, relatedTarget: target };
    if (out) fire(out, `${kind}out`, leaving);
    for (const each of left) if (!around.includes(each)) fire(each, `${kind}leave`, leaving);
    const entering = { ...init, relatedTarget: out };
    fire(target, `${kind}over`, entering);
    for (const each of around.toReversed()) if (!left.includes(each)) fire(each, `${kind}enter`, entering);
  }
  last.at = { x: point.x, y: point.y };
  const moved = { movementX: point.x - from.x, movementY: point.y - from.y };
  fire(target, 'pointermove', { ...point, ...pressed, ...moved, button: -1 });
  if (isMouse) fire(target, 'mousemove', { ...point, ...pressed, ...moved });
}

/** Ends what the pointer does, as a browser does that takes it for a drag: until that ends, there are no events of it. */
export function cancelPointer(target: Element): void {
  const nowhere = { x: 0, y: 0 };
  fire(target, 'pointercancel', nowhere);
  fire(target, 'pointerout', nowhere);
  for (const each of withinLast('pointer')) fire(each, 'pointerleave', nowhere);
  last.within.pointer = [];
}
