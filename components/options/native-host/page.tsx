import { ChevronLeft } from 'lucide';
import type { JSX } from 'preact';
import type { NativeHostStatus } from '../../../lib/protocol/servers.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { Policy } from '../../../lib/types/native-host.ts';
import { en } from '../../../locales/en-options.ts';
import { Icon } from '../../ui/icon.tsx';
import { useNativeHost } from './context.ts';
import { Installation, ServerChecks } from './doctor.tsx';
import { InstallCommand } from './install-command.tsx';
import './native-host.css';

const words = en.nativeHostPage;

/** The page Native host: how to install it, whether all of it works, and what it may start. */
export function NativeHostPage(): JSX.Element {
  const status = useNativeHost(true);
  return (
    <>
      <a class="crumb" href="#servers">
        <Icon of={ChevronLeft} small />
        {en.options.servers}
      </a>
      <header class="head">
        <div>
          <h1>{words.title}</h1>
          <p>{words.lead}</p>
        </div>
      </header>
      {status ? (
        <Shown status={status} />
      ) : (
        <p class="muted" role="status">
          {words.looking}
        </p>
      )}
    </>
  );
}

const titles = {
  missing: words.install,
  outdated: words.update,
  not_allowed: words.permission,
  waiting: words.inEffect,
};

function Shown({ status }: { status: NativeHostStatus }): JSX.Element {
  if (status.state !== 'ready') {
    const title = titles[status.state];
    return (
      <section class="block" aria-label={title}>
        <h2>{title}</h2>
        <div class="rows">
          <InstallCommand status={status} />
        </div>
      </section>
    );
  }
  return (
    <>
      <Installation host={status} />
      <ServerChecks />
      <PolicyBlock policy={status.policy} />
    </>
  );
}

function PolicyBlock({ policy }: { policy: Policy | null }): JSX.Element {
  return (
    <section class="block" aria-label={words.policy}>
      <h2>{words.policy}</h2>
      {policy ? <PolicyRows policy={policy} /> : <p class="muted">{words.noPolicy}</p>}
    </section>
  );
}

function PolicyRows({ policy: { file, commands, problem } }: { policy: Policy }): JSX.Element {
  return (
    <>
      <p class="help wrap">
        {commands.length > 0 ? words.policyFile : words.policyNothing} <code>{visible(file)}</code>
      </p>
      {problem !== undefined && <p class="warned wrap">{visible(problem)}</p>}
      {commands.length > 0 && (
        <ul class="rows" aria-label={words.policy}>
          {commands.map((command) => (
            <li key={command} class="policy-command">
              <code>{visible(command)}</code>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
