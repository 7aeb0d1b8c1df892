import { Upload } from 'lucide';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { visible } from '../../../lib/state/shown-text.ts';
import { en } from '../../../locales/en-options.ts';
import { Icon } from '../../ui/icon.tsx';
import { useFileDrop } from '../../ui/use-file-drop.ts';
import { Problem } from '../problem.tsx';
import { ActionRow } from '../setting-rows.tsx';
import { WorkButton } from '../work-button.tsx';
import { type ImportState, useImport } from './use-import.ts';

const words = en.data;
/** Of those that were left out. */
const MOST_SHOWN = 5;

/** A file of chats or of settings. `added`: there is more than there was. */
export function Import({ added }: { added: () => void }): JSX.Element {
  const { state, error, busy, take, cancel } = useImport(added);
  const picker = useRef<HTMLInputElement>(null);
  const isOver = useFileDrop(([file]) => file && take(file));
  return (
    <ActionRow
      label={words.importLabel}
      help={isOver ? words.drop : words.importHelp}
      buttons={
        <WorkButton busy={busy} press={() => !busy && picker.current?.click()}>
          <Icon of={Upload} />
          {words.import}
        </WorkButton>
      }
    >
      <input
        type="file"
        hidden
        accept=".json,application/json"
        ref={picker}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0];
          if (file) take(file);
          currentTarget.value = ''; // so that the same file may be chosen again
        }}
      />
      <p class="small muted progress">
        <span role="status">{state && said(state)}</span>
        {busy && state?.type === 'going' && (
          <button type="button" class="btn quiet s" onClick={cancel}>
            {words.cancel}
          </button>
        )}
      </p>
      {state?.type === 'chats' && <LeftOut failures={state.failures} />}
      {error && <Problem error={error} />}
    </ActionRow>
  );
}

function said(state: ImportState): string {
  switch (state.type) {
    case 'going':
      return words.importing(state.at, state.of);
    case 'stopped':
      return words.stopped(state.at, state.of, state.done);
    case 'settings':
      return words.addedSettings(state.added);
    case 'chats':
      return words.added(state.done, state.failures.length);
  }
}

function LeftOut({ failures }: { failures: { title: string; why: string }[] }): JSX.Element | null {
  if (failures.length === 0) return null;
  return (
    <ul class="small muted left-out">
      {failures.slice(0, MOST_SHOWN).map(({ title, why }, place) => (
        <li key={place}>{words.leftOut(visible(title), visible(why))}</li>
      ))}
      {failures.length > MOST_SHOWN && <li>{words.moreLeftOut(failures.length - MOST_SHOWN)}</li>}
    </ul>
  );
}
