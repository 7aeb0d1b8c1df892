import { MessageSquare, Plug } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { readsPages, overridesIn, serversOfChat, toolsSent } from '../../../lib/state/settings/chat-tools.ts';
import { choiceFor, lacksModel } from '../../../lib/state/composer/choice.ts';
import { OWN_TOOLS } from '../../../lib/types/tools/tool-source.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { openSettings, usePanel } from '../../panel-context.ts';
import { agoOf } from '../../history/groups.ts';
import { Icon } from '../../ui/icon.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { Starters } from './starters.tsx';
import './empty.css';
import { t } from '../../../locales/texts/panel.ts';
import { units } from '../../../locales/units.ts';

const ConnectServer = lazy((views) => views.ConnectServer);
const KeyView = lazy((views) => views.KeyView);
const ModelWays = lazy((views) => views.ModelWays);

/** How many earlier chats are at hand. */
const RECENT = 3;

/** So many servers that can't be used now are named. */
const HELD = 3;

/** A chat that has not begun: what is at hand, and what was asked before. */
export function EmptyChat(): JSX.Element {
  const panel = usePanel();
  const [isConnecting, setConnecting] = useState(false);
  const [keyView, setKeyView] = useState<'new' | 'open' | 'left'>('new');
  const setup = panel.setup.value;
  const isDemo = setup !== null && lacksModel(setup);
  const servers = setup ? serversOfChat(setup, overridesIn(setup, setup.newChat), setup.newChat) : [];
  const offering = servers.filter(
    ({ server, status, on }) => server.id !== OWN_TOOLS && status.state === 'connected' && on > 0,
  );
  // They wait for the user, or don't work: nothing of them is to be seen elsewhere.
  const held = servers
    .filter(({ server, status }) => server.enabled && (status.reason || status.error))
    .slice(0, HELD);
  const tools = offering.reduce((sum, { on }) => sum + on, 0);
  const choice = choiceFor(setup, null);
  const sent = setup && choice && toolsSent(servers, choice.traits, setup.settings);
  const recent = panel.history.archived.value ? [] : panel.history.rows.value.slice(0, RECENT);
  const now = new Date();
  if (isDemo && keyView === 'open') return <KeyView back={() => setKeyView('left')} />;
  return (
    <div class="start push">
      <div>
        <h2>{t(($) => $.start.emptyTitle)}</h2>
        <p class="muted">
          {sent?.type === 'none'
            ? t(($) => $.start.emptyNoTools)
            : tools > 0
              ? t(($) => $.start.emptyWithTools, { tools, servers: offering.length })
              : readsPages(servers)
                ? t(($) => $.start.emptyWithoutTools)
                : t(($) => $.start.emptyPagesOff)}{' '}
          {sent?.type === 'search' &&
            sent.which === 'all' &&
            t(($) => $.start.emptyBySearch, {
              window: sent.window === undefined ? 'none' : units.window(sent.window),
            })}
        </p>
      </div>
      <Starters />
      {isDemo && <ModelWays addKey={() => setKeyView('open')} isBack={keyView === 'left'} />}
      {isConnecting ? (
        <ConnectServer close={() => setConnecting(false)} />
      ) : (
        setup?.servers.length === 0 &&
        sent?.type !== 'none' && (
          <div class="actions">
            <button class="btn s" onClick={() => setConnecting(true)}>
              <Icon of={Plug} small />
              {t(($) => $.start.connect)}
            </button>
          </div>
        )
      )}
      {held.length > 0 && (
        <div class="suggest" role="group" aria-label={t(($) => $.start.tools)}>
          {held.map(({ server, status: { reason, state } }) => (
            <button key={server.id} onClick={() => openSettings(`servers/${server.id}`)}>
              <Icon of={Plug} />
              <span class="cut" dir="auto">
                {visible(server.name)}
              </span>
              <span class="small subtle">
                {reason ? t(($) => $.chatTools.needs[reason]) : t(($) => $.chatTools.states[state])}
              </span>
            </button>
          ))}
        </div>
      )}
      {recent.length > 0 && (
        <div>
          <h3>{t(($) => $.start.recent)}</h3>
          <div class="suggest" role="group" aria-label={t(($) => $.start.recent)}>
            {recent.map((conversation) => (
              <button key={conversation.id} onClick={() => panel.show(conversation)}>
                <Icon of={MessageSquare} />
                <span class="cut" dir="auto">
                  {conversation.title}
                </span>
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
