import { FolderInput } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../../ui/icon.tsx';
import { Problem } from '../form/problem.tsx';
import { useAction } from '../form/use-action.ts';
import { WorkButton } from '../form/work-button.tsx';
import { useSetupState } from '../options-context.ts';
import type { Request } from '../../../lib/protocol/commands.ts';
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

type SkillFiles = Request<'importSkills'>['files'];

/** Bytes: a larger file is no text that a model reads. */
const LONGEST = 2_000_000;
/** More files are those of a folder that was not meant. */
const MOST_FILES = 2_000;

async function textsOf(files: { path: string; file: File }[]): Promise<SkillFiles> {
  const texts = files.slice(0, MOST_FILES).map(async ({ path, file }) => {
    const text = file.size > LONGEST ? undefined : await textOf(file);
    return text === undefined ? [] : [{ path, text }];
  });
  return (await Promise.all(texts)).flat();
}

async function textOf(file: File): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return undefined; // a picture, or what else a folder has
  }
}

/** What was dropped, with all that is in its folders. To be called in the turn of the drop. */
function filesDropped(data: DataTransfer): Promise<{ path: string; file: File }[]> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  return Promise.all(entries.map((entry) => filesIn(entry))).then((found) => found.flat());
}

async function filesIn(entry: FileSystemEntry): Promise<{ path: string; file: File }[]> {
  const path = entry.fullPath.replace(/^\//, '');
  if (isFile(entry)) return [{ path, file: await new Promise<File>(entry.file.bind(entry)) }];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: { path: string; file: File }[] = [];
  // It hands them out in parts, and none at the end.
  for (let part = await listed(reader); part.length > 0 && found.length < MOST_FILES;) {
    for (const each of part) found.push(...(await filesIn(each)));
    part = await listed(reader);
  }
  return found;
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;

const listed = (reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> =>
  new Promise((resolve, reject) => reader.readEntries(resolve, reject));
