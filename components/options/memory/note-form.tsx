import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visible } from '../../../lib/state/shown-text.ts';
import { LONGEST_NOTE, type Note } from '../../../lib/types/note.ts';
import { t } from '../../../locales/texts/settings.ts';
import { SelectField, TextArea, useFormFocus } from '../form/fields.tsx';
import { Problem } from '../form/problem.tsx';
import { SaveFoot } from '../form/save-foot.tsx';
import { useAction } from '../form/use-action.ts';
import { useDraft } from '../form/use-draft.ts';
import { useSetup, useSetupState } from '../options-context.ts';
import { Crumb, PageHead } from '../page-head.tsx';
import { go } from '../route.ts';
import { fromWords } from './memory.tsx';

/** One note, or a new one. */
export function NotePage({ item }: { item: 'add' | number }): JSX.Element {
  const note = useSetup().notes.find(({ id }) => id === item) ?? null;
  return (
    <>
      <Crumb href="#memory">{t(($) => $.memory.title)}</Crumb>
      {item !== 'add' && !note ? (
        <p class="muted">{t(($) => $.memory.gone)}</p>
      ) : (
        <>
          <PageHead title={note ? t(($) => $.memory.note) : t(($) => $.memory.add)} />
          <NoteForm note={note} />
        </>
      )}
    </>
  );
}

function NoteForm({ note }: { note: Note | null }): JSX.Element {
  const { command } = useSetupState();
  const { draft, set, forget } = useDraft(`memory/${note?.id ?? 'add'}`, () => ({
    text: note?.text ?? '',
    project: note?.project ?? '',
  }));
  const { projects } = useSetup();
  const [faults, setFaults] = useState<{ text?: string }>({});
  const form = useFormFocus(faults);
  const save = useAction();
  const submit = (event: Event): void => {
    event.preventDefault();
    save.clear();
    const text = draft.text.trim();
    if (text === '') return setFaults({ text: t(($) => $.memory.invalid.empty) });
    if (text.length > LONGEST_NOTE)
      return setFaults({ text: t(($) => $.memory.invalid.long, { most: LONGEST_NOTE }) });
    setFaults({});
    save.run(async (isWanted) => {
      const { project } = draft;
      await command('saveNote', { text, ...(note && { id: note.id }), ...(project !== '' && { project }) });
      forget();
      if (isWanted()) await go('memory');
    });
  };
  return (
    <form class="form short" ref={form} onSubmit={submit} noValidate>
      <TextArea
        label={t(($) => $.memory.note)}
        value={draft.text}
        set={(text) => set({ text })}
        invalid={faults.text}
        help={note?.from && `${fromWords(note.from)} ${t(($) => $.memory.asYours)}`}
        rows={5}
      />
      {projects.length > 0 && (
        <SelectField
          label={t(($) => $.memory.where)}
          value={draft.project}
          options={{
            '': t(($) => $.memory.everywhereOn),
            ...Object.fromEntries(projects.map(({ key, name }) => [key, visible(name)])),
          }}
          set={(project) => set({ project })}
        />
      )}
      {save.error && <Problem error={save.error} />}
      <SaveFoot busy={save.busy} back="#memory" forget={forget} />
    </form>
  );
}
