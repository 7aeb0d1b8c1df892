import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { visible } from '../../../lib/state/shown-text.ts';
import { projectIn } from '../../../lib/types/project.ts';
import { openSettings, usePanel } from '../../panel-context.ts';
import { t } from '../../../locales/texts/panel.ts';

/** The project that this chat belongs to. */
export function ProjectField(): JSX.Element {
  const { chat, setup, setChat } = usePanel();
  const id = useId();
  const { projects = [], newChat } = setup.value ?? {};
  return (
    <div class="field">
      <label for={id}>{t(($) => $.projects.label)}</label>
      <div class="settings-row">
        <select
          class="select"
          id={id}
          value={projectIn(projects, chat.value.conversation ?? newChat)?.key ?? ''}
          onChange={({ currentTarget }) => void setChat({ project: currentTarget.value || null })}
        >
          <option value="">{t(($) => $.settings.noAssistant)}</option>
          {projects.map(({ key, name }) => (
            <option key={key} value={key}>
              {visible(name)}
            </option>
          ))}
        </select>
        <button class="btn" onClick={() => openSettings('projects/add')}>
          {t(($) => $.projects.add)}
        </button>
      </div>
    </div>
  );
}
