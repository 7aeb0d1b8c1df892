import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Panel } from '../../../lib/state/panel.ts';
import { turnsOf } from '../../../lib/state/chat/turns.ts';

/** Brings the message that was looked for before the reader's eyes, and marks it for a moment. */
export function useFound(panel: Panel, log: RefObject<HTMLDivElement | null>, letGo: () => void): void {
  const { value: found } = panel.found;
  useEffect(() => {
    if (!found) return undefined;
    const { messageId } = found;
    const turn = turnsOf(panel.chat.peek().messages).find((each) =>
      each.type === 'assistant' ? each.messages.some(({ id }) => id === messageId) : each.key === messageId,
    );
    const place = [...(log.current?.querySelectorAll('[data-turn]') ?? [])].find(
      (element) => element instanceof HTMLElement && element.dataset['turn'] === turn?.key,
    );
    if (!place) return undefined;
    letGo();
    place.scrollIntoView({ block: 'start' });
    // What stands above it had no height of its own before it came near.
    const frame = requestAnimationFrame(() =>
      (place.querySelector('[data-sought="true"]') ?? place).scrollIntoView({ block: 'start' }),
    );
    place.classList.add('found');
    const end = (): void => place.classList.remove('found');
    place.addEventListener('animationend', end, { once: true });
    return () => {
      cancelAnimationFrame(frame);
      end();
    };
  }, [found]);
}
