import type { JSX } from 'preact';
import { visible } from '../../lib/state/shown-text.ts';
import type { WireError } from '../../lib/types/error.ts';

/** An error in words: what happened, what to do, and in a second line the raw cause. Servers may have written any of them. */
export function Fault({ error }: { error: WireError }): JSX.Element {
  const { message, fix, cause } = error;
  return (
    <>
      {visible(message)} {fix !== undefined && visible(fix)}
      {cause !== undefined && <span class="fault-cause subtle">{visible(cause)}</span>}
    </>
  );
}
