import { Plus } from 'lucide';
import type { JSX } from 'preact';
import { visible } from '../../../lib/state/shown-text.ts';
import type { ProjectSummary } from '../../../lib/types/project.ts';
import { t } from '../../../locales/texts/settings.ts';
import { Icon } from '../../ui/icon.tsx';
import { SavedRow } from '../form/saved-row.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { PageHead } from '../page-head.tsx';
import { go } from '../route.ts';

/** Chats that share instructions, files, tools and notes. */
export function ProjectsPage(): JSX.Element {
  const { projects } = useSetup();
  return (
    <>
      <PageHead title={t(($) => $.projects.title)} lead={t(($) => $.projects.lead)}>
        <div class="actions">
          <button class="btn primary" onClick={() => go('projects', 'add')}>
            <Icon of={Plus} />
            {t(($) => $.projects.add)}
          </button>
        </div>
      </PageHead>
      {projects.length === 0 ? (
        <p class="blank muted">{t(($) => $.projects.empty)}</p>
      ) : (
        <ul class="rows" aria-label={t(($) => $.projects.title)}>
          {projects.map((project) => (
            <ProjectRow key={project.id} project={project} />
          ))}
        </ul>
      )}
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
          {visible(instructions.split('\n')[0] ?? '')}
        </p>
      )}
      {files.length > 0 && <p class="cut muted">{files.map(({ name }) => visible(name)).join(', ')}</p>}
    </SavedRow>
  );
}
