import { CircleAlert } from 'lucide';
import type { ComponentChildren, JSX } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import type { WorkerLink } from '../../lib/state/panel-port.ts';
import { Fault } from './fault.tsx';
import { Icon } from './icon.tsx';
import { t } from '../../locales/texts/shared.ts';

/** Something else in place of what can't be shown, until the user has it tried `again`: Preact would leave the page blank. */
export function Boundary(props: {
  instead: (cause: unknown, again: () => void) => JSX.Element;
  children: ComponentChildren;
}): JSX.Element {
  const [cause, again] = useErrorBoundary((error) => console.error('It can’t be shown.', error)) as [
    unknown,
    () => void,
  ];
  return <>{cause === undefined ? props.children : props.instead(cause, again)}</>;
}

/** That something is damaged, and its repair, after which the page begins anew. `children`: what else can be done. */
export function Damaged(props: {
  send: WorkerLink['send'];
  cause?: unknown;
  children?: ComponentChildren;
}): JSX.Element {
  const { cause } = props;
  const reload = (): void => location.reload();
  return (
    <div class="notice danger block" role="alert">
      <Icon of={CircleAlert} />
      <p>
        <Fault
          error={{
            message: t(($) => $.faults.damaged.message),
            fix: t(($) => $.faults.damaged.fix),
            ...(cause !== undefined && { cause: String(cause) }),
          }}
        />
      </p>
      <p class="actions">
        <button
          type="button"
          class="btn s"
          onClick={() => void props.send('erase', { what: 'damaged' }).then(reload, reload)}
        >
          {t(($) => $.faults.damaged.repair)}
        </button>
        {props.children}
      </p>
    </div>
  );
}
