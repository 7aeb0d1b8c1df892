import { RefreshCw, Server as ServerIcon } from 'lucide';
import type { JSX } from 'preact';
import { serverAlike } from '../../../lib/state/trust/look-alike.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { ServerInfo } from '../../../lib/types/offer.ts';
import type { Server, ServerStatus } from '../../../lib/types/server.ts';
import { GivenIcon } from '../../ui/given-icon.tsx';
import { Icon } from '../../ui/icon.tsx';
import { TrustWarning } from '../../ui/trust-warning.tsx';
import { ConfirmRemove } from '../form/confirm-remove.tsx';
import { Switch } from '../../ui/fields.tsx';
import { NativeHostLink, reconnectWords } from '../native-host/link.tsx';
import { useSetup, useSetupState } from '../options-context.ts';
import { SetByOrganisation } from '../form/managed.tsx';
import { Problem } from '../form/problem.tsx';
import { go } from '../route.ts';
import { useServer } from '../servers/use-server.ts';
import { useAction } from '../form/use-action.ts';
import { WorkButton } from '../form/work-button.tsx';
import { t as inPanel } from '../../../locales/texts/panel.ts';
import { t } from '../../../locales/texts/settings.ts';
import { units } from '../../../locales/units.ts';

type Props = { server: Server; status: ServerStatus; info: ServerInfo | null };

/** A server's name, how it is, and what can be done with it as a whole. */
export function ServerHead({ server, status, info }: Props): JSX.Element {
  const { command } = useSetupState();
  const { id, enabled } = server;
  const { enable, reconnect, isReconnecting, error } = useServer(server);
  const removal = useAction();
  // What keeps a server from connecting is its status, which is shown anyway.
  const failure = removal.error ?? (status.error ? null : error);
  const name = visible(server.name);
  const twin = serverAlike(server, useSetup());
  return (
    <>
      <header class="head">
        <div>
          <h1 class="server-name">
            {info?.icons && <GivenIcon icons={info.icons} otherwise={ServerIcon} />}
            {name}
          </h1>
          <Meta server={server} status={status} info={info} />
          {server.managed && <SetByOrganisation />}
          <p class="small">
            <a href={`#tool-log/${id}`}>{t(($) => $.serverPage.toolLog)}</a>
          </p>
        </div>
        <div class="actions">
          <Switch label={t(($) => $.servers.enabled)} labelShown checked={enabled} set={enable} />
          {enabled && (
            <WorkButton busy={isReconnecting} press={reconnect}>
              <Icon of={RefreshCw} />
              {reconnectWords(status.error)}
            </WorkButton>
          )}
          {!server.managed && (
            <ConfirmRemove
              question={t(($) => $.serverPage.removeQuestion, { name })}
              remove={() =>
                removal.run(async () => {
                  await command('removeServer', { id });
                  await go('servers');
                })
              }
            />
          )}
        </div>
      </header>
      {twin !== undefined && (
        <TrustWarning text={inPanel(($) => $.approval.serverAlike, { name: visible(twin) })} />
      )}
      {enabled && status.error && (
        <>
          <Problem error={status.error} />
          <NativeHostLink error={status.error} class="block" />
        </>
      )}
      {failure && <Problem error={failure} />}
    </>
  );
}

function Meta({ server, status, info }: Props): JSX.Element {
  const { state, reason, protocolVersion, answeredInMs } = status;
  const isOverSse = server.transport === 'streamable-http' && info?.transport === 'sse';
  return (
    <p class="meta small">
      <span>
        <span class="lamp" data-state={state} />
        <span role="status" data-state={state}>
          {reason ? t(($) => $.servers.waits) : t(($) => $.servers.state[state])}
        </span>
      </span>
      <span>
        {isOverSse ? t(($) => $.serverPage.overSse) : t(($) => $.servers.transport[server.transport])}
      </span>
      {protocolVersion !== undefined && (
        <span>{t(($) => $.serverPage.protocol, { version: visible(protocolVersion) })}</span>
      )}
      {answeredInMs !== undefined && (
        <span>{t(($) => $.serverPage.answeredIn, { duration: units.took(answeredInMs) })}</span>
      )}
    </p>
  );
}
