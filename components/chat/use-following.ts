import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Panel } from '../../lib/state/panel.ts';

/** Closer to the end than this counts as being at the end. */
const NEAR_PX = 32;

/** Keeps a scrolling log at its end while it grows, until the reader scrolls up or opens something in it. */
export function useFollowing(panel: Panel): {
  log: RefObject<HTMLDivElement | null>;
  column: RefObject<HTMLDivElement | null>;
  /** The reader is not at the end. */
  behind: boolean;
  toLatest: () => void;
  onScroll: () => void;
  onClick: (event: MouseEvent) => void;
} {
  const log = useRef<HTMLDivElement>(null);
  const column = useRef<HTMLDivElement>(null);
  const behind = useSignal(false);
  /** The log as it was last seen, to tell the reader's scrolling from the browser's. */
  const seen = useRef({ top: 0, height: 0, content: 0 });
  const unfolding = useRef(false);

  const toLatest = (): void => {
    behind.value = false;
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  };

  useEffect(() => {
    const resized = new ResizeObserver(() => {
      const view = log.current;
      if (!view) return;
      // What the reader opened stays where it was pressed.
      if (unfolding.current) behind.value = distanceOf(view) > NEAR_PX;
      // What there is before the first message is read from its top.
      else if (!behind.peek() && panel.chat.peek().messages.length > 0) toLatest();
      unfolding.current = false;
      seen.current = { top: view.scrollTop, height: view.clientHeight, content: view.scrollHeight };
    });
    if (column.current) resized.observe(column.current);
    if (log.current) resized.observe(log.current);
    return () => resized.disconnect();
  }, [panel]);

  // Another chat, or a question just asked: what comes next is what the reader wants to see.
  const { value: shown } = panel.conversationId;
  const { value: starting } = panel.starting;
  useEffect(toLatest, [shown, starting]);

  const onScroll = (): void => {
    const view = log.current;
    if (!view) return;
    const { top, height, content } = seen.current;
    // When the log changes its height or its content shrinks, the browser scrolls; that is no wish of the reader.
    if (view.clientHeight === height && view.scrollHeight >= content) {
      if (distanceOf(view) <= NEAR_PX) behind.value = false;
      else if (view.scrollTop < top) behind.value = true;
    }
    seen.current.top = view.scrollTop;
  };

  const onClick = ({ target }: MouseEvent): void => {
    if (target instanceof Element && target.closest('[aria-expanded]')) unfolding.current = true;
  };

  return { log, column, behind: behind.value, toLatest, onScroll, onClick };
}

const distanceOf = (view: HTMLElement): number => view.scrollHeight - view.scrollTop - view.clientHeight;
