import { createGuard } from './decisions.ts';

/** Two clicks so close in time and place are one double click; Windows and macOS give it as long. */
const WITHIN_MS = 500;
const WITHIN_PX = 4;

const CONTROLS = 'button, a, input, select, textarea, [role="option"]';

type Place = { x: number; y: number; at: number };

const placeOf = ({ clientX: x, clientY: y, timeStamp: at }: MouseEvent): Place => ({ x, y, at });

const isNear = (one: Place | null, { x, y, at }: Place): boolean =>
  one !== null &&
  at - one.at < WITHIN_MS &&
  Math.abs(x - one.x) <= WITHIN_PX &&
  Math.abs(y - one.y) <= WITHIN_PX;

let turnedAt = -Infinity;
/** The user was elsewhere until now, where they may press on. */
export const turned = (): void => void (turnedAt = performance.now());

/**
 * Keeps the second click of a double click from what the first one has put under the pointer: only the control that
 * was meant gets both, or what stands in its place and says that it may be pressed on and on (`data-again`). A key in between shows that the second click was meant by itself.
 * Where the mouse comes out of nowhere, or from an app's frame, something lay over this window, such as a web page's popup or an
 * app's list, whose game may have the user press on: neither a card nor a link takes a press in the next moment, by a key neither, nor
 * as they go on, nor the focus, with which a later key would press it. So it is after they were in another window of the browser.
 * Returns the undo.
 * @param watchTurns says when the user turns from one of the browser's windows to another
 * @param moves whether what is pressed here puts other controls under the pointer
 */
export function holdDoubleClicks(watchTurns: (turned: () => void) => () => void, moves = true): () => void {
  let last: (Place & { control: Element | null }) | null = null;
  const counts = createGuard();
  const isStray = (event: MouseEvent): boolean =>
    isTheirs(controlOf(event)) && !counts(turnedAt, event.timeStamp);
  const onDown = (event: MouseEvent): void => {
    if (isStray(event)) event.preventDefault();
  };
  const onClick = (event: MouseEvent): void => {
    const control = controlOf(event);
    // A key's click, or a script's, has no place.
    const place = event.detail === 0 ? null : placeOf(event);
    const before = moves && place && isNear(last, place) ? last : null;
    const isOther = before !== null && control !== before.control && !isAgain(control, before.control);
    if (isStray(event) || isOther) {
      event.preventDefault();
      event.stopPropagation();
      // Time runs from the click that was let through: whoever presses on and on means what is there by now.
    } else if (place) last = { control, ...place };
  };
  const onOver = ({ relatedTarget: from, pointerType, timeStamp }: PointerEvent): void => {
    if (pointerType === 'mouse' && (from as Element | null)?.matches('iframe') !== false)
      turnedAt = timeStamp;
  };
  const onKeyDown = (): void => void (last = null);
  const unwatch = watchTurns(turned);
  document.addEventListener('pointerover', onOver, true);
  document.addEventListener('mousedown', onDown, true);
  document.addEventListener('click', onClick, true);
  document.addEventListener('keydown', onKeyDown, true);
  return () => {
    unwatch();
    document.removeEventListener('pointerover', onOver, true);
    document.removeEventListener('mousedown', onDown, true);
    document.removeEventListener('click', onClick, true);
    document.removeEventListener('keydown', onKeyDown, true);
  };
}

/** The browser makes a click on a label one on its control, too. */
const controlOf = ({ target }: MouseEvent): Element | null =>
  target instanceof Element ? (target.closest('label')?.control ?? target.closest(CONTROLS)) : null;

/** What others gain by: a card's answers, a program's start, a call once more, and what leads to them or loads from them. */
const isTheirs = (control: Element | null): boolean =>
  control?.matches(
    '.ask-foot :not([aria-expanded]), .launch *, .unsure .again, a[href^="http"], .remote-image',
  ) === true;

function isAgain(control: Element | null, before: Element | null): boolean {
  const [now, then] = [control, before].map((each) => each?.getAttribute('data-again') ?? null);
  return now !== null && now === then;
}
