import { useLayoutEffect } from 'preact/hooks';

const otherForm = (card: Element): Element | undefined =>
  [...document.querySelectorAll('form.ask')].find((other) => other !== card);

/** When the card goes away with the focus in it, the focus goes to what else is asked, to where the person writes, or to what the card came of. */
export function useFocusAfter(root: { current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const card = root.current;
    return () => {
      if (!card?.contains(document.activeElement)) return;
      const next =
        (card.matches('form.ask') ? otherForm(card) : undefined) ??
        document.querySelector('.composer textarea') ??
        card.closest('[data-asks]')?.querySelector('button');
      if (next instanceof HTMLElement) next.focus();
    };
  }, [root]);
}
