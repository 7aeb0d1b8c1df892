import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visible } from '../../../lib/state/shown-text.ts';
import { MOST_NOTES, type Note, notesToSend } from '../../../lib/types/note.ts';
import { projectIn } from '../../../lib/types/project.ts';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { Problem } from '../form/problem.tsx';
import { ItemsHead, SavedRow } from '../form/items.tsx';
import { SettingRows, SwitchSetting } from '../form/setting-rows.tsx';
import { useSettings } from '../form/use-changes.ts';
import { useSetup, useSetupState } from '../options-context.ts';
import './memory.css';

/** What models are to know of the user, newest first. */
export function MemoryPage(): JSX.Element {
  const { notes } = useSetup();
  const { setting, error } = useSettings();
  const [query, setQuery] = useState('');
  const words = query.toLocaleLowerCase().split(/\s+/);
  const found = notes.filter(({ text }) => words.every((word) => text.toLocaleLowerCase().includes(word)));
  const isSent = (note: Note): boolean =>
    notesToSend(notes.filter(({ project }) => project === note.project)).includes(note);
  return (
    <>
      <ItemsHead page="memory" />
      {error && <Problem error={error} />}
      <SettingRows title={t(($) => $.options.general)}>
        <SwitchSetting
          label={t(($) => $.memory.everywhere)}
          help={t(($) => $.memory.everywhereHelp, { most: MOST_NOTES })}
          {...setting('memory')}
        />
      </SettingRows>
      {notes.length === 0 ? (
        <p class="blank muted">{t(($) => $.memory.empty)}</p>
      ) : (
        <>
          <div class="toolbar">
            <SearchField label={t(($) => $.memory.search)} value={query} set={setQuery} />
          </div>
          {found.length === 0 ? (
            <p class="blank muted">{t(($) => $.memory.noMatch)}</p>
          ) : (
            <ul class="rows" aria-label={t(($) => $.memory.title)}>
              {found.toReversed().map((note) => (
                <NoteRow key={note.id} note={note} isSent={isSent(note)} />
              ))}
            </ul>
          )}
        </>
      )}
    </>
  );
}

/** Characters of a note that name it. */
const NAME = 60;

export function NoteRow({
  note: { id, text, from, project },
  isSent,
}: {
  note: Note;
  isSent: boolean;
}): JSX.Element {
  const { command } = useSetupState();
  const its = projectIn(useSetup().projects, { project });
  const shown = visible(text);
  const name = shown.length > NAME ? `${shown.slice(0, NAME - 1).trimEnd()}…` : shown;
  return (
    <SavedRow page="memory" id={id} name={name} text={shown} remove={() => command('removeNote', { id })}>
      {from && <p class="muted">{fromWords(from)}</p>}
      {its && <p class="muted">{t(($) => $.memory.inProject, { name: visible(its.name) })}</p>}
      {!isSent && <p class="muted">{t(($) => $.memory.notSent, { most: MOST_NOTES })}</p>}
    </SavedRow>
  );
}

export const fromWords = (from: string[]): string =>
  t(($) => $.memory.from, { sources: units.listed(from.map(visible)) });
