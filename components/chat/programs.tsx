import { Check, SquareTerminal } from 'lucide';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { onReturn } from '../../lib/state/panel-port.ts';
import type { NativeHostStatus } from '../../lib/protocol/servers.ts';
import { openSettings, usePanel } from '../panel-context.ts';
import { Pick } from './pick.tsx';
import { t } from '../../locales/texts/panel.ts';

/** Whether programs on this computer can be servers by now, and the way there. */
export function Programs(): JSX.Element {
  const { command } = usePanel();
  const [state, setState] = useState<NativeHostStatus['state']>();
  useEffect(() => {
    const look = async (): Promise<void> => setState((await command('nativeHost'))?.reply.state);
    void look();
    return onReturn(() => void look());
  }, [command]);
  const isReady = state === 'ready';
  return (
    <Pick
      icon={SquareTerminal}
      name={t(($) => $.firstRun.programs.name)}
      {...(isReady && { badge: { icon: Check, text: t(($) => $.start.foundHere) } })}
      sub={wordsFor(state)}
      press={() => openSettings(isReady ? 'servers/add' : 'native-host')}
    />
  );
}

function wordsFor(state: NativeHostStatus['state'] | undefined): string {
  const { looking, absent, ...words } = t(($) => $.firstRun.programs);
  if (state === undefined) return looking;
  return state === 'ready' || state === 'outdated' ? words[state] : absent;
}
