import { ChevronRight, type IconNode } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Markdown } from '../../markdown/markdown.tsx';
import { Icon } from '../../ui/icon.tsx';
import './fold.css';

/** Text that few want to read, folded to one quiet line. `note` says what it is, once it is open. */
export function Fold(props: {
  title: string;
  icon?: IconNode;
  note?: string;
  markdown?: boolean;
  children: string;
}): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <div class="lines">
      <button class="line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon of={ChevronRight} small class="turn" />
        {props.icon && <Icon of={props.icon} small />}
        {props.title}
      </button>
      {open && props.note && <p class="thoughts small subtle">{props.note}</p>}
      {open && (
        <div class={props.markdown ? 'thoughts' : 'thoughts plain'} tabIndex={0}>
          {props.markdown ? <Markdown text={props.children} /> : props.children}
        </div>
      )}
    </div>
  );
}
