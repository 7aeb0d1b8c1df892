import type { IconNode } from 'lucide';
import type { ComponentChildren, JSX } from 'preact';
import { Icon } from './icon.tsx';
import type { Chord } from './keys/chords.ts';
import { ariaKeys, withKeys } from './keys/key-label.ts';

type Props = Omit<JSX.IntrinsicElements['button'], 'title' | 'label' | 'children' | 'type' | 'icon'> & {
  icon: IconNode;
  small?: boolean;
  /** What it does, heard and as its tooltip. */
  label: string;
  /** The keys that do the same, for the tooltip. */
  keys?: Chord;
  /** A mark on the icon. */
  children?: ComponentChildren;
};

export function IconButton(props: Props): JSX.Element {
  const { icon, small, label, keys, children, class: more, ...button } = props;
  return (
    <button
      type="button"
      aria-keyshortcuts={keys ? ariaKeys(keys) : undefined}
      {...button}
      class={more === undefined ? 'icon-btn' : `icon-btn ${String(more)}`}
      aria-label={label}
      title={keys ? withKeys(label, keys) : label}
    >
      <Icon of={icon} {...(small && { small })} />
      {children}
    </button>
  );
}
