import type { ComponentChildren, JSX } from 'preact';
import type { Chord } from './chords.ts';
import { ariaKeys, keyHint } from './key-label.ts';

type Props = Omit<JSX.IntrinsicElements['button'], 'type' | 'children'> & {
  /** The keys that press it now. */
  keys: Chord | null;
  children: ComponentChildren;
};

/** A button that shows the keys that press it, beside its name and not in it. */
export function KeyedButton({ keys, children, ...button }: Props): JSX.Element {
  return (
    <button type="button" {...button} aria-keyshortcuts={keys ? ariaKeys(keys) : undefined}>
      {children}
      {keys && <kbd aria-hidden="true">{keyHint(keys)}</kbd>}
    </button>
  );
}
