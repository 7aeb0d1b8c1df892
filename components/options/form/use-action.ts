import { useEffect, useRef, useState } from 'preact/hooks';
import { toWire } from '../../../lib/errors.ts';
import type { WireError } from '../../../lib/types/error.ts';

/** False once its outcome is of no interest any more: it was stopped, or the page is another. */
type IsWanted = () => boolean;

/** Something asked of the worker from a page: whether it is under way, and why it failed. */
export function useAction() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<WireError | null>(null);
  // The state is drawn too late for a second press that comes at once.
  const underWay = useRef<symbol | null>(null);
  useEffect(() => () => void (underWay.current = null), []);
  /** Abandons the task under way: its outcome is ignored, and another may run. */
  const stop = (): void => {
    underWay.current = null;
    setBusy(false);
  };
  /** Runs `task` unless one is under way; a failure is shown as `error`. */
  const run = (task: (isWanted: IsWanted) => Promise<void>): void => {
    if (underWay.current !== null) return;
    const own = Symbol('task');
    const isWanted = (): boolean => underWay.current === own;
    underWay.current = own;
    setBusy(true);
    setError(null);
    task(isWanted)
      .catch((failure: unknown) => isWanted() && setError(toWire(failure)))
      .finally(() => isWanted() && stop());
  };
  /** Forgets the last failure: something else is wrong now. */
  const clear = (): void => setError(null);
  return { busy, error, run, stop, clear };
}

export type Action = ReturnType<typeof useAction>;
