import { History, Plug, Settings, SquarePen } from 'lucide';
import type { JSX } from 'preact';
import { serverSummary } from '../lib/state/setup.ts';
import { en } from '../locales/en.ts';
import { openSettings, usePanel } from './panel-context.ts';
import { Icon } from './ui/icon.tsx';
import './bar.css';

/** The panel's head: where one is, and the way to everything else. */
export function Bar(props: {
  historyOpen: boolean;
  openHistory: () => void;
  newChat: () => void;
  toolsOpen: boolean;
  toggleTools: () => void;
}): JSX.Element {
  const panel = usePanel();
  const servers = serverSummary(panel.setup.value);
  return (
    <header class="bar" inert={props.historyOpen}>
      <button
        class="icon-btn"
        aria-label={en.panel.history}
        aria-expanded={props.historyOpen}
        onClick={props.openHistory}
      >
        <Icon of={History} />
      </button>
      <h1 class="cut">{panel.chat.value.conversation?.title || en.panel.newChat}</h1>
      <button
        class="icon-btn servers"
        aria-label={en.panel.servers(servers.connected, servers.failed)}
        aria-haspopup="dialog"
        aria-expanded={props.toolsOpen}
        onClick={props.toggleTools}
      >
        <Icon of={Plug} />
        {servers.state && <span class="lamp" data-state={servers.state} />}
      </button>
      <button class="icon-btn" aria-label={en.panel.newChat} onClick={props.newChat}>
        <Icon of={SquarePen} />
      </button>
      <button class="icon-btn" aria-label={en.panel.settings} onClick={() => openSettings('general')}>
        <Icon of={Settings} />
      </button>
    </header>
  );
}
