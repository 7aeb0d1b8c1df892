import * as dom from '../dom/dom.ts';

/**
 * Dialogs that close in a document that is not drawn, of which Chromium tells the page only as it draws it next.
 * @param closed one did
 * @returns what tells the page of them
 */
export function watchDialogs(signal: AbortSignal, closed: () => void): () => void {
  const untold = new Set<EventTarget>();
  const observer = new MutationObserver((records) => {
    for (const { target, oldValue } of records)
      if (target instanceof HTMLDialogElement && oldValue !== null && dom.attribute(target, 'open') === null)
        untold.add(target);
    if (untold.size > 0) closed();
  });
  observer.observe(document, { subtree: true, attributeFilter: ['open'], attributeOldValue: true });
  signal.addEventListener('abort', () => observer.disconnect());
  // Firefox tells of it at once.
  addEventListener('close', ({ target }) => target && untold.delete(target), { capture: true, signal });
  return () => {
    for (const dialog of untold) {
      untold.delete(dialog);
      dialog.dispatchEvent(new Event('close'));
      keepSecond(dialog);
    }
  };
}

/** The browser's own comes as the page is drawn again. */
function keepSecond(dialog: EventTarget): void {
  const keep = (event: Event): void => {
    if (!event.isTrusted || event.target !== dialog) return;
    event.stopImmediatePropagation();
    removeEventListener('close', keep, true);
  };
  addEventListener('close', keep, true);
}
