import { Upload } from 'lucide';
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { AppError } from '../../../lib/errors.ts';
import { readFile } from '../../../lib/state/read-file.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { MOST_FILE_TEXT, type ProjectSummary } from '../../../lib/types/project.ts';
import { t } from '../../../locales/texts/settings.ts';
import { Icon } from '../../ui/icon.tsx';
import { ConfirmRemove } from '../form/confirm-remove.tsx';
import { FilePicker } from '../form/file-picker.tsx';
import { Problem } from '../form/problem.tsx';
import { useAction } from '../form/use-action.ts';
import { WorkButton } from '../form/work-button.tsx';
import { useSetupState } from '../options-context.ts';
import './projects.css';

/** The files of a project: what is read of them goes along in its chats. */
export function ProjectFiles({ project: { id, files } }: { project: ProjectSummary }): JSX.Element {
  const { command } = useSetupState();
  const action = useAction();
  const picker = useRef<HTMLInputElement>(null);
  const take = (file: File): void =>
    action.run(async () => {
      const { text } = await readFile(file, new AbortController().signal);
      if (text.trim() === '') {
        const message = t(($) => $.projects.noText, { name: visible(file.name) });
        throw new AppError({ code: 'invalid_input', message });
      }
      await command('addProjectFile', { id, name: file.name, text });
    });
  return (
    <section class="block" aria-label={t(($) => $.projects.files)}>
      <div class="toolbar">
        <div class="grow">
          <h2>{t(($) => $.projects.files)}</h2>
          <p class="help">{t(($) => $.projects.filesHelp, { most: MOST_FILE_TEXT })}</p>
        </div>
        <WorkButton busy={action.busy} press={() => !action.busy && picker.current?.click()}>
          <Icon of={Upload} />
          {t(($) => $.projects.addFile)}
        </WorkButton>
        <FilePicker accept="" picker={picker} take={take} />
      </div>
      {action.error && <Problem error={action.error} />}
      {files.length > 0 && (
        <ul class="rows" aria-label={t(($) => $.projects.files)}>
          {files.map((file) => (
            <FileRow key={file.id} id={id} file={file} />
          ))}
        </ul>
      )}
    </section>
  );
}

type FileRowProps = { id: number; file: ProjectSummary['files'][number] };

/** A file, and its text as models get it once it is opened. */
function FileRow({ id, file }: FileRowProps): JSX.Element {
  const { command } = useSetupState();
  const removal = useAction();
  const [text, setText] = useState<string>();
  const name = visible(file.name);
  const of = { id, fileId: file.id };
  const read = async (): Promise<void> => setText(visible((await command('readProjectFile', of)).text));
  return (
    <li aria-label={name}>
      <div class="prov">
        <details class="grow" onToggle={() => text === undefined && void removal.run(read)}>
          <summary>
            <bdi>{name}</bdi>{' '}
            <span class="small muted">{t(($) => $.projects.characters, { count: file.length })}</span>
          </summary>
          <pre class="file-text" dir="auto">
            {text}
          </pre>
        </details>
        <ConfirmRemove
          question={t(($) => $.memory.removeQuestion, { name })}
          label={t(($) => $.memory.remove, { name })}
          small
          remove={() => removal.run(() => command('removeProjectFile', of))}
        />
      </div>
      {removal.error && <Problem error={removal.error} />}
    </li>
  );
}
