import type { JSX } from 'preact';
import type { WireError } from '../../lib/types/error.ts';

/** An error in words: what happened, what to do, and in a second line the raw cause. */
export function Fault({ error }: { error: WireError }): JSX.Element {
  const { message, fix, cause } = error;
  return (
    <>
      {message} {fix}
      {cause !== undefined && <span class="fault-cause subtle">{cause}</span>}
    </>
  );
}
