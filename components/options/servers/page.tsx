import { ClipboardPaste, MessageSquare, Plus, RefreshCw, Search } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { backToPanel, ownWindow, requestAccess } from '../../../lib/gestures.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { Server } from '../../../lib/types/server.ts';
import { Icon } from '../../ui/icon.tsx';
import { ExportServers } from '../import/export-servers.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { go } from '../route.ts';
import { savedServer, addressOf } from './use-server.ts';
import { ServerRow } from './row.tsx';
import { lostServers, sentenceOf, statusOf } from '../server-status.ts';
import { useAction } from '../form/use-action.ts';
import { WorkButton } from '../form/work-button.tsx';
import { PageHead } from '../page-head.tsx';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

/** The page Servers: every server, how it is, and what to do about it. */
export function ServersPage(): JSX.Element {
  const { servers } = useSetup();
  return (
    <>
      <PageHead title={t(($) => $.options.servers)} lead={t(($) => $.servers.lead)}>
        {servers.length > 0 && <AddButtons />}
      </PageHead>
      <SavedServer />
      {servers.length === 0 ? (
        <div class="blank">
          <p class="muted">{t(($) => $.servers.empty)}</p>
          <AddButtons />
        </div>
      ) : (
        <>
          <ReconnectAll />
          <ul class="rows block" aria-label={t(($) => $.options.servers)}>
            {servers.map((server) => (
              <ServerRow key={server.id} server={server} />
            ))}
          </ul>
          <ExportServers />
        </>
      )}
    </>
  );
}

function AddButtons(): JSX.Element | null {
  if (useSetup().fleet?.ownServers === false) return null;
  return (
    <div class="actions">
      <button class="btn" onClick={() => go('servers', 'import')}>
        <Icon of={ClipboardPaste} />
        {t(($) => $.servers.import)}
      </button>
      <button class="btn" onClick={() => go('servers', 'registry')}>
        <Icon of={Search} />
        {t(($) => $.registry.title)}
      </button>
      <button class="btn primary" onClick={() => go('servers', 'add')}>
        <Icon of={Plus} />
        {t(($) => $.servers.add)}
      </button>
    </div>
  );
}

/** So long is said what needs nothing of the user. */
const SAID_MS = 20_000;

/**
 * How the server that was just saved is doing, and, once it is connected, its tools and the way back to the chat. What is
 * well goes by itself, but not from under the pointer or the focus; what is not stays until the page is left.
 */
function SavedServer(): JSX.Element {
  const setup = useSetup();
  useEffect(() => () => void (savedServer.value = null), []);
  const server = setup.servers.find((other) => other.id === savedServer.value);
  const isConnected = server !== undefined && statusOf(setup, server).state === 'connected';
  const isWell = isConnected || server?.enabled === false;
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (!isWell || isHeld) return undefined;
    const timer = setTimeout(() => (savedServer.value = null), SAID_MS);
    return () => clearTimeout(timer);
  }, [isWell, isHeld]);
  const [hold, release] = [() => setHeld(true), () => setHeld(false)];
  return (
    <div
      class={server ? 'saved block' : 'sr'}
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocusIn={hold}
      onFocusOut={release}
    >
      <p class="wrap" role="status">
        {server && <strong>{sentenceOf(server, statusOf(setup, server))}</strong>}
      </p>
      {isConnected && <SavedTools server={server} />}
    </div>
  );
}

/** So many of its tools are named. */
const NAMED = 8;

function SavedTools({ server }: { server: Server }): JSX.Element {
  const tools = useSetup().tools.filter(({ serverId, present }) => present && serverId === server.id);
  const [windowId, setWindowId] = useState<number>();
  useEffect(() => void ownWindow().then(setWindowId), []);
  return (
    <>
      {tools.length > 0 && (
        <p class="small muted wrap">
          {t(($) => $.servers.savedTools, {
            names: units.commas(tools.slice(0, NAMED).map(({ title, name }) => visible(title ?? name))),
            more: Math.max(tools.length - NAMED, 0),
          })}
        </p>
      )}
      <div class="actions">
        <button
          type="button"
          class="btn primary"
          onClick={() => windowId !== undefined && void backToPanel(windowId)}
        >
          <Icon of={MessageSquare} />
          {t(($) => $.servers.backToChat)}
        </button>
        <a class="btn" href={`#servers/${server.id}/tools`}>
          {t(($) => $.servers.showTools)}
        </a>
      </div>
    </>
  );
}

/** For when more than one is not connected: the network was away, or a computer slept. */
function ReconnectAll(): JSX.Element | null {
  const lost = lostServers(useSetup());
  const { command } = useSetupState();
  const action = useAction();
  if (lost.length < 2 && !action.busy && !action.error) return null;
  const reconnect = (): void => {
    if (action.busy) return;
    const urls = lost.map(addressOf).filter((url) => url !== null);
    // First of all, while the click still counts. Of those that are not allowed, the status says so.
    const granting = requestAccess(urls, urls.length < lost.length);
    action.run(async () => {
      await granting;
      await command('connectAll');
    });
  };
  return (
    <>
      {action.error && <Problem error={action.error} />}
      <div class="toolbar end">
        <WorkButton class="s" busy={action.busy} press={reconnect}>
          <Icon of={RefreshCw} small />
          {t(($) => $.servers.reconnectAll)}
        </WorkButton>
      </div>
    </>
  );
}
