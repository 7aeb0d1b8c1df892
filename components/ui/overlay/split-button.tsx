import type { ComponentChildren, JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import type { Chord } from '../keys/chords.ts';
import { KeyedButton } from '../keys/keyed-button.tsx';
import { MenuButton, useMenu } from './menu-button.tsx';
import './split-button.css';

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
  /** What holds for all of these, in sentences. */
  notes?: string[];
}): JSX.Element {
  const menu = useMenu();
  const root = useRef<HTMLDivElement>(null);
  const id = useId();
  const { notes = [] } = props;
  return (
    <div class="split" ref={root}>
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
        anchor={root}
        label={props.more}
        class={props.primary ? 'btn primary split-more' : 'btn split-more'}
        menuClass="split-menu"
      >
        {notes.length > 0 && (
          <div class="split-notes small subtle" role="none" id={`${id}-notes`}>
            {notes.map((note) => (
              <p key={note}>{note}</p>
            ))}
          </div>
        )}
        {props.ways.map(({ name, act, disabled }) => (
          <button
            key={name}
            type="button"
            role="menuitem"
            disabled={disabled}
            aria-describedby={notes.length > 0 ? `${id}-notes` : undefined}
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
