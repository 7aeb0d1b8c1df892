import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Closer to the end than this, in pixels, counts as being at the end. */
const NEAR = 32;

/**
 * Keeps the page at its end while a list in it grows, as long as the reader is there. A page that was never scrolled
 * is read from its top.
 * @returns for an element on the page
 */
export function useFollowing<Part extends HTMLElement>(list: readonly unknown[]): RefObject<Part | null> {
  const part = useRef<Part>(null);
  const view = part.current?.closest('.content');
  // The page is still as it was before this rendering.
  const wasAtEnd =
    view && view.scrollTop > 0 && view.scrollHeight - view.scrollTop - view.clientHeight < NEAR;
  useLayoutEffect(() => {
    if (wasAtEnd) view.scrollTop = view.scrollHeight;
  }, [list]);
  return part;
}
