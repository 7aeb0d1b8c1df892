import { ChevronLeft, RefreshCw } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { en } from '../../locales/en.ts';
import type { Server, ServerStatus } from '../../lib/types/setup.ts';
import { Icon } from '../ui/icon.tsx';
import { ConfirmRemove } from './confirm-remove.tsx';
import { Switch } from './fields.tsx';
import { useSetup, useSetupState } from './options-context.ts';
import { Problem } from './problem.tsx';
import { go } from './route.ts';
import { ServerForm } from './server-form.tsx';
import { statusOf } from './server-status.ts';
import { ServerTools } from './server-tools.tsx';
import { useAction } from './use-action.ts';
import { WorkButton } from './work-button.tsx';

/** One server: its state, its settings, its tools. */
export function ServerPage({ id }: { id: number }): JSX.Element {
  const setup = useSetup();
  const server = setup.servers.find((other) => other.id === id);
  return (
    <>
      <a class="crumb" href="#servers">
        <Icon of={ChevronLeft} small />
        {en.options.servers}
      </a>
      {server ? <ServerView server={server} /> : <p class="muted">{en.servers.gone}</p>}
    </>
  );
}

function ServerView({ server }: { server: Server }): JSX.Element {
  const setup = useSetup();
  const [tab, setTab] = useState<'tools' | 'configuration'>('configuration');
  const status = statusOf(setup, server);
  const tools = setup.tools.filter((tool) => tool.serverId === server.id);
  return (
    <>
      <ServerHead server={server} status={status} />
      {server.enabled && status.error && <Problem error={status.error} />}
      <div class="tabs" role="tablist" aria-label={server.name}>
        <Tab selected={tab === 'configuration'} select={() => setTab('configuration')}>
          {en.servers.configuration}
        </Tab>
        <Tab selected={tab === 'tools'} select={() => setTab('tools')} count={tools.length}>
          {en.servers.tools}
        </Tab>
      </div>
      {tab === 'configuration' ? <ServerForm server={server} /> : <ServerTools tools={tools} />}
    </>
  );
}

function Tab(props: {
  selected: boolean;
  select: () => void;
  count?: number;
  children: string;
}): JSX.Element {
  return (
    <button role="tab" aria-selected={props.selected} onClick={props.select}>
      {props.children}
      {props.count !== undefined && (
        <span class="num" aria-hidden="true">
          {` ${props.count}`}
        </span>
      )}
    </button>
  );
}

function ServerHead({ server, status }: { server: Server; status: ServerStatus }): JSX.Element {
  const { command } = useSetupState();
  const change = useAction();
  const reconnect = useAction();
  // A failed reconnect is usually the server's status, which is shown anyway.
  const failure = change.error ?? (status.error ? null : reconnect.error);
  return (
    <>
      <header class="head">
        <div>
          <h1>{server.name}</h1>
          <p class="meta small">
            <span>
              <span class="lamp" data-state={status.state} />
              <span role="status" data-state={status.state}>
                {en.servers.state[status.state]}
              </span>
            </span>
            <span>{en.servers.transport[server.transport]}</span>
          </p>
        </div>
        <div class="actions">
          <Switch
            label={en.servers.enabled}
            labelShown
            checked={server.enabled}
            set={(enabled) => change.run(() => command('setServerEnabled', { id: server.id, enabled }))}
          />
          {server.enabled && (
            <WorkButton
              busy={reconnect.busy}
              press={() => reconnect.run(() => command('reconnectServer', { id: server.id }))}
            >
              <Icon of={RefreshCw} />
              {en.servers.reconnect}
            </WorkButton>
          )}
          <ConfirmRemove
            question={en.servers.removeQuestion(server.name)}
            remove={() =>
              change.run(async () => {
                await command('removeServer', { id: server.id });
                await go('servers');
              })
            }
          />
        </div>
      </header>
      {failure && <Problem error={failure} />}
    </>
  );
}
