import { MessageSquare } from 'lucide';
import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import { serversOfChat, toolsSent } from '../../lib/state/chat-tools.ts';
import { choiceFor } from '../../lib/state/choice.ts';
import { serverSummary } from '../../lib/state/setup.ts';
import { usePanel } from '../panel-context.ts';
import { agoOf } from '../history/groups.ts';
import { Icon } from '../ui/icon.tsx';
import './empty.css';

/** How many earlier chats are at hand. */
const RECENT = 3;

/** A chat that has not begun: what is at hand, and what was asked before. */
export function EmptyChat(): JSX.Element {
  const panel = usePanel();
  const setup = panel.setup.value;
  const { connected } = serverSummary(setup);
  const tools = (setup?.tools ?? []).filter(
    ({ enabled, present, problem, serverId }) =>
      enabled && present && problem === undefined && setup?.statuses[serverId]?.state === 'connected',
  ).length;
  const choice = choiceFor(setup, null);
  const way =
    setup &&
    choice &&
    toolsSent(serversOfChat(setup, setup.newChat.tools ?? {}), choice.traits, setup.settings);
  const window = choice?.traits.contextWindow;
  const recent = panel.history.archived.value ? [] : panel.history.rows.value.slice(0, RECENT);
  const now = new Date();
  return (
    <div class="start push">
      <div>
        <h2>{en.start.emptyTitle}</h2>
        <p class="muted">
          {way === 'none'
            ? en.start.emptyNoTools
            : tools > 0
              ? en.start.emptyWithTools(tools, connected)
              : en.start.emptyWithoutTools}{' '}
          {way === 'search' && en.start.emptyBySearch(window)}
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
                <time class="small subtle" dateTime={conversation.updatedAt}>
                  {agoOf(conversation.updatedAt, now)}
                </time>
              </button>
            ))}
          </div>
        </div>
      )}
    </div>
  );
}
