import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ToolSummary } from '../../../lib/protocol/setup.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { Server } from '../../../lib/types/server.ts';
import { LaunchNotice } from '../native-host/launch-notice.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { go, type ServerTab } from '../route.ts';
import { statusOf } from '../server-status.ts';
import { Configuration } from './configuration.tsx';
import { ServerHead } from './head.tsx';
import { ServerLog } from './log.tsx';
import { ServerPrompts } from './prompts.tsx';
import { ServerResources } from './resources.tsx';
import { SignInNotice } from './sign-in.tsx';
import { Tabs } from './tabs.tsx';
import { withKept } from './tool-list.ts';
import { ServerTools } from './tools.tsx';
import { Crumb } from '../page-head.tsx';
import { toWire } from '../../../lib/errors.ts';
import type { WireError } from '../../../lib/types/error.ts';
import type { Offer } from '../../../lib/types/offer.ts';
import './server.css';
import { t } from '../../../locales/texts/settings.ts';

/** One server: how it is, its settings, what it offers and what goes to and fro. */
export function ServerPage({ id, tab }: { id: number; tab: ServerTab }): JSX.Element {
  const server = useSetup().servers.find((other) => other.id === id);
  return (
    <>
      <Crumb href="#servers">{t(($) => $.options.servers)}</Crumb>
      {server ? <ServerView server={server} tab={tab} /> : <p class="muted">{t(($) => $.serverPage.gone)}</p>}
    </>
  );
}

function ServerView({ server, tab }: { server: Server; tab: ServerTab }): JSX.Element {
  const setup = useSetup();
  const tools = useToolsOf(server.id);
  const status = statusOf(setup, server);
  const { offer, error } = useOffer(server.id, status.state === 'connected', setup.statuses[server.id], tab);
  const counts = {
    tools: tools.length,
    ...(offer && {
      prompts: offer.prompts.length,
      resources: offer.resources.length + offer.templates.length,
    }),
  };
  const needsSignIn = server.enabled && status.reason === 'sign_in';
  return (
    <>
      <ServerHead server={server} status={status} info={offer?.info ?? null} />
      {needsSignIn && <SignInNotice server={server} status={status} />}
      {server.transport === 'stdio' && server.enabled && status.reason === 'launch' && (
        <LaunchNotice server={server} />
      )}
      <Tabs
        label={visible(server.name)}
        shown={tab}
        counts={counts}
        show={(next) => void go('servers', server.id, next)}
      >
        {error && <Problem error={error} />}
        {tab === 'configuration' && <Configuration server={server} info={offer?.info ?? null} />}
        {tab === 'tools' && <ServerTools server={server} status={status} tools={tools} />}
        {tab === 'prompts' && <ServerPrompts server={server} status={status} offer={offer} />}
        {tab === 'resources' && <ServerResources server={server} status={status} offer={offer} />}
        {tab === 'log' && <ServerLog server={server} canLog={offer?.info.can.includes('log') ?? false} />}
      </Tabs>
    </>
  );
}

/** A server's tools; those that did not change keep their identity. */
export function useToolsOf(serverId: number): ToolSummary[] {
  const { tools } = useSetup();
  const kept = useRef<ToolSummary[]>([]);
  return useMemo(() => {
    kept.current = withKept(
      kept.current,
      tools.filter((tool) => tool.serverId === serverId),
    );
    return kept.current;
  }, [tools, serverId]);
}

type Offered = {
  /** null while the server is not connected, or before it was told. */
  offer: Offer | null;
  error: WireError | null;
};

const NOTHING: Offered = { offer: null, error: null };

/** What a server offers besides tools; asked again whenever one of `told` is another value. */
function useOffer(serverId: number, isConnected: boolean, ...told: [unknown, unknown]): Offered {
  const { command } = useSetupState();
  const [offered, setOffered] = useState(NOTHING);
  useEffect(() => {
    if (!isConnected) return setOffered(NOTHING);
    let isWanted = true;
    command('serverOffer', { serverId }).then(
      (offer) => isWanted && setOffered({ offer, error: null }),
      (failure: unknown) => isWanted && setOffered({ offer: null, error: toWire(failure) }),
    );
    return () => void (isWanted = false);
  }, [serverId, isConnected, ...told]);
  return offered;
}
