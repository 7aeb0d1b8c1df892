import { TriangleAlert } from 'lucide';
import type { JSX } from 'preact';
import { chatFile } from '../../../lib/state/history/chat-file.ts';
import { exportParts } from '../../../lib/state/history/export-chats.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { ProjectSummary } from '../../../lib/types/project.ts';
import { t } from '../../../locales/texts/settings.ts';
import { download } from '../../ui/download.ts';
import { Icon } from '../../ui/icon.tsx';
import { TextArea, TextField } from '../../ui/fields.tsx';
import { ExportRow } from '../data/export.tsx';
import { ItemForm, ItemPage } from '../form/item-form.tsx';
import { SettingRows } from '../form/setting-rows.tsx';
import { ToolChecks } from '../form/tool-checks.tsx';
import { keepDraft } from '../form/use-draft.ts';
import { NoteRow } from '../memory/memory.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { go } from '../route.ts';
import { ProjectFiles } from './project-files.tsx';

export const ProjectPage = ({ item }: { item: 'add' | number }): JSX.Element => (
  <ItemPage page="projects" items={useSetup().projects} item={item} title={({ name }) => visible(name)}>
    {(project) => (
      <>
        {project?.isOff && (
          <div class="notice block">
            <Icon of={TriangleAlert} />
            <p>{t(($) => $.projects.fromFile)}</p>
          </div>
        )}
        {!project?.isOff && <ProjectForm project={project} />}
        {project && <ProjectFiles project={project} />}
        {project && <ProjectNotes project={project} />}
        {project?.isOff && <ProjectForm project={project} />}
        {project && <ExportProject project={project} />}
      </>
    )}
  </ItemPage>
);

function ProjectForm({ project }: { project: ProjectSummary | null }): JSX.Element {
  const { command } = useSetupState();
  const { id, isOff } = project ?? {};
  return (
    <ItemForm
      page="projects"
      id={id}
      start={() => ({
        name: project?.name ?? '',
        instructions: project?.instructions ?? '',
        tools: project?.tools ?? {},
      })}
      check={(draft) =>
        draft.name.trim() === ''
          ? { faults: { name: t(($) => $.assistants.invalid.name) } }
          : { input: { ...draft, ...(id !== undefined && { id }) } }
      }
      send={(input) => command('saveProject', input)}
      label={isOff && t(($) => $.projects.switchOn)}
      isPart
    >
      {({ draft, set, field }) => (
        <>
          <TextField label={t(($) => $.assistants.fields.name)} {...field('name')} />
          <TextArea
            label={t(($) => $.projects.instructions)}
            {...field('instructions')}
            help={t(($) => $.projects.instructionsHelp)}
            rows={5}
            isWhole={isOff}
          />
          <ToolChecks off={draft.tools} set={(tools) => set({ tools })} each />
        </>
      )}
    </ItemForm>
  );
}

function ProjectNotes({ project: { key } }: { project: ProjectSummary }): JSX.Element {
  const notes = useSetup().notes.filter(({ project }) => project === key);
  const add = (): void => {
    keepDraft('memory/add', { text: '', project: key });
    void go('memory', 'add');
  };
  return (
    <section class="block" aria-label={t(($) => $.memory.title)}>
      <div class="toolbar">
        <div class="grow">
          <h2>{t(($) => $.memory.title)}</h2>
          <p class="help">{t(($) => $.projects.notesHelp)}</p>
        </div>
        <button class="btn" onClick={add}>
          {t(($) => $.memory.add)}
        </button>
      </div>
      {notes.length > 0 && (
        <ul class="rows" aria-label={t(($) => $.memory.title)}>
          {notes.toReversed().map((note) => (
            <NoteRow key={note.id} note={note} isSent />
          ))}
        </ul>
      )}
    </section>
  );
}

function ExportProject({ project: { key, name } }: { project: ProjectSummary }): JSX.Element {
  const { command } = useSetupState();
  const save = async (): Promise<void> => {
    const parts = await exportParts('json', (request) =>
      command('exportChats', { ...request, project: key }),
    );
    const file = chatFile(name, 'json');
    if (parts) download(file.name, parts, file.mimeType);
  };
  return (
    <SettingRows title={t(($) => $.data.export)}>
      <ExportRow label={t(($) => $.projects.export)} help={t(($) => $.projects.exportHelp)} save={save} />
    </SettingRows>
  );
}
