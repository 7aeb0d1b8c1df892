import type { JSX } from 'preact';
import type { NativeHostStatus } from '../../../lib/protocol/servers.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { version } from '../../../package.json';
import { useSetupState } from '../options-context.ts';
import { useNativeHost } from './context.ts';
import { t } from '../../../locales/texts/settings.ts';

/** The foot of the navigation: what is installed. The native host is asked only where a server needs it. */
export function NavFoot({ isCurrent }: { isCurrent: boolean }): JSX.Element {
  const { setup } = useSetupState();
  const isNeeded = setup.value?.servers.some(({ transport }) => transport === 'stdio') ?? false;
  const status = useNativeHost(isNeeded);
  const words = wordsFor(status);
  return (
    <div class="nav-foot">
      <a href="#native-host" title={words} aria-label={words} aria-current={isCurrent ? 'page' : undefined}>
        <span class="lamp" data-state={lampOf(status)} />
        <span class="name">{t(($) => $.nativeHostPage.title)}</span>
        <span class="name-and-state">{words}</span>
      </a>
      <p>{t(($) => $.nativeHostPage.portside, { version })}</p>
    </div>
  );
}

const lamps = {
  ready: 'connected',
  missing: 'disconnected',
  not_allowed: 'disconnected',
  waiting: 'connecting',
  outdated: 'error',
} as const;

function lampOf(status: NativeHostStatus | null): (typeof lamps)[keyof typeof lamps] {
  return status ? lamps[status.state] : 'disconnected';
}

function wordsFor(status: NativeHostStatus | null): string {
  if (!status) return t(($) => $.nativeHostPage.foot.unknown);
  if (status.state === 'ready')
    return t(($) => $.nativeHostPage.foot.ready, { version: visible(status.version) });
  const { state } = status;
  return t(($) => $.nativeHostPage.foot[state]);
}
