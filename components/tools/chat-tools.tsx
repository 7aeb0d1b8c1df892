import { Search, X } from 'lucide';
import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { choiceFor } from '../../lib/state/composer/choice.ts';
import {
  overridesIn,
  searchTools,
  serversOfChat,
  toolsSeen,
  toolsSent,
  type ChatServer,
  type ToolsSent,
} from '../../lib/state/settings/chat-tools.ts';
import { inheritAll, type ToolChanges, type ToolOverrides } from '../../lib/types/conversation.ts';
import { OWN_TOOLS } from '../../lib/types/tools/tool-source.ts';
import { openSettings, usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';
import { useLayer } from '../ui/overlay/layers.ts';
import { ChatServerItem } from './chat-server.tsx';
import { CHORDS } from '../ui/keys/chords.ts';
import { IconButton } from '../ui/icon-button.tsx';
import './chat-tools.css';
import { t } from '../../locales/texts/panel.ts';
import { units } from '../../locales/units.ts';

/** More tools than this can be searched. */
const MANY = 10;

/** Which tools this chat's model is offered. Every change holds from the next message on. */
export function ChatTools({ close }: { close: () => void }): JSX.Element | null {
  const panel = usePanel();
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState('');
  useLayer(true, close);
  useLayoutEffect(() => root.current?.querySelector<HTMLElement>('input, button')?.focus(), []);
  const setup = panel.setup.value;
  if (!setup) return null;

  const chat = panel.chat.value.conversation ?? setup.newChat;
  const overrides = overridesIn(setup, chat);
  const change = (tools: ToolChanges): void => void panel.setChat({ tools });
  const servers = serversOfChat(setup, overrides, chat);
  const shown = query.trim() === '' ? servers : searchTools(servers, query);
  const traits = choiceFor(setup, panel.chat.value.conversation)?.traits ?? {};
  const sent = toolsSent(servers, traits, setup.settings, toolsSeen(panel.chat.value));
  const leave: typeof openSettings = (page) => {
    close();
    openSettings(page);
  };
  return (
    <>
      <div class="away" onClick={close} />
      <div class="pop" role="dialog" aria-labelledby={`${id}-title`} ref={root}>
        <div class="pane-head">
          <h2 class="grow" id={`${id}-title`}>
            {t(($) => $.chatTools.title)}
          </h2>
          <span class="small subtle num" role="status">
            {statusOf(sent)}
          </span>
          <IconButton icon={X} label={t(($) => $.chatTools.close)} keys={CHORDS.escape} onClick={close} />
        </div>
        <div class="pop-body">
          {servers.reduce((sum, { tools }) => sum + tools.length, 0) > MANY && (
            <SearchField query={query} type={setQuery} />
          )}
          {setup.servers.length === 0 && <p class="none muted">{t(($) => $.chatTools.none)}</p>}
          {servers.length > 0 && shown.length === 0 && (
            <p class="none small subtle">{t(($) => $.chatTools.noMatch)}</p>
          )}
          <ul>
            {shown.map((server) => (
              <ChatServerItem
                key={server.server.id}
                of={server}
                whole={servers.find((other) => other.server.id === server.server.id) ?? server}
                searching={query.trim() !== ''}
                allSent={sent.type === 'all'}
                setup={setup}
                overrides={overrides}
                change={change}
                leave={leave}
              />
            ))}
          </ul>
        </div>
        <Foot
          servers={servers}
          fill={fillOf(sent, traits.contextWindow)}
          own={chat.tools ?? {}}
          reset={() => change(inheritAll(chat.tools))}
          leave={leave}
        />
      </div>
    </>
  );
}

function statusOf(sent: ToolsSent): string {
  if (sent.type === 'none') return t(($) => $.chatTools.noneSent);
  const { on, tokens } = sent;
  return sent.type === 'search' && sent.which === 'all'
    ? t(($) => $.chatTools.bySearch, { on })
    : t(($) => $.chatTools.count, { on, tokens: units.amount(tokens) });
}

function fillOf(sent: ToolsSent, window: number | undefined): string {
  if (sent.type === 'none') return t(($) => $.chatTools.notSent);
  const { tokens } = sent;
  if (sent.type === 'search' && sent.which === 'acting')
    return t(($) => $.chatTools.actingSearched, { tokens: units.amount(tokens) });
  if (sent.type === 'search')
    return t(($) => $.chatTools.searched, {
      window: sent.window === undefined ? 'none' : units.window(sent.window),
      tokens: units.amount(tokens),
    });
  return window !== undefined && tokens > 0
    ? t(($) => $.chatTools.fill, {
        percent: Math.max(1, Math.round((tokens / window) * 100)),
        window: units.window(window),
      })
    : '';
}

function SearchField({ query, type }: { query: string; type: (text: string) => void }): JSX.Element {
  return (
    <label class="search pop-search">
      <Icon of={Search} />
      <input
        class="input"
        type="search"
        aria-label={t(($) => $.chatTools.search)}
        placeholder={t(($) => $.chatTools.search)}
        value={query}
        onInput={(event) => type(event.currentTarget.value)}
      />
    </label>
  );
}

function Foot(props: {
  servers: ChatServer[];
  /** What they take of the model's context, in words. */
  fill: string;
  /** What the chat itself says of its tools. */
  own: ToolOverrides;
  reset: () => void;
  leave: typeof openSettings;
}): JSX.Element {
  const { servers, fill, own, reset, leave } = props;
  const hasServers = servers.some(({ server }) => server.id !== OWN_TOOLS);
  return (
    <div class="pop-foot">
      <span class="grow">{fill}</span>
      {Object.keys(own).length > 0 && (
        <button class="btn quiet s" onClick={reset}>
          {t(($) => $.chatTools.reset)}
        </button>
      )}
      <button class="btn quiet s" onClick={() => leave(hasServers ? 'servers' : 'servers/add')}>
        {hasServers ? t(($) => $.chatTools.manage) : t(($) => $.chatTools.add)}
      </button>
    </div>
  );
}
