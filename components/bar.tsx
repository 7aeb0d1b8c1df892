import { History, Keyboard, Plug, Settings, SquarePen } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { serverSummary } from '../lib/state/setup.ts';
import { en } from '../locales/en.ts';
import { openSettings, usePanel } from './panel-context.ts';
import { Icon } from './ui/icon.tsx';
import { withKeys } from './ui/key-label.ts';
import { RenameField } from './ui/rename-field.tsx';
import './bar.css';

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
      <button
        class="icon-btn"
        aria-label={en.history.opener(waiting)}
        title={withKeys(en.history.opener(waiting), 'Mod', 'K')}
        aria-expanded={props.historyOpen}
        onClick={props.openHistory}
      >
        <Icon of={History} />
        {waiting > 0 && <span class="mark-waiting" />}
      </button>
      <Title />
      <button
        class="icon-btn servers"
        aria-label={en.panel.servers(servers.connected, servers.failed)}
        title={en.panel.servers(servers.connected, servers.failed)}
        aria-haspopup="dialog"
        aria-expanded={props.toolsOpen}
        onClick={props.toggleTools}
      >
        <Icon of={Plug} />
        {servers.state && <span class="lamp" data-state={servers.state} />}
      </button>
      <button
        class="icon-btn"
        aria-label={en.panel.newChat}
        title={withKeys(en.panel.newChat, 'Mod', 'Shift', 'O')}
        onClick={props.newChat}
      >
        <Icon of={SquarePen} />
      </button>
      <button
        class="icon-btn keys"
        aria-label={en.panel.shortcuts}
        title={withKeys(en.panel.shortcuts, '?')}
        aria-haspopup="dialog"
        aria-keyshortcuts="?"
        onClick={props.openKeys}
      >
        <Icon of={Keyboard} />
      </button>
      <button
        class="icon-btn"
        aria-label={en.panel.settings}
        title={en.panel.settings}
        onClick={() => openSettings('general')}
      >
        <Icon of={Settings} />
      </button>
    </header>
  );
}

/** The chat's title; a double click writes it anew. */
function Title(): JSX.Element {
  const panel = usePanel();
  const [renaming, setRenaming] = useState(false);
  const { conversation } = panel.chat.value;
  const title = conversation?.title || en.panel.newChat;
  useEffect(() => {
    document.title = conversation?.title ? `${conversation.title} – ${en.panel.label}` : en.panel.label;
  }, [conversation?.title]);
  if (!conversation || !renaming) {
    return (
      <h1
        class="cut"
        dir="auto"
        {...(conversation && { title: `${title}\n${en.history.renameHint}` })}
        onDblClick={() => setRenaming(conversation !== null)}
      >
        {title}
      </h1>
    );
  }
  return (
    <RenameField
      key={conversation.id}
      name={en.history.renameOf(title)}
      title={title}
      save={(next) => void panel.history.rename(conversation.id, next)}
      close={() => setRenaming(false)}
    />
  );
}
