import { ChevronRight, type IconNode } from 'lucide';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../ui/icon.tsx';
import './empty.css';

type Props = {
  icon: IconNode;
  name: string;
  sub: string;
  takesFocus?: boolean;
  press: () => void;
};

/** One of the ways to start: a row to press. */
export function Pick({ icon, name, sub, takesFocus, press }: Props): JSX.Element {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => void (takesFocus && button.current?.focus()), []);
  return (
    <button class="pick" ref={button} onClick={press}>
      <Icon of={icon} />
      <span>
        <span class="name">{name}</span>
        <span class="sub">{sub}</span>
      </span>
      <Icon of={ChevronRight} small class="subtle" />
    </button>
  );
}
