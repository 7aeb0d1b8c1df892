import { CircleAlert } from 'lucide';
import type { JSX } from 'preact';
import type { WireError } from '../../lib/types/error.ts';
import { Icon } from '../ui/icon.tsx';

/** What went wrong, why, and what to do now. */
export function Problem({ error }: { error: WireError }): JSX.Element {
  return (
    <div class="notice danger block" role="alert">
      <Icon of={CircleAlert} />
      <p>
        <strong>{error.message}</strong> {error.fix}
      </p>
      {error.cause && <p class="small subtle cause">{error.cause}</p>}
    </div>
  );
}
