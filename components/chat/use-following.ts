import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Panel } from '../../lib/state/panel.ts';

/** On a log whose reader has left its end. What has just grown is not at its end either, for a frame. */
export const BEHIND = 'data-behind';

/** Closer to the end than this counts as being at the end. */
const NEAR_PX = 32;

/** From here on the last lines are out of sight, so that nothing of them is covered by what leads to them. */
const FAR_PX = 96;

/** What waits for the user: an approval, or a server's question. Looked for only where there is one: a log is long. */
function askingIn(view: Element, { chat }: Panel): Element | null {
  const { requests, calls } = chat.peek();
  const asks = requests.length > 0 || Object.values(calls).some(({ wait }) => wait !== undefined);
  return asks ? view.querySelector('.ask') : null;
}

/** Keeps a scrolling log at its end while it grows, until the reader scrolls up or opens something in it. */
export function useFollowing(panel: Panel) {
  const log = useRef<HTMLDivElement>(null);
  const column = useRef<HTMLDivElement>(null);
  /** The reader is not at the end. */
  const behind = useSignal(false);
  useSignalEffect(() => void log.current?.toggleAttribute(BEHIND, behind.value));
  /** The reader is so far from the end that a way back there helps. */
  const far = useSignal(false);
  const measure = (view: HTMLElement): void => {
    if (distanceOf(view) <= NEAR_PX) behind.value = false;
    const asking = askingIn(view, panel);
    const asked = asking !== null && topOf(asking) < view.getBoundingClientRect().bottom;
    far.value = behind.peek() && !asked && distanceOf(view) > FAR_PX;
  };
  /** The log as it was last seen, to tell the reader's scrolling from the browser's. */
  const seen = useRef({ top: 0, height: 0, content: 0 });
  const unfolding = useRef(false);

  const toLatest = (): void => {
    behind.value = false;
    far.value = false;
    const view = log.current;
    if (!view) return;
    view.scrollTop = view.scrollHeight;
    // An approval that is higher than the log is read from its head; its buttons stick to the lower edge.
    const asking = askingIn(view, panel);
    const hidden = asking ? topOf(view) - topOf(asking) : 0;
    if (hidden > 0) view.scrollTop -= hidden;
  };

  useEffect(() => {
    const resized = new ResizeObserver(() => {
      const view = log.current;
      if (!view) return;
      // What the reader opened stays where it was pressed.
      if (unfolding.current) behind.value = true;
      // What there is before the first message is read from its top.
      else if (!behind.peek() && panel.chat.peek().messages.length > 0) toLatest();
      unfolding.current = false;
      measure(view);
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

  /** Tells whether the reader has left the end: the browser scrolls by itself too, before a chat has been laid out. */
  const onScroll = (): boolean => {
    const view = log.current;
    if (!view) return false;
    const { top, height, content } = seen.current;
    // When the log changes its height or its content shrinks, the browser scrolls; that is no wish of the reader.
    if (view.clientHeight === height && view.scrollHeight >= content) {
      if (view.scrollTop < top) behind.value = true;
    }
    measure(view);
    seen.current.top = view.scrollTop;
    return behind.peek();
  };

  const onClick = ({ target }: MouseEvent): void => {
    if (target instanceof Element && target.closest('[aria-expanded]')) unfolding.current = true;
  };

  /** The reader is shown another place: what comes is not followed any more. */
  const letGo = (): void => {
    behind.value = true;
  };

  return { log, column, far: far.value, toLatest, letGo, onScroll, onClick };
}

const distanceOf = (view: HTMLElement): number => view.scrollHeight - view.scrollTop - view.clientHeight;

const topOf = (element: Element): number => element.getBoundingClientRect().top;
