import { signal, type ReadonlySignal } from '@preact/signals';
import type { Setup } from '../protocol/setup.ts';
import type { HintId } from '../types/settings.ts';
import type { ConversationView } from './chat/conversation-view.ts';

/** Short hints at other ways to do what was just done, once each. */
export function createHints(setup: ReadonlySignal<Setup | null>, command: ConversationView['command']) {
  const shown = signal<HintId | null>(null);
  return {
    shown: shown as ReadonlySignal<HintId | null>,
    /** At a moment when this would have helped: shows the hint, unless it ever was. */
    offer(id: HintId): void {
      const seen = setup.value?.settings.seenHints;
      if (!seen || seen.includes(id) || shown.value !== null) return;
      shown.value = id;
      void command('saveSettings', { seenHints: [...seen, id] });
    },
    dismiss: (): void => void (shown.value = null),
  };
}
