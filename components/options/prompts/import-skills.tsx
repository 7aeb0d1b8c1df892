import { FolderInput } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../ui/icon.tsx';
import { Problem } from '../form/problem.tsx';
import { useAction } from '../form/use-action.ts';
import { WorkButton } from '../form/work-button.tsx';
import { useSetupState } from '../options-context.ts';
import { filesDropped, textsOf } from './skill-files.ts';
import { t } from '../../../locales/texts/settings.ts';

/** Takes folders of skills, by the browser's picker or dropped anywhere on the page. */
export function ImportSkills(): JSX.Element {
  const { command } = useSetupState();
  const picker = useRef<HTMLInputElement>(null);
  const action = useAction();
  const take = (files: Promise<{ path: string; file: File }[]>): void =>
    action.run(async () => void (await command('importSkills', { files: await textsOf(await files) })));
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const holdsFiles = ({ dataTransfer }: DragEvent): boolean =>
      dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent): void => void (holdsFiles(event) && event.preventDefault());
    const drop = (event: DragEvent): void => {
      if (!event.dataTransfer || !holdsFiles(event)) return;
      event.preventDefault();
      latest.current(filesDropped(event.dataTransfer));
    };
    window.addEventListener('dragover', over);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('drop', drop);
    };
  }, []);
  const pick = ({ currentTarget }: { currentTarget: HTMLInputElement }): void => {
    const files = [...(currentTarget.files ?? [])].map((file) => ({ path: file.webkitRelativePath, file }));
    currentTarget.value = ''; // the same folder can be chosen again
    if (files.length > 0) take(Promise.resolve(files));
  };
  return (
    <section class="block" aria-label={t(($) => $.prompts.importSkills)}>
      <p class="help">{t(($) => $.prompts.skillHelp)}</p>
      <p>
        <WorkButton busy={action.busy} press={() => picker.current?.click()}>
          <Icon of={FolderInput} /> {t(($) => $.prompts.importSkills)}
        </WorkButton>
        <input type="file" hidden multiple ref={picker} onChange={pick} {...{ webkitdirectory: true }} />
      </p>
      {action.error && <Problem error={action.error} />}
    </section>
  );
}
