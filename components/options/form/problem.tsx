import { CircleAlert } from 'lucide';
import type { JSX } from 'preact';
import { visibleError } from '../../../lib/state/shown-text.ts';
import type { WireError } from '../../../lib/types/error.ts';
import { Icon } from '../../ui/icon.tsx';

/** What went wrong, why, and what to do now. */
export function Problem({ error }: { error: WireError }): JSX.Element {
  const { message, cause, fix } = visibleError(error);
  return (
    <div class="notice danger block" role="alert">
      <Icon of={CircleAlert} />
      <p>
        <strong>{message}</strong> {fix}
      </p>
      {cause && <p class="small subtle cause">{cause}</p>}
    </div>
  );
}
