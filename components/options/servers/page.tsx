import { ClipboardPaste, Plus, RefreshCw } from 'lucide';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { requestAccess } from '../../../lib/gestures.ts';
import { Icon } from '../../ui/icon.tsx';
import { ExportServers } from '../export-servers.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { Problem } from '../problem.tsx';
import { go } from '../route.ts';
import { savedServer } from './saved.ts';
import { ServerRow } from './row.tsx';
import { lostServers, sentenceOf, statusOf } from '../server-status.ts';
import { addressOf } from './use-server.ts';
import { useAction } from '../use-action.ts';
import { WorkButton } from '../work-button.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** The page Servers: every server, how it is, and what to do about it. */
export function ServersPage(): JSX.Element {
  const { servers } = useSetup();
  return (
    <>
      <header class="head">
        <div>
          <h1>{t(($) => $.options.servers)}</h1>
          <p>{t(($) => $.servers.lead)}</p>
        </div>
        {servers.length > 0 && <AddButtons />}
      </header>
      <SavedStatus />
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

function AddButtons(): JSX.Element {
  return (
    <div class="actions">
      <button class="btn" onClick={() => go('servers', 'import')}>
        <Icon of={ClipboardPaste} />
        {t(($) => $.servers.import)}
      </button>
      <button class="btn primary" onClick={() => go('servers', 'add')}>
        <Icon of={Plus} />
        {t(($) => $.servers.add)}
      </button>
    </div>
  );
}

/** So long it is said that a saved server is connected; its line in the list goes on saying it. */
const SEEN_MS = 6000;

/** How the server that was just saved is doing, in words. */
function SavedStatus(): JSX.Element {
  const setup = useSetup();
  const server = setup.servers.find((other) => other.id === savedServer.value);
  const isDone = server !== undefined && statusOf(setup, server).state === 'connected';
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => (savedServer.value = null), SEEN_MS);
    return () => clearTimeout(timer);
  }, [isDone, server?.id]);
  return (
    <p class={server ? 'saved block' : 'sr'} role="status">
      {server && sentenceOf(server, statusOf(setup, server))}
    </p>
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
