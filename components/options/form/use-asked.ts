import { useEffect, useRef, useState } from 'preact/hooks';
import { toWire } from '../../../lib/errors.ts';
import type { WireError } from '../../../lib/types/error.ts';

/**
 * What the worker answers: asked when the page is shown and whenever one of `on` is another. What was known stays
 * until the new answer is there.
 */
export function useAsked<T>(
  ask: () => Promise<T>,
  on: readonly unknown[],
): { answer: T | null; error: WireError | null; again: () => void } {
  const [answer, setAnswer] = useState<T | null>(null);
  const [error, setError] = useState<WireError | null>(null);
  const last = useRef(0);
  async function read(): Promise<void> {
    last.current += 1;
    const own = last.current;
    try {
      const given = await ask();
      if (own !== last.current) return;
      setAnswer(given);
      setError(null);
    } catch (failure) {
      if (own === last.current) setError(toWire(failure));
    }
  }
  const again = (): void => void read();
  useEffect(again, on);
  useEffect(() => () => void (last.current += 1), []);
  return { answer, error, again };
}
