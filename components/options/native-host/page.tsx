import type { JSX } from 'preact';
import { SettingRows } from '../form/setting-rows.tsx';
import type { NativeHostStatus } from '../../../lib/protocol/servers.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import type { Policy } from '../../../lib/types/native-host.ts';
import { useNativeHost } from './context.ts';
import { Installation, ServerChecks } from './doctor.tsx';
import { InstallCommand } from './install-command.tsx';
import './native-host.css';
import { Crumb, PageHead } from '../page-head.tsx';
import { t } from '../../../locales/texts/settings.ts';

/** The page Native host: how to install it, whether all of it works, and what it may start. */
export function NativeHostPage(): JSX.Element {
  const status = useNativeHost(true);
  return (
    <>
      <Crumb href="#servers">{t(($) => $.options.servers)}</Crumb>
      <PageHead title={t(($) => $.nativeHostPage.title)} lead={t(($) => $.nativeHostPage.lead)} />
      {status ? (
        <Shown status={status} />
      ) : (
        <p class="muted" role="status">
          {t(($) => $.nativeHostPage.looking)}
        </p>
      )}
    </>
  );
}

const titles = {
  missing: 'install',
  outdated: 'update',
  not_allowed: 'permission',
  waiting: 'inEffect',
} as const;

function Shown({ status }: { status: NativeHostStatus }): JSX.Element {
  if (status.state !== 'ready') {
    const { state } = status;
    return (
      <SettingRows title={t(($) => $.nativeHostPage[titles[state]])}>
        <InstallCommand status={status} />
      </SettingRows>
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
    <section class="block" aria-label={t(($) => $.nativeHostPage.policy)}>
      <h2>{t(($) => $.nativeHostPage.policy)}</h2>
      {policy ? <PolicyRows policy={policy} /> : <p class="muted">{t(($) => $.nativeHostPage.noPolicy)}</p>}
    </section>
  );
}

function PolicyRows({ policy: { file, commands, problem } }: { policy: Policy }): JSX.Element {
  return (
    <>
      <p class="help wrap">
        {commands.length > 0
          ? t(($) => $.nativeHostPage.policyFile)
          : t(($) => $.nativeHostPage.policyNothing)}{' '}
        <code>{visible(file)}</code>
      </p>
      {problem !== undefined && <p class="warned wrap">{visible(problem)}</p>}
      {commands.length > 0 && (
        <ul class="rows" aria-label={t(($) => $.nativeHostPage.policy)}>
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
