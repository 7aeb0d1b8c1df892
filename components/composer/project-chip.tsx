import { Folder, X } from 'lucide';
import type { JSX } from 'preact';
import { visible } from '../../lib/state/shown-text.ts';
import type { ProjectSummary } from '../../lib/types/project.ts';
import { openSettings, usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { focusMessage } from './message-field.tsx';
import './attach/chips.css';
import { t } from '../../locales/texts/panel.ts';

/** The project that the chat belongs to; a press opens its page. */
export function ProjectChip({ project }: { project: ProjectSummary }): JSX.Element {
  const { setChat } = usePanel();
  const name = visible(project.name);
  const takeOut = (): void => {
    void setChat({ project: null });
    focusMessage();
  };
  return (
    <div class="chips">
      <span class="chip">
        <button
          type="button"
          title={t(($) => $.projects.open, { name })}
          onClick={() => openSettings(`projects/${project.id}`)}
        >
          <Icon of={Folder} small />
          <span class="sr">{t(($) => $.projects.label)}</span>
          <span class="cut" dir="auto">
            {name}
          </span>
          {project.isOff && <span class="num">{t(($) => $.projects.off)}</span>}
        </button>
        <IconButton icon={X} small label={t(($) => $.projects.takeOut, { name })} onClick={takeOut} />
      </span>
    </div>
  );
}
