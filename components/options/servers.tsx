import { ChevronRight, Plus } from 'lucide';
import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import type { Server, ServerStatus } from '../../lib/types/setup.ts';
import { Icon } from '../ui/icon.tsx';
import { Switch } from './fields.tsx';
import { useSetup, useSetupState } from './options-context.ts';
import { Problem } from './problem.tsx';
import { go } from './route.ts';
import { savedServer } from './saved-server.ts';
import { statusOf } from './server-status.ts';
import { useAction } from './use-action.ts';
import { WorkButton } from './work-button.tsx';

/** The page Servers: every server, how it is, and what to do about it. */
export function ServersPage(): JSX.Element {
  const { servers } = useSetup();
  return (
    <>
      <header class="head">
        <div>
          <h1>{en.options.servers}</h1>
          <p>{en.servers.lead}</p>
        </div>
        {servers.length > 0 && <AddButton />}
      </header>
      <SavedStatus />
      {servers.length === 0 ? (
        <div class="blank">
          <p class="muted">{en.servers.empty}</p>
          <AddButton />
        </div>
      ) : (
        <ul class="rows block" aria-label={en.options.servers}>
          {servers.map((server) => (
            <ServerRow key={server.id} server={server} />
          ))}
        </ul>
      )}
    </>
  );
}

function AddButton(): JSX.Element {
  return (
    <button class="btn primary" onClick={() => go('servers', 'add')}>
      <Icon of={Plus} />
      {en.servers.add}
    </button>
  );
}

/** How the server that was just saved is doing, in words. */
function SavedStatus(): JSX.Element {
  const setup = useSetup();
  const server = setup.servers.find((other) => other.id === savedServer.value);
  return (
    <p class={server?.enabled ? 'saved block' : 'sr'} role="status">
      {server?.enabled && sentence(server, statusOf(setup, server))}
    </p>
  );
}

function sentence(server: Server, status: ServerStatus): string {
  if (status.state === 'connected') return en.servers.connected(server.name);
  if (status.state === 'error') return en.servers.failed(status.error?.message ?? en.servers.state.error);
  return en.servers.connecting;
}

function ServerRow({ server }: { server: Server }): JSX.Element {
  const setup = useSetup();
  const { command } = useSetupState();
  const toggle = useAction();
  const reconnect = useAction();
  const status = statusOf(setup, server);
  // A failed reconnect is usually the server's status, which is shown anyway.
  const failure = toggle.error ?? (status.error ? null : reconnect.error);
  const tools = setup.tools.filter((tool) => tool.serverId === server.id && tool.present);
  const on = tools.filter((tool) => tool.enabled).length;
  return (
    <li class="srv" aria-label={server.name}>
      <span class="lamp" data-state={status.state} />
      <div class="who">
        <a class="name" href={`#servers/${server.id}`}>
          {server.name}
        </a>
        <p class="addr cut">
          <span>{en.servers.transport[server.transport]}</span> {server.url}
        </p>
      </div>
      <span class="small muted" role="status" data-state={status.state}>
        {en.servers.state[status.state]}
      </span>
      <span class="small subtle num count">
        {status.state === 'connected'
          ? en.servers.toolsOn(on, tools.length)
          : tools.length > 0 && en.servers.toolsLastTime(tools.length)}
      </span>
      <Switch
        label={en.servers.enabled}
        checked={server.enabled}
        set={(enabled) => toggle.run(() => command('setServerEnabled', { id: server.id, enabled }))}
      />
      <Icon of={ChevronRight} small />
      {server.enabled && status.error && (
        <div class="more small">
          <p>
            <strong>{status.error.message}</strong> {status.error.fix}
          </p>
          {status.error.cause && <p class="subtle cause">{status.error.cause}</p>}
          <WorkButton
            class="s"
            busy={reconnect.busy}
            press={() => reconnect.run(() => command('reconnectServer', { id: server.id }))}
          >
            {en.servers.reconnect}
          </WorkButton>
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
