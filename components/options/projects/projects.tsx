import type { JSX } from 'preact';
import { visible } from '../../../lib/state/shown-text.ts';
import type { ProjectSummary } from '../../../lib/types/project.ts';
import { t } from '../../../locales/texts/settings.ts';
import { Items, ItemsHead, SavedRow } from '../form/items.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { useSetup, useSetupState } from '../options-context.ts';

/** Chats that share instructions, files, tools and notes. */
export function ProjectsPage(): JSX.Element {
  const { projects } = useSetup();
  return (
    <>
      <ItemsHead page="projects" />
      <Items page="projects">
        {projects.map((project) => (
          <ProjectRow key={project.id} project={project} />
        ))}
      </Items>
    </>
  );
}

function ProjectRow({ project }: { project: ProjectSummary }): JSX.Element {
  const { command } = useSetupState();
  const { id, instructions, files, isOff } = project;
  return (
    <SavedRow
      page="projects"
      id={id}
      name={visible(project.name)}
      remove={() => command('removeProject', { id })}
    >
      {isOff && <p class="muted">{t(($) => $.projects.off)}</p>}
      {instructions !== '' && (
        <p class="cut muted" dir="auto">
          <LongText text={visible(instructions.split('\n')[0] ?? '')} isCut />
        </p>
      )}
      {files.length > 0 && <p class="cut muted">{files.map(({ name }) => visible(name)).join(', ')}</p>}
    </SavedRow>
  );
}
