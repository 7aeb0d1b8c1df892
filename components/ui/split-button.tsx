import { ChevronDown } from 'lucide';
import type { ComponentChildren, JSX } from 'preact';
import { Icon } from './icon.tsx';
import './split-button.css';
import { useMenu } from './use-menu.ts';

/** A button, and beside it a menu of what else it could do. */
export function SplitButton(props: {
  children: ComponentChildren;
  primary?: boolean;
  disabled?: boolean;
  /** Its key, for `aria-keyshortcuts`. */
  keys: string;
  press: () => void;
  /** What the menu's button is called. */
  more: string;
  ways: { name: string; act: () => void; disabled?: boolean }[];
}): JSX.Element {
  const { open, button, menu, toggle, close, onKeyDown, onFocusOut } = useMenu();
  return (
    <div class="split">
      <button
        type="button"
        class={props.primary ? 'btn primary' : 'btn'}
        aria-keyshortcuts={props.keys}
        disabled={props.disabled}
        onClick={props.press}
      >
        {props.children}
      </button>
      <button
        type="button"
        class={props.primary ? 'btn primary split-more' : 'btn split-more'}
        aria-label={props.more}
        title={props.more}
        aria-haspopup="menu"
        aria-expanded={open}
        ref={button}
        // Keeps the menu's focus until the click, which closes it.
        onMouseDown={(event) => event.preventDefault()}
        onClick={toggle}
      >
        <Icon of={ChevronDown} small />
      </button>
      {open && (
        <div
          class="split-menu"
          role="menu"
          aria-label={props.more}
          ref={menu}
          onKeyDown={onKeyDown}
          onFocusOut={onFocusOut}
        >
          {props.ways.map(({ name, act, disabled }) => (
            <button
              key={name}
              type="button"
              role="menuitem"
              disabled={disabled}
              onClick={() => {
                close();
                act();
              }}
            >
              {name}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
