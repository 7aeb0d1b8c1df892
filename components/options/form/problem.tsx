import { CircleAlert, Clock } from 'lucide';
import type { JSX } from 'preact';
import { visibleError } from '../../../lib/state/shown-text.ts';
import type { WireError } from '../../../lib/types/error.ts';
import { Icon } from '../../ui/icon.tsx';
import { MoreHelp } from '../../ui/more-help.tsx';

/** These pass by themselves. */
const PASSES: ReadonlySet<string> = new Set(['native_host_waiting']);

/** What went wrong, why, and what to do now. */
export function Problem({ error }: { error: WireError }): JSX.Element {
  const { message, cause, fix } = visibleError(error);
  const passes = PASSES.has(error.code);
  return (
    <div class={passes ? 'notice block' : 'notice danger block'} role={passes ? 'status' : 'alert'}>
      <Icon of={passes ? Clock : CircleAlert} />
      <p>
        <strong>{message}</strong> {fix} <MoreHelp code={error.code} />
      </p>
      {cause && <p class="small subtle cause">{cause}</p>}
    </div>
  );
}
