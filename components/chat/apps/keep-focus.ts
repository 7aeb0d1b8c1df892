/** Who typed so recently is typing. */
const TYPING_MS = 1500;
const TAB_MS = 300;
/** So often an app may try. */
const MOST_TAKEN = 20;

/**
 * Keeps an app from taking the focus by itself, and what is typed with it: a press on its frame, or Tab, moves it there. The page
 * is not told of presses in a frame of another origin, only that the pointer is over it; of a finger not even that.
 * @param insists called when the app takes it again and again
 * @returns what ends it
 */
export function keepFocus(frame: HTMLIFrameElement, insists: () => void): () => void {
  const over = new AbortController();
  const { signal } = over;
  let last = document.activeElement;
  let isOver = false;
  let [typedAt, tabbedAt, taken] = [-Infinity, -Infinity, 0];
  const isMeant = (): boolean => {
    const now = performance.now();
    const isPointed = isOver || matchMedia('(any-pointer: coarse)').matches;
    return now - tabbedAt < TAB_MS || (isPointed && now - typedAt > TYPING_MS);
  };
  addEventListener(
    'keydown',
    ({ key }) => {
      if (key === 'Tab') tabbedAt = performance.now();
      else typedAt = performance.now();
    },
    { signal, capture: true },
  );
  addEventListener(
    'focusin',
    ({ target }) => {
      if (target !== frame && target instanceof HTMLElement) last = target;
    },
    { signal },
  );
  frame.addEventListener('pointerenter', () => (isOver = true), { signal });
  frame.addEventListener('pointerleave', () => (isOver = false), { signal });
  const look = (): void => {
    if (document.activeElement !== frame || isMeant()) return;
    frame.blur();
    if (last instanceof HTMLElement) last.focus({ preventScroll: true });
    taken += 1;
    if (taken > MOST_TAKEN) insists();
  };
  // What has the focus instead is known once these are over.
  addEventListener('blur', () => setTimeout(look), { signal });
  addEventListener('focusout', () => setTimeout(look), { signal });
  return () => over.abort();
}
