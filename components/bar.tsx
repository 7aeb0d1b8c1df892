import { History, Keyboard, Plug, Settings, SquarePen } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { serverSummary } from '../lib/state/server-summary.ts';
import { openSettings, usePanel } from './panel-context.ts';
import { CHORDS } from './ui/keys/chords.ts';
import { RenameField } from './ui/rename-field.tsx';
import { IconButton } from './ui/icon-button.tsx';
import './bar.css';
import { t } from '../locales/texts/panel.ts';

/** The panel's head: where one is, and the way to everything else. */
export function Bar(props: {
  historyOpen: boolean;
  openHistory: () => void;
  newChat: () => void;
  openKeys: () => void;
  toolsOpen: boolean;
  toggleTools: () => void;
}): JSX.Element {
  const panel = usePanel();
  const waiting = panel.history.waiting.value;
  const servers = serverSummary(panel.setup.value);
  return (
    <header class="bar" inert={props.historyOpen}>
      <IconButton
        icon={History}
        label={t(($) => $.history.opener, { waiting })}
        keys={CHORDS.history}
        aria-expanded={props.historyOpen}
        onClick={props.openHistory}
      >
        {waiting > 0 && <span class="mark-waiting" />}
      </IconButton>
      <Title />
      <IconButton
        icon={Plug}
        label={t(($) => $.panel.servers, { connected: servers.connected, failed: servers.failed })}
        class="servers"
        aria-haspopup="dialog"
        aria-expanded={props.toolsOpen}
        onClick={props.toggleTools}
      >
        {servers.state && <span class="lamp" data-state={servers.state} />}
      </IconButton>
      <IconButton
        icon={SquarePen}
        label={t(($) => $.panel.newChat)}
        keys={CHORDS.newChat}
        onClick={props.newChat}
      />
      <IconButton
        icon={Keyboard}
        label={t(($) => $.panel.shortcuts)}
        keys={CHORDS.help}
        class="keys"
        aria-haspopup="dialog"
        onClick={props.openKeys}
      />
      <IconButton
        icon={Settings}
        label={t(($) => $.panel.settings)}
        onClick={() => openSettings('general')}
      />
    </header>
  );
}

/** The chat's title; a double click writes it anew. */
function Title(): JSX.Element {
  const panel = usePanel();
  const [renaming, setRenaming] = useState(false);
  const { conversation } = panel.chat.value;
  const title = conversation?.title || t(($) => $.panel.newChat);
  useEffect(() => {
    document.title = conversation?.title
      ? `${conversation.title} – ${t(($) => $.panel.label)}`
      : t(($) => $.panel.label);
  }, [conversation?.title]);
  if (!conversation || !renaming) {
    return (
      <h1
        class="cut"
        dir="auto"
        title={conversation ? `${title}\n${t(($) => $.history.renameHint)}` : undefined}
        onDblClick={() => setRenaming(conversation !== null)}
      >
        {title}
      </h1>
    );
  }
  return (
    <RenameField
      key={conversation.id}
      name={t(($) => $.history.renameOf, { title })}
      title={title}
      save={(next) => void panel.history.rename(conversation.id, next)}
      close={() => setRenaming(false)}
    />
  );
}
