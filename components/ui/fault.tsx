import type { JSX } from 'preact';
import { visibleError } from '../../lib/state/shown-text.ts';
import type { ErrorWords } from '../../lib/types/error.ts';
import { MoreHelp } from './more-help.tsx';

/** An error in words: what happened, what to do, and in a second line the raw cause. Servers may have written any of them. */
export function Fault({ error }: { error: ErrorWords }): JSX.Element {
  const { message, fix, cause } = visibleError(error);
  return (
    <>
      {message} {fix} <MoreHelp code={error.code} />
      {cause !== undefined && <span class="fault-cause subtle">{cause}</span>}
    </>
  );
}

/** The same under a field or a form. */
export const FaultLine = ({ error }: { error: ErrorWords }): JSX.Element => (
  <p class="help bad" role="alert">
    <Fault error={error} />
  </p>
);
