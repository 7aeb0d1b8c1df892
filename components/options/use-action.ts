import { useState } from 'preact/hooks';
import { toWire } from '../../lib/errors.ts';
import type { WireError } from '../../lib/types/error.ts';

export type Action = {
  busy: boolean;
  error: WireError | null;
  /** Runs `task` unless one is under way; a failure is shown as `error`. */
  run: (task: () => Promise<void>) => void;
  /** Forgets the last failure: something else is wrong now. */
  clear: () => void;
};

/** Something asked of the worker from a page: whether it is under way, and why it failed. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<WireError | null>(null);
  const run = (task: () => Promise<void>): void => {
    if (busy) return;
    setBusy(true);
    setError(null);
    task()
      .catch((failure: unknown) => setError(toWire(failure)))
      .finally(() => setBusy(false));
  };
  return { busy, error, run, clear: () => setError(null) };
}
