import * as dom from '../dom/dom.ts';
import { lasting } from '../dom/lasting.ts';
import { pause } from './stopping.ts';

/** Milliseconds without a key after which the user has paused, and for which that is waited for at most. */
const PAUSE_MS = 2_000;
const MOST_MS = 5_000;

/** When and where the user last typed in this document, or used a box, a slider or a list: what they type is not kept. */
const typing = lasting('portsideTyping', () => ({ at: -Infinity, field: null as Element | null }));

const SIGNS = ['keydown', 'paste', 'cut', 'drop', 'compositionupdate'];
/** Of the mouse, on what has a value without being typed into. */
const PRESSES = ['pointerdown', 'pointermove', 'pointerup'];
const SET_BY_MOUSE =
  'input:is([type="checkbox" i], [type="radio" i], [type="range" i], [type="color" i]), select, [role="checkbox"], [role="radio"], [role="switch"], [role="slider"], [role="option"]';
const MODIFIERS = /^(Control|Shift|Alt|AltGraph|Meta)$/;

/** From now on it is known where the user types. Called with the first snapshot, before anything is done in a page. */
export function followTyping(): void {
  lasting('portsideFollowsTyping', () => {
    const options = { capture: true, passive: true };
    for (const sign of SIGNS) addEventListener(sign, noteTyping, options);
    for (const sign of PRESSES) addEventListener(sign, notePress, options);
    addEventListener('input', notePick, options);
    return true;
  });
}

function noteTyping(event: Event): void {
  if (!event.isTrusted || (event instanceof KeyboardEvent && MODIFIERS.test(event.key))) return;
  typing.at = performance.now();
  typing.field = dom.focused(document);
}

function notePress(event: Event): void {
  const { isTrusted, buttons, type } = event as PointerEvent;
  const [pressed] = event.composedPath();
  if (!isTrusted || (type === 'pointermove' && buttons === 0) || !(pressed instanceof Element)) return;
  const label = Element.prototype.closest.call(pressed, 'label');
  const of = (label instanceof HTMLLabelElement && label.control) || pressed;
  const field = Element.prototype.closest.call(of, SET_BY_MOUSE);
  if (field) Object.assign(typing, { at: performance.now(), field });
}

/**
 * Arrows of a number, a picker of days, what empties a search field. Commands that a script gives are trusted, too, but of other types;
 * and boxes are set by its presses.
 */
function notePick(event: Event): void {
  const { isTrusted, inputType = 'insertReplacementText' } = event as InputEvent;
  const [field] = event.composedPath();
  if (!isTrusted || inputType !== 'insertReplacementText' || !(field instanceof Element)) return;
  if (!Element.prototype.matches.call(field, '[type="checkbox" i], [type="radio" i]'))
    Object.assign(typing, { at: performance.now(), field });
}

/** Whether the user has typed in a field since then. @param since as `performance.now()` has it */
export function hasTyped(field: Element, since: number): boolean {
  const { at, field: typed } = typing;
  return typed !== null && at >= since && (typed.contains(field) || field.contains(typed));
}

/**
 * Waits until the user pauses in a field.
 * @returns `none` where they did not type in it; `typing` where they did not pause
 */
export async function pauseIn(field: Element): Promise<'none' | 'paused' | 'typing'> {
  const begun = performance.now();
  const isTyping = (): boolean => hasTyped(field, performance.now() - PAUSE_MS);
  if (!isTyping()) return 'none';
  while (isTyping()) {
    if (performance.now() - begun > MOST_MS) return 'typing';
    await pause(100);
  }
  return 'paused';
}
