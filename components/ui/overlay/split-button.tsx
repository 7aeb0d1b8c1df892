import type { ComponentChildren, JSX } from 'preact';
import type { Chord } from '../keys/chords.ts';
import { KeyedButton } from '../keys/keyed-button.tsx';
import { MenuButton } from './menu-button.tsx';
import './split-button.css';
import { useMenu } from './use-menu.ts';

/** A button, and beside it a menu of what else it could do. */
export function SplitButton(props: {
  children: ComponentChildren;
  primary?: boolean;
  disabled?: boolean;
  /** The keys that press it now. */
  keys: Chord | null;
  press: () => void;
  /** What the menu's button is called. */
  more: string;
  ways: { name: string; act: () => void; disabled?: boolean }[];
}): JSX.Element {
  const menu = useMenu();
  return (
    <div class="split">
      <KeyedButton
        class={props.primary ? 'btn primary' : 'btn'}
        keys={props.keys}
        disabled={props.disabled}
        onClick={props.press}
      >
        {props.children}
      </KeyedButton>
      <MenuButton
        of={menu}
        label={props.more}
        class={props.primary ? 'btn primary split-more' : 'btn split-more'}
        menuClass="split-menu"
      >
        {props.ways.map(({ name, act, disabled }) => (
          <button
            key={name}
            type="button"
            role="menuitem"
            disabled={disabled}
            onClick={() => {
              menu.close();
              act();
            }}
          >
            {name}
          </button>
        ))}
      </MenuButton>
    </div>
  );
}
