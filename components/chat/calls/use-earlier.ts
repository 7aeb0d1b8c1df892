import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Panel } from '../../../lib/state/panel.ts';

/** So close to the top earlier messages come by themselves. */
const NEAR_PX = 240;

/** Loads earlier messages above what the reader sees, which stays where it is. */
export function useEarlier(
  panel: Panel,
  log: RefObject<HTMLDivElement | null>,
): { loading: boolean; loadEarlier: () => void; nearTop: () => void } {
  const [loading, setLoading] = useState(false);
  const { messages, hasOlder } = panel.chat.value;
  /** Where the first turn stood before others came above it. */
  const anchor = useRef<{ turn: Element; top: number } | null>(null);
  // A browser that anchors scrolling by itself does not do so at the very top.
  useLayoutEffect(() => {
    const { current: held } = anchor;
    anchor.current = null;
    if (held?.turn.isConnected)
      log.current?.scrollBy({ top: topOf(held.turn) - held.top, behavior: 'instant' });
  }, [messages[0]?.id]);

  const loadEarlier = (): void => {
    if (loading) return;
    setLoading(true);
    void panel.loadOlder(hold).then(() => setLoading(false));
  };
  const hold = (): void => {
    const turn = log.current?.querySelector('[data-turn]');
    anchor.current = turn ? { turn, top: topOf(turn) } : null;
  };
  const nearTop = (): void => {
    const view = log.current;
    if (hasOlder && view && view.scrollTop < NEAR_PX && view.scrollHeight > view.clientHeight) loadEarlier();
  };
  return { loading, loadEarlier, nearTop };
}

const topOf = (element: Element): number => element.getBoundingClientRect().top;
