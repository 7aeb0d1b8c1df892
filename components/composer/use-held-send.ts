import { useSignal, type ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { When } from '../../lib/state/starting.ts';
import { usePanel } from '../panel-context.ts';

export type HeldSend = {
  /** Enter was pressed while a file was still being read. */
  held: ReadonlySignal<When | null>;
  hold: (when: When) => void;
};

/**
 * A message that is sent before its files are read goes once they are: not if it is edited before, if another chat is
 * shown, or if one of them can't be read.
 */
export function useHeldSend(ready: boolean): HeldSend {
  const panel = usePanel();
  const held = useSignal<When | null>(null);
  const text = panel.text.value;
  const chat = panel.chat.value.conversation?.id;
  const isBroken = panel.attaching.adding.value.some(({ error }) => error);
  useEffect(() => void (held.value = null), [text, chat, isBroken]);
  useEffect(() => {
    const when = held.value;
    held.value = null;
    if (when && ready) void panel.send(when);
  }, [ready]);
  return { held, hold: (when) => (held.value = when) };
}
