import { signal, type ReadonlySignal } from '@preact/signals';
import type { LocalServer } from '../../types/model.ts';
import type { ConversationView } from '../chat/conversation-view.ts';

/** The model servers on this computer. */
export function createLocalServers(command: ConversationView['command']) {
  const found = signal<LocalServer[] | null>(null);
  const looking = signal(false);
  let looked = false;

  async function look(): Promise<void> {
    if (looking.value) return;
    looked = true;
    looking.value = true;
    const answer = await command('findLocalServers');
    found.value = answer?.reply ?? found.value ?? [];
    looking.value = false;
  }
  return {
    /** null until the first look has ended; a look that failed keeps what the one before it found. */
    found: found as ReadonlySignal<LocalServer[] | null>,
    looking: looking as ReadonlySignal<boolean>,
    look,
    /** Looks unless that was done before: model servers are never polled. */
    lookOnce(): void {
      if (!looked) void look();
    },
  };
}
