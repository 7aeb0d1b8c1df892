import { X } from 'lucide';
import type { JSX } from 'preact';
import { focusMessage } from '../composer/message-field.tsx';
import { usePanel } from '../panel-context.ts';
import { IconButton } from './icon-button.tsx';
import './undo-lines.css';
import { t } from '../../locales/texts/panel.ts';

/** What was deleted or put away a moment ago, each with the way back. One that is taken or dismissed leaves the focus to the field that is there. */
export function UndoLines(): JSX.Element | null {
  const { undos } = usePanel();
  const list = undos.list.value;
  return (
    <div class="undos" role="status">
      {list.map(({ key, what, title }) => (
        <p key={key} class="undo">
          <span class="grow cut">
            {t(($) => $.undo.done[what])}
            {title !== undefined && <span class="subtle"> · {title}</span>}
          </span>
          <button
            class="btn quiet s"
            {...(list.length > 1 &&
              title !== undefined && { 'aria-label': t(($) => $.undo.undoOf, { title }) })}
            onClick={({ currentTarget }) => {
              focusField(currentTarget);
              void undos.take(key);
            }}
          >
            {t(($) => $.actions.undo)}
          </button>
          <IconButton
            icon={X}
            small
            label={t(($) => $.actions.dismiss)}
            onClick={({ currentTarget }) => {
              focusField(currentTarget);
              undos.dismiss(key);
            }}
          />
        </p>
      ))}
    </div>
  );
}

/** To the message, or to the search of the history, which lies over it. */
function focusField(button: HTMLElement): void {
  const search = button.closest('.drawer')?.querySelector<HTMLElement>('input[type="search"]');
  if (search) search.focus();
  else focusMessage();
}

/** To the way back from what was just deleted, since the button that did it is gone with it. */
export function focusUndo(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.undo:last-child > .btn')?.focus());
}
