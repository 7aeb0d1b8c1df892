import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useLayer } from './layers.ts';

const ITEMS = '[role="menuitem"]';

/** A menu behind a button: the focus goes to its first item, arrows move it, leaving closes the menu. */
export function useMenu(): {
  open: boolean;
  button: RefObject<HTMLButtonElement | null>;
  menu: RefObject<HTMLDivElement | null>;
  toggle: () => void;
  /** Closes it; the focus goes back to the button. */
  close: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onFocusOut: (event: FocusEvent) => void;
} {
  const open = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
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
