import { ChevronDown } from 'lucide';
import type { ComponentChildren, JSX, RefObject } from 'preact';
import { Icon } from '../icon.tsx';
import { useAnchored } from './use-anchored.ts';
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLayer } from './layers.ts';

const ITEMS = '[role="menuitem"]';

/** A menu behind a button: the focus goes to its first item, arrows move it, leaving closes the menu. */
export function useMenu() {
  const open = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  /** The focus goes back to the button. */
  const close = (): void => {
    open.value = false;
    button.current?.focus();
  };
  useLayer(open.value, close);
  useLayoutEffect(() => {
    if (open.value) menu.current?.querySelector<HTMLElement>(ITEMS)?.focus();
  }, [open.value]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const items = [...(menu.current?.querySelectorAll<HTMLElement>(ITEMS) ?? [])];
    const at = items.findIndex((item) => item === document.activeElement);
    items.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % items.length)?.focus();
  };
  const onFocusOut = ({ relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof Node && menu.current?.contains(relatedTarget))) open.value = false;
  };
  const toggle = (): void => {
    if (open.value) close();
    else open.value = true;
  };
  return { open: open.value, button, menu, toggle, close, onKeyDown, onFocusOut };
}

/** The button of a menu, a chevron beside what it gives more ways for, and the menu while it is open. */
export function MenuButton(props: {
  of: ReturnType<typeof useMenu>;
  label: string;
  /** Its tooltip, where that says more than its name. */
  title?: JSX.IntrinsicElements['button']['title'];
  class: string;
  /** What the menu is as wide as at least, and at the end of; the button itself by default. */
  anchor?: RefObject<HTMLElement | null>;
  menuClass: string;
  disabled?: JSX.IntrinsicElements['button']['disabled'];
  /** `menuitem`s; they close the menu themselves. */
  children: ComponentChildren;
}): JSX.Element {
  const { label, title = label } = props;
  const { open, button, menu, toggle, onKeyDown, onFocusOut } = props.of;
  useAnchored(open, menu, props.anchor ?? button);
  return (
    <>
      <button
        type="button"
        class={props.class}
        aria-label={label}
        title={title}
        aria-haspopup="menu"
        aria-expanded={open}
        disabled={props.disabled}
        ref={button}
        // Keeps the menu's focus until the click, which closes it.
        onMouseDown={(event) => event.preventDefault()}
        onClick={toggle}
      >
        <Icon of={ChevronDown} small />
      </button>
      {open && (
        <div
          class={props.menuClass}
          popover="manual"
          role="menu"
          aria-label={label}
          ref={menu}
          onKeyDown={onKeyDown}
          onFocusOut={onFocusOut}
        >
          {props.children}
        </div>
      )}
    </>
  );
}
