import { signal, type ReadonlySignal } from '@preact/signals';
import type { LocalServer } from '../../types/model.ts';
import type { ConversationView } from '../chat/conversation-view.ts';

export type LocalServers = {
  /** null until the first look has ended; a look that failed keeps what the one before it found. */
  found: ReadonlySignal<LocalServer[] | null>;
  looking: ReadonlySignal<boolean>;
  look: () => Promise<void>;
  /** Looks unless that was done before: model servers are never polled. */
  lookOnce: () => void;
};

/** The model servers on this computer. */
export function createLocalServers(command: ConversationView['command']): LocalServers {
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
    found,
    looking,
    look,
    lookOnce() {
      if (!looked) void look();
    },
  };
}
