import { ChevronRight } from 'lucide';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { visible } from '../../../lib/state/shown-text.ts';
import type { Server, ServerStatus } from '../../../lib/types/server.ts';
import { Icon } from '../../ui/icon.tsx';
import { Switch } from '../../ui/fields.tsx';
import { MoreHelp } from '../../ui/more-help.tsx';
import { LaunchNotice } from '../native-host/launch-notice.tsx';
import { NativeHostLink, reconnectWords } from '../native-host/link.tsx';
import { useSetup } from '../options-context.ts';
import { SetByOrganisation } from '../form/managed.tsx';
import { Problem } from '../form/problem.tsx';
import { SignInNotice } from '../server/sign-in.tsx';
import { isOffered } from '../server/tool-list.ts';
import { placeOf, statusOf } from '../server-status.ts';
import { useServer } from './use-server.ts';
import { WorkButton } from '../form/work-button.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** One server of the list. What is wrong with it is in sight, and heard where its name has the focus. */
export function ServerRow({ server }: { server: Server }): JSX.Element {
  const setup = useSetup();
  const id = useId();
  const status = statusOf(setup, server);
  const { enable, reconnect, isReconnecting, error } = useServer(server);
  const { state, reason, error: fault } = status;
  const name = visible(server.name);
  const isLost = server.enabled && state === 'disconnected' && reason === undefined;
  // A failed attempt is usually the server's status, which is shown anyway.
  const failure = fault ? null : error;
  return (
    <li class="srv" aria-label={name}>
      <span class="lamp" data-state={state} />
      <div class="who">
        <a
          class="name"
          href={`#servers/${server.id}`}
          {...(fault && { 'aria-describedby': id, title: fault.message })}
        >
          {name}
        </a>
        {server.managed && <SetByOrganisation />}
        <p class="addr cut" dir="ltr" title={placeOf(server)}>
          <span>{t(($) => $.servers.transport[server.transport])}</span> {placeOf(server)}
        </p>
      </div>
      <span class="small muted" role="status" data-state={state} title={fault?.message}>
        {reason ? t(($) => $.servers.waits) : t(($) => $.servers.state[state])}
      </span>
      <ToolCount server={server} status={status} />
      <Switch label={t(($) => $.servers.enabled)} checked={server.enabled} set={enable} />
      <Icon of={ChevronRight} small />
      {(fault || isLost) && (
        <div class="more small">
          {fault && (
            <p id={id}>
              <strong>{fault.message}</strong> {fault.fix} <MoreHelp code={fault.code} />
            </p>
          )}
          {fault?.cause && <p class="subtle cause">{visible(fault.cause)}</p>}
          <div class="actions">
            <WorkButton class="s" busy={isReconnecting} press={reconnect}>
              {reconnectWords(fault)}
            </WorkButton>
            {fault && <NativeHostLink error={fault} />}
          </div>
        </div>
      )}
      {reason === 'sign_in' && (
        <div class="more">
          <SignInNotice server={server} status={status} />
        </div>
      )}
      {server.transport === 'stdio' && reason === 'launch' && (
        <div class="more">
          <LaunchNotice server={server} />
        </div>
      )}
      {failure && (
        <div class="more">
          <Problem error={failure} />
        </div>
      )}
    </li>
  );
}

function ToolCount({ server, status }: { server: Server; status: ServerStatus }): JSX.Element {
  const tools = useSetup().tools.filter(({ serverId, present }) => present && serverId === server.id);
  const on = tools.filter(isOffered).length;
  return (
    <span class="small subtle num count">
      {status.state === 'connected'
        ? t(($) => $.servers.toolsOn, { on, all: tools.length })
        : tools.length > 0 && t(($) => $.servers.toolsLastTime, { count: tools.length })}
    </span>
  );
}
