import { ChevronRight, CircleAlert, type IconNode } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Markdown } from '../../markdown/markdown.tsx';
import { Icon } from '../../ui/icon.tsx';
import './fold.css';
import { visible } from '../../../lib/state/shown-text.ts';
import type { Run } from '../../../lib/types/run.ts';
import { t } from '../../../locales/texts/panel.ts';

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

/** What failed before, each in one line: nothing is to be done about it any more. */
export function PastFaults({ runs = [] }: { runs: Run[] | undefined }): JSX.Element {
  return (
    <>
      {runs.map(({ id, error }) => (
        <Fold key={id} title={visible(error?.message ?? t(($) => $.run.failed))} icon={CircleAlert}>
          {visible([error?.cause, error?.fix].filter((line) => line !== undefined).join('\n'))}
        </Fold>
      ))}
    </>
  );
}
