import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { createGuard } from '../ui/keys/decisions.ts';

/** Milliseconds between two looks at where a card's buttons are. */
const LOOK_MS = 100;

/**
 * Gives one answer at a time, and none in the first moment, nor in the one after the card's buttons moved: another question
 * came or went, for which the press was meant. A refused one may be given again.
 * `root`: for the card, or anything in it.
 */
export function useGuard<Root extends HTMLElement = HTMLDivElement>() {
  const root = useRef<Root>(null);
  const since = useRef(performance.now());
  const counts = useMemo(createGuard, []);
  const asked = useRef(false);
  const place = useRef<number | undefined>(undefined);
  const look = (): void => {
    const top = root.current?.closest('.ask')?.querySelector('.ask-foot')?.getBoundingClientRect().top;
    if (top !== place.current) since.current = performance.now();
    place.current = top;
  };
  useLayoutEffect(() => {
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  const guarded = async (answer: () => Promise<unknown>): Promise<void> => {
    look();
    if (asked.current || !counts(since.current)) return;
    asked.current = true;
    await answer();
    asked.current = false;
  };
  return { root, guarded };
}
