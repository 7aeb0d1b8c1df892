import { useState } from 'preact/hooks';
import { toWire } from '../../../lib/errors.ts';
import type { WireError } from '../../../lib/types/error.ts';

/**
 * What the user changes with a switch or a choice: each change is sent at once, also while others are under way, where
 * `useAction` passes over a second press. `error`: why the last one failed.
 */
export function useChanges(): { send: (change: () => Promise<void>) => void; error: WireError | null } {
  const [error, setError] = useState<WireError | null>(null);
  const send = (change: () => Promise<void>): void => {
    setError(null);
    change().catch((failure: unknown) => setError(toWire(failure)));
  };
  return { send, error };
}
