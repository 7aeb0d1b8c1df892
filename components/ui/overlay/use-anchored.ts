import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Pixels between what is anchored and its anchor. */
const GAP_PX = 4;
/** Pixels that stay free at the panel's edges. */
const EDGE_PX = 8;

/**
 * Shows a `popover` in the top layer, where no card and no log cuts it: over its anchor, or below where only there is
 * room. CSS anchors would do it too, but Firefox has them from 147 on only.
 * @param shown whether it is rendered
 */
export function useAnchored(
  shown: boolean,
  popover: RefObject<HTMLElement | null>,
  anchor: RefObject<HTMLElement | null>,
): void {
  useLayoutEffect(() => {
    const [box, at] = [popover.current, anchor.current];
    if (!shown || !box || !at) return undefined;
    const place = (): void => placeAt(box, at.getBoundingClientRect());
    box.showPopover();
    place();
    window.addEventListener('resize', place);
    document.addEventListener('scroll', place, { capture: true, passive: true });
    return () => {
      window.removeEventListener('resize', place);
      document.removeEventListener('scroll', place, { capture: true });
    };
  }, [shown]);
}

function placeAt(box: HTMLElement, at: DOMRect): void {
  const { style } = box;
  style.minWidth = `${at.width}px`;
  style.maxWidth = `calc(100vw - ${2 * EDGE_PX}px)`;
  const isAtStart = at.left + at.right < innerWidth;
  const wanted = box.scrollHeight + box.offsetHeight - box.clientHeight;
  const above = at.top - GAP_PX - EDGE_PX;
  const below = innerHeight - at.bottom - GAP_PX - EDGE_PX;
  const isAbove = wanted <= above || above >= below;
  const height = Math.min(wanted, Math.max(isAbove ? above : below, 0));
  style.maxHeight = `${height}px`;
  style.top = `${isAbove ? at.top - GAP_PX - height : at.bottom + GAP_PX}px`;
  // By the edge that it is nearer to, and inside the panel, also while that changes its width.
  const inset = isAtStart ? at.left : innerWidth - at.right;
  style.setProperty('--inset', `${inset}px`);
  style.setProperty('--box', `${box.offsetWidth}px`);
  style.left = isAtStart ? 'var(--held)' : 'auto';
  style.right = isAtStart ? 'auto' : 'var(--held)';
  style.bottom = 'auto';
}
