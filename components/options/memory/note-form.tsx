import type { JSX } from 'preact';
import { visible } from '../../../lib/state/shown-text.ts';
import { LONGEST_NOTE, type Note } from '../../../lib/types/note.ts';
import { t } from '../../../locales/texts/settings.ts';
import { SelectField, TextArea } from '../../ui/fields.tsx';
import { ItemForm, ItemPage } from '../form/item-form.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { fromWords } from './memory.tsx';

export const NotePage = ({ item }: { item: 'add' | number }): JSX.Element => (
  <ItemPage page="memory" items={useSetup().notes} item={item} title={() => t(($) => $.memory.note)}>
    {(note) => <NoteForm note={note} />}
  </ItemPage>
);

function NoteForm({ note }: { note: Note | null }): JSX.Element {
  const { command } = useSetupState();
  const { projects } = useSetup();
  const check = (draft: { text: string; project: string }) => {
    const text = draft.text.trim();
    if (text === '') return { faults: { text: t(($) => $.memory.invalid.empty) } };
    if (text.length > LONGEST_NOTE)
      return { faults: { text: t(($) => $.memory.invalid.long, { most: LONGEST_NOTE }) } };
    const { project } = draft;
    return { input: { text, ...(note && { id: note.id }), ...(project !== '' && { project }) } };
  };
  return (
    <ItemForm
      page="memory"
      id={note?.id}
      start={() => ({ text: note?.text ?? '', project: note?.project ?? '' })}
      check={check}
      send={(input) => command('saveNote', input)}
    >
      {({ field }) => (
        <>
          <TextArea
            label={t(($) => $.memory.note)}
            {...field('text')}
            help={note?.from && `${fromWords(note.from)} ${t(($) => $.memory.asYours)}`}
            rows={5}
          />
          {projects.length > 0 && (
            <SelectField
              label={t(($) => $.memory.where)}
              {...field('project')}
              options={{
                '': t(($) => $.memory.everywhereOn),
                ...Object.fromEntries(projects.map(({ key, name }) => [key, visible(name)])),
              }}
            />
          )}
        </>
      )}
    </ItemForm>
  );
}
