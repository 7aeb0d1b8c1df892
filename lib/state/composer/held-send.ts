import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import type { Adding } from './attaching.ts';
import type { When } from './starting.ts';

export type HeldSend = {
  /** A message waits for what goes with it. */
  isHeld: ReadonlySignal<boolean>;
  /** Sends what is in the composer once all that goes with it is read. */
  hold: (when?: When) => void;
};

/** What is waited for: that it is read, or that it may be read. */
export const isAwaited = ({ error }: Adding): boolean => !error || error.code === 'no_page_access';

/**
 * A message that is sent before its files and pages are read goes once they are: not if it is edited before, if another
 * chat is shown, or if one of them can't be read.
 */
export function createHeldSend(composer: {
  text: ReadonlySignal<string>;
  draftId: () => string;
  adding: ReadonlySignal<Adding[]>;
  canSend: ReadonlySignal<boolean>;
  send: (when?: When) => Promise<void>;
}): HeldSend {
  const { text, draftId, adding, canSend, send } = composer;
  type Held = { text: string; draftId: string; broken: number; when: When | undefined };
  const held = signal<Held | null>(null);
  const broken = (): number => adding.value.filter((each) => !isAwaited(each)).length;
  effect(() => {
    const mine = held.value;
    if (!mine) return;
    if (text.value !== mine.text || draftId() !== mine.draftId || broken() > mine.broken) held.value = null;
    else if (canSend.value && !adding.value.some(isAwaited)) {
      held.value = null;
      void send(mine.when);
    }
  });
  return {
    isHeld: computed(() => held.value !== null),
    hold: (when) => (held.value = { text: text.peek(), draftId: draftId(), broken: broken(), when }),
  };
}
