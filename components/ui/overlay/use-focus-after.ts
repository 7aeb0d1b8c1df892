import { useLayoutEffect } from 'preact/hooks';

/** When the card goes away with the focus in it, the focus goes to what else is asked, to where the user writes, or to what the card came of. */
export function useFocusAfter(root: { current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const card = root.current;
    return () => {
      if (!card?.contains(document.activeElement)) return;
      const origin = card.closest('[data-asks]')?.querySelector('button');
      // Once what comes in its place is there.
      queueMicrotask(() => {
        const asked = [...document.querySelectorAll('.ask')].find((other) => other !== card);
        const next = asked ?? document.querySelector('.composer textarea') ?? origin;
        if (next instanceof HTMLElement) next.focus();
      });
    };
  }, [root]);
}
