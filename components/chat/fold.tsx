import { ChevronRight } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from '../ui/icon.tsx';
import './fold.css';

/** Text that few want to read, folded to one quiet line. `note` says what it is, once it is open. */
export function Fold(props: { title: string; note?: string; children: string }): JSX.Element {
  const [open, setOpen] = useState(false);
  return (
    <div class="lines">
      <button class="line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon of={ChevronRight} small class="turn" />
        {props.title}
      </button>
      {open && props.note && <p class="thoughts small subtle">{props.note}</p>}
      {open && <p class="thoughts plain">{props.children}</p>}
    </div>
  );
}
