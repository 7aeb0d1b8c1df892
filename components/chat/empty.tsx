import { ChevronRight, KeyRound, MessageSquare, Plug, type IconNode } from 'lucide';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { en } from '../../locales/en.ts';
import { serverSummary } from '../../lib/state/setup.ts';
import { openSettings, usePanel } from '../panel-context.ts';
import { Icon, Mark } from '../ui/icon.tsx';
import { LocalModels, LookAgain } from './local-models.tsx';
import './empty.css';

/** The first run: nothing can be sent before a model is chosen. */
export function FirstRun(): JSX.Element {
  return (
    <div class="start">
      <Icon of={Mark} class="mark" />
      <div>
        <h2>{en.start.title}</h2>
        <p class="muted">{en.start.lead}</p>
      </div>
      <ul class="rows" aria-label={en.start.ways}>
        <LocalModels />
        <li>
          <Pick
            icon={KeyRound}
            name={en.start.addKey}
            sub={en.start.addKeySub}
            press={() => openSettings('models/add')}
          />
        </li>
      </ul>
      <LookAgain />
      <div>
        <h3>{en.start.tools}</h3>
        <ul class="rows" aria-label={en.start.tools}>
          <li>
            <Pick
              icon={Plug}
              name={en.start.connect}
              sub={en.start.connectSub}
              press={() => openSettings('servers/add')}
            />
          </li>
        </ul>
      </div>
    </div>
  );
}

function Pick(props: { icon: IconNode; name: string; sub: string; press: () => void }): JSX.Element {
  return (
    <button class="pick" onClick={props.press}>
      <Icon of={props.icon} />
      <span>
        <span class="name">{props.name}</span>
        <span class="sub">{props.sub}</span>
      </span>
      <Icon of={ChevronRight} small class="subtle" />
    </button>
  );
}

/** A chat that has not begun: what is at hand, and what was asked before. */
export function EmptyChat(): JSX.Element {
  const panel = usePanel();
  const setup = panel.setup.value;
  useEffect(() => void panel.loadConversations(), [panel]);
  const { connected } = serverSummary(setup);
  const tools = (setup?.tools ?? []).filter(
    ({ enabled, present, problem, serverId }) =>
      enabled && present && problem === undefined && setup?.statuses[serverId]?.state === 'connected',
  ).length;
  const recent = panel.conversations.value.slice(0, 3);
  return (
    <div class="start push">
      <div>
        <h2>{en.start.emptyTitle}</h2>
        <p class="muted">
          {tools > 0 ? en.start.emptyWithTools(tools, connected) : en.start.emptyWithoutTools}
        </p>
      </div>
      {recent.length > 0 && (
        <div>
          <h3>{en.start.recent}</h3>
          <div class="suggest" role="group" aria-label={en.start.recent}>
            {recent.map((conversation) => (
              <button key={conversation.id} onClick={() => panel.show(conversation)}>
                <Icon of={MessageSquare} />
                <span class="cut">{conversation.title}</span>
              </button>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}
