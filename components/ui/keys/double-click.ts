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
 * Where the mouse comes out of nowhere something lay over this window, such as a web page's popup, which may have had the first
 * one: neither a card nor a link gets the second, nor any, wherever, in the moment after the user was in another window of the
 * browser, or the mouse came from a page or an app that they are in, as its game may have them press on in its popup or picker. Returns the undo.
 * @param watchTurns says when the user turns from one of the browser's windows to another
 */
export function holdDoubleClicks(watchTurns: (turned: () => void) => () => void): () => void {
  let last: (Place & { control: Element | null }) | null = null;
  let came: Place | null = null;
  const onClick = (event: MouseEvent): void => {
    // A key's click, or a script's, has no place.
    if (event.detail === 0 || !(event.target instanceof Element)) return;
    const place = placeOf(event);
    // The browser makes a click on a label one on its control, too.
    const control = event.target.closest('label')?.control ?? event.target.closest(CONTROLS);
    const before = isNear(last, place) ? last : null;
    const isOther = before !== null && control !== before.control && !isAgain(control, before.control);
    const isTurning = place.at - turnedAt < WITHIN_MS;
    // What others gain by: a card's buttons, a call once more, and what leads to them or loads from them.
    const isTheirs = control?.matches('.ask *, .unsure .again, a[href^="http"], .remote-image') === true;
    const isStray = isTheirs && (isNear(came, place) || isTurning);
    if (isStray && isTurning) turnedAt = place.at;
    if (isOther || isStray) {
      event.preventDefault();
      event.stopPropagation();
      // Time runs from the click that was let through: whoever presses on and on means what is there by now.
    } else last = { control, ...place };
  };
  const onOver = (event: PointerEvent): void => {
    const from = event.relatedTarget as Element | null;
    if (event.pointerType !== 'mouse' || (from && from.localName !== 'iframe')) return;
    came = placeOf(event);
    if (!document.hasFocus() || document.activeElement?.localName === 'iframe') turnedAt = came.at;
  };
  const onKeyDown = (): void => void (last = null);
  const unwatch = watchTurns(turned);
  document.addEventListener('pointerover', onOver, true);
  document.addEventListener('click', onClick, true);
  document.addEventListener('keydown', onKeyDown, true);
  return () => {
    unwatch();
    document.removeEventListener('pointerover', onOver, true);
    document.removeEventListener('click', onClick, true);
    document.removeEventListener('keydown', onKeyDown, true);
  };
}

function isAgain(control: Element | null, before: Element | null): boolean {
  const [now, then] = [control, before].map((each) => each?.getAttribute('data-again') ?? null);
  return now !== null && now === then;
}
