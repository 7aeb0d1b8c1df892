import type { JSX, ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState, useId } from 'preact/hooks';
import type { ToolSummary } from '../../../lib/protocol/setup.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { Server } from '../../../lib/types/server.ts';
import { LaunchNotice } from '../native-host/launch-notice.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { Problem } from '../form/problem.tsx';
import { go, type ServerTab, SERVER_TABS } from '../route.ts';
import { statusOf } from '../server-status.ts';
import { Configuration } from './configuration.tsx';
import { ServerHead } from './head.tsx';
import { ServerLog } from './log.tsx';
import { ServerPrompts } from './prompts.tsx';
import { ServerResources } from './resources.tsx';
import { SignInNotice } from './sign-in.tsx';
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

/** The tabs of one server, and the one that is shown. `counts` are what stands behind a tab, for the eye only. */
function Tabs(props: {
  label: string;
  shown: ServerTab;
  counts: Partial<Record<ServerTab, number>>;
  show: (tab: ServerTab) => void;
  children: ComponentChildren;
}): JSX.Element {
  const { label, shown, counts, show, children } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = SERVER_TABS.indexOf(shown);
    const last = SERVER_TABS.length - 1;
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at + last, Home: 0, End: last };
    const next = SERVER_TABS[(steps[event.key] ?? NaN) % SERVER_TABS.length];
    if (next === undefined) return;
    event.preventDefault();
    show(next);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {SERVER_TABS.map((tab) => (
          <button
            key={tab}
            type="button"
            role="tab"
            id={`${id}-${tab}`}
            data-tab={tab}
            aria-selected={tab === shown}
            aria-controls={`${id}-panel`}
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => show(tab)}
          >
            {t(($) => $.serverPage.tabs[tab])}
            {counts[tab] !== undefined && (
              <span class="num" aria-hidden="true">
                {` ${counts[tab]}`}
              </span>
            )}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown}`} key={shown}>
        {children}
      </div>
    </>
  );
}
