import { Folder, NotebookPen, X } from 'lucide';
import { Fragment, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { choiceFor } from '../../lib/state/composer/choice.ts';
import { visible } from '../../lib/state/shown-text.ts';
import type { Note } from '../../lib/types/note.ts';
import { openSettings, usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Modal } from '../ui/overlay/modal.tsx';
import { named } from '../chat/calls/approval-card.tsx';
import { Raw } from '../chat/message/raw.tsx';
import { focusMessage } from './message-field.tsx';
import './attach/attachment-preview.css';
import './attach/chips.css';
import { t } from '../../locales/texts/panel.ts';
import type { ProjectSummary } from '../../lib/types/project.ts';

/** That the user's notes go with the chat's messages; a press shows which. */
export function MemoryChip({ notes }: { notes: Note[] }): JSX.Element {
  const { chat, setup, setChat } = usePanel();
  const [isShown, setShown] = useState(false);
  const leaveOut = (): void => {
    const settings = choiceFor(setup.value, chat.value.conversation)?.settings;
    void setChat({ settings: { ...settings, memory: false } });
    focusMessage();
  };
  return (
    <>
      <div class="chips">
        <span class="chip">
          <button type="button" aria-haspopup="dialog" onClick={() => setShown(true)}>
            <Icon of={NotebookPen} small />
            <span class="cut">{t(($) => $.settings.memory)}</span>
            <span class="num">{t(($) => $.memory.notes, { count: notes.length })}</span>
          </button>
          <IconButton icon={X} small label={t(($) => $.memory.leaveOut)} onClick={leaveOut} />
        </span>
      </div>
      {isShown && <Sent notes={notes} close={() => setShown(false)} />}
    </>
  );
}

function Sent({ notes, close }: { notes: Note[]; close: () => void }): JSX.Element {
  return (
    <Modal title={t(($) => $.settings.memory)} closeName={t(($) => $.attachments.close)} close={close}>
      <div class="preview" tabIndex={0}>
        <p class="help">{t(($) => $.memory.sent)}</p>
        {notes.map(({ id, text, from }) => (
          <Fragment key={id}>
            <Raw text={visible(text)} />
            {from && <p class="small subtle">{t(($) => $.memory.from, { sources: named(from, []) })}</p>}
          </Fragment>
        ))}
        <p>
          <button type="button" class="btn" onClick={() => openSettings('memory')}>
            {t(($) => $.memory.manage)}
          </button>
        </p>
      </div>
    </Modal>
  );
}

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
