import type { ComponentChildren, JSX } from 'preact';

type Words = 'aria-label' | 'aria-labelledby' | 'aria-describedby';

/** A card that waits for the user's answer, and is read out when it gets the focus. */
export function AskCard({
  root,
  children,
  ...words
}: {
  root: { current: HTMLDivElement | null };
  children: ComponentChildren;
} & Partial<Record<Words, string>>): JSX.Element {
  return (
    <div class="ask" ref={root} role="alertdialog" aria-modal="false" tabIndex={-1} {...words}>
      {children}
    </div>
  );
}
