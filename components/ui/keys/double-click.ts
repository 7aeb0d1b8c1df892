/** Two clicks so close in time and place are one double click. */
const WITHIN_MS = 400;
const WITHIN_PX = 4;

const CONTROLS = 'button, a, input, select, textarea, [role="option"]';

/**
 * Keeps the second click of a double click from what the first one has put under the pointer: only the control that
 * was meant gets both, or what stands in its place and says that it may be pressed on and on (`data-again`). A key in between shows that the second click was meant by itself. Returns the undo.
 */
export function holdDoubleClicks(): () => void {
  let last: { control: Element | null; x: number; y: number; at: number } | null = null;
  const onClick = (event: MouseEvent): void => {
    // A key's click, or a script's, has no place.
    if (event.detail === 0 || !(event.target instanceof Element)) return;
    const { clientX: x, clientY: y, timeStamp: at } = event;
    const control = event.target.closest(CONTROLS);
    const second =
      last !== null &&
      at - last.at < WITHIN_MS &&
      Math.abs(x - last.x) <= WITHIN_PX &&
      Math.abs(y - last.y) <= WITHIN_PX;
    if (second && last && control !== last.control && !isAgain(control, last.control)) {
      event.preventDefault();
      event.stopPropagation();
      // Time runs from the click that was let through: whoever presses on and on means what is there by now.
    } else last = { control, x, y, at };
  };
  const onKeyDown = (): void => void (last = null);
  document.addEventListener('click', onClick, true);
  document.addEventListener('keydown', onKeyDown, true);
  return () => {
    document.removeEventListener('click', onClick, true);
    document.removeEventListener('keydown', onKeyDown, true);
  };
}

function isAgain(control: Element | null, before: Element | null): boolean {
  const [now, then] = [control, before].map((each) => each?.getAttribute('data-again') ?? null);
  return now !== null && now === then;
}
