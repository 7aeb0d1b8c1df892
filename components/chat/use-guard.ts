import { useRef } from 'preact/hooks';

/** Input is ignored for so long after a question appears, so that a stray key or click cannot answer it. */
const GUARD_MS = 500;

/** Gives one answer at a time, and none in the first moment. A refused one may be given again. */
export function useGuard(): (answer: () => Promise<unknown>) => Promise<void> {
  const since = useRef(performance.now());
  const asked = useRef(false);
  return async (answer) => {
    if (asked.current || performance.now() - since.current < GUARD_MS) return;
    asked.current = true;
    await answer();
    asked.current = false;
  };
}
