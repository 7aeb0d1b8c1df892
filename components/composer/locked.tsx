import type { JSX } from 'preact';
import { endedRun } from '../../lib/state/chat/run-status.ts';
import { usePanel } from '../panel-context.ts';
import { Unlock } from '../ui/unlock.tsx';

/** The way to secrets that a passphrase protects. A run of this chat that ended for want of them goes on. */
export function Locked(): JSX.Element {
  const panel = usePanel();
  const unlock = async (passphrase: string): Promise<void> => {
    await panel.ask('unlockSecrets', { passphrase });
    if (endedRun(panel.chat.value)?.error?.code === 'secrets_locked') await panel.goOn();
  };
  return <Unlock unlock={unlock} />;
}
