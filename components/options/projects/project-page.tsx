import { Download, TriangleAlert } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { chatFile } from '../../../lib/state/history/chat-file.ts';
import { exportParts } from '../../../lib/state/history/export-chats.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { ProjectSummary } from '../../../lib/types/project.ts';
import { t } from '../../../locales/texts/settings.ts';
import { download } from '../../ui/download.ts';
import { Icon } from '../../ui/icon.tsx';
import { TextArea, TextField, useFormFocus } from '../form/fields.tsx';
import { Problem } from '../form/problem.tsx';
import { SaveFoot } from '../form/save-foot.tsx';
import { ActionRow, SettingRows } from '../form/setting-rows.tsx';
import { ToolChecks } from '../form/tool-checks.tsx';
import { useAction } from '../form/use-action.ts';
import { keepDraft, useDraft } from '../form/use-draft.ts';
import { WorkButton } from '../form/work-button.tsx';
import { NoteRow } from '../memory/memory.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { Crumb, PageHead } from '../page-head.tsx';
import { go } from '../route.ts';
import { ProjectFiles } from './project-files.tsx';

/** One project, or a new one. */
export function ProjectPage({ item }: { item: 'add' | number }): JSX.Element {
  const project = useSetup().projects.find(({ id }) => id === item) ?? null;
  return (
    <>
      <Crumb href="#projects">{t(($) => $.projects.title)}</Crumb>
      {item !== 'add' && !project ? (
        <p class="muted">{t(($) => $.projects.gone)}</p>
      ) : (
        <>
          <PageHead title={project ? visible(project.name) : t(($) => $.projects.add)} />
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
    </>
  );
}

function ProjectForm({ project }: { project: ProjectSummary | null }): JSX.Element {
  const { command } = useSetupState();
  const { draft, set, forget } = useDraft(`projects/${project?.id ?? 'add'}`, () => ({
    name: project?.name ?? '',
    instructions: project?.instructions ?? '',
    off: project?.tools ?? {},
  }));
  const [faults, setFaults] = useState<{ name?: string }>({});
  const form = useFormFocus(faults, !project);
  const save = useAction();
  const submit = (event: Event): void => {
    event.preventDefault();
    save.clear();
    if (draft.name.trim() === '') return setFaults({ name: t(($) => $.assistants.invalid.name) });
    setFaults({});
    save.run(async (isWanted) => {
      const { name, instructions, off: tools } = draft;
      const { id } = await command('saveProject', {
        name,
        instructions,
        tools,
        ...(project && { id: project.id }),
      });
      forget();
      if (isWanted()) await (project ? go('projects') : go('projects', id));
    });
  };
  return (
    <form class="form short block" ref={form} onSubmit={submit} noValidate>
      <TextField
        label={t(($) => $.assistants.fields.name)}
        value={draft.name}
        set={(name) => set({ name })}
        invalid={faults.name}
      />
      <TextArea
        label={t(($) => $.projects.instructions)}
        value={draft.instructions}
        set={(instructions) => set({ instructions })}
        help={t(($) => $.projects.instructionsHelp)}
        rows={5}
        isWhole={project?.isOff}
      />
      <ToolChecks off={draft.off} set={(off) => set({ off })} each />
      {save.error && <Problem error={save.error} />}
      <SaveFoot
        busy={save.busy}
        back="#projects"
        forget={forget}
        {...(project?.isOff && { label: t(($) => $.projects.switchOn) })}
      />
    </form>
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
  const action = useAction();
  const save = (): void =>
    action.run(async () => {
      const parts = await exportParts('json', (request) =>
        command('exportChats', { ...request, project: key }),
      );
      const file = chatFile(name, 'json');
      if (parts) download(file.name, parts, file.mimeType);
    });
  return (
    <SettingRows title={t(($) => $.data.export)}>
      <ActionRow
        label={t(($) => $.projects.export)}
        help={t(($) => $.projects.exportHelp)}
        buttons={
          <WorkButton busy={action.busy} press={save}>
            <Icon of={Download} />
            {t(($) => $.data.export)}
          </WorkButton>
        }
      >
        {action.error && <Problem error={action.error} />}
      </ActionRow>
    </SettingRows>
  );
}
