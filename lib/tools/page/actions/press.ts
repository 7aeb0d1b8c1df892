import { boxesOf } from '../dom/areas.ts';
import * as dom from '../dom/dom.ts';
import { requireAsked } from '../dom/effects.ts';
import { innermostAt } from './aim.ts';
import { holdKeys } from './events/key-events.ts';
import { fire, held, moveOnto, type Point } from './events/fire-pointer.ts';
import { focusNear } from './focus.ts';
import { nextTask } from './stopping.ts';

/** How an element is pressed. `modifiers`: keys that are held meanwhile. */
export type Press = {
  button: 'left' | 'middle' | 'right';
  count: number;
  modifiers?: ('Control' | 'Shift' | 'Alt' | 'Meta')[];
};

const BUTTONS = { left: 0, middle: 1, right: 2 } as const;

/** Moves the pointer onto what of an element is at the point. */
export const hover = (element: Element, point: Point): void => moveOnto(innermostAt(element, point), point);

/**
 * Presses an element, with the events of a press in a browser's order (https://w3c.github.io/pointerevents/#mapping-for-devices-that-support-hover).
 * @param renewed what stands in its place, should the page replace it meanwhile
 * @returns the element that got the press; null when it was gone before
 * @throws NotAskedAbout, Stopped
 */
export async function press(
  element: Element,
  point: Point,
  { button: name, count, modifiers = [] }: Press,
  renewed: (point: Point) => Element | undefined,
): Promise<Element | null> {
  const button = BUTTONS[name];
  const buttons = [1, 4, 2][button] ?? 1;
  const keys = held(modifiers);
  let target: Element | undefined = innermostAt(element, point);
  requireAsked(target);
  const { ownerDocument: document } = element;
  const release = holdKeys(modifiers, () => dom.focused(document) ?? element);
  try {
    moveOnto(target, point, keys);
    if (!isThere(target)) target = renewed(point);
    if (!target) return null;
    for (let detail = 1; detail <= count; detail += 1) {
      const at = { ...point, button, detail, ...keys };
      // A press whose pointer event is cancelled has no mouse events, but its click.
      const isMouse = fire(target, 'pointerdown', { ...at, detail: 0, buttons });
      if (isMouse && fire(target, 'mousedown', { ...at, buttons })) focusNear(target);
      if (button === BUTTONS.right) fire(target, 'contextmenu', { ...at, detail: 0, buttons });
      await nextTask();
      if (!target.isConnected) target = renewed(point);
      if (!target) return null;
      fire(target, 'pointerup', { ...at, detail: 0 });
      if (isMouse) fire(target, 'mouseup', at);
      await nextTask();
      if (!target.isConnected) target = renewed(point);
      if (!target) return null;
      requireAsked(target); // the page may have made another of it meanwhile
      fire(target, button === BUTTONS.left ? 'click' : 'auxclick', at);
      if (detail === 2 && button === BUTTONS.left && target.isConnected) fire(target, 'dblclick', at);
    }
    return target;
  } finally {
    release();
  }
}

/** Whether it is still drawn: some go when the pointer leaves what it was on. */
const isThere = (element: Element): boolean => element.isConnected && boxesOf(element).length > 0;
