import type { ComponentChildren, JSX } from 'preact';
import { useErrorBoundary } from 'preact/hooks';
import type { WireError } from '../../lib/types/error.ts';
import { t } from '../../locales/texts/shared.ts';

/** Something else in place of what can't be drawn, such as a row that is damaged: Preact would leave the page blank. */
export function Boundary(props: {
  instead: (error: WireError, again: () => void) => JSX.Element;
  children: ComponentChildren;
}): JSX.Element {
  const [error, again] = useErrorBoundary((cause) => console.error('It can’t be shown.', cause)) as [
    unknown,
    () => void,
  ];
  return <>{error === undefined ? props.children : props.instead(damaged(String(error)), again)}</>;
}

export const damaged = (cause?: string): WireError => ({
  code: 'database_damaged',
  message: t(($) => $.faults.damaged.message),
  fix: t(($) => $.faults.damaged.fix),
  ...(cause !== undefined && { cause }),
  retryable: false,
});
