import type { JSX } from 'preact';

import { t } from '../../../locales/texts/settings.ts';

/** Begins a test; while it runs, ends it. */
export function TestButton(props: {
  test: { busy: boolean; stop: () => void };
  start: () => void;
  class?: string;
  /** Its name, where its words alone do not say of what. */
  label?: string;
}): JSX.Element {
  const { test, label } = props;
  return (
    <button
      type="button"
      class={`btn ${props.class ?? ''}`}
      aria-label={label !== undefined && !test.busy ? label : undefined}
      onClick={test.busy ? test.stop : props.start}
    >
      {test.busy ? t(($) => $.test.stop) : t(($) => $.models.test)}
    </button>
  );
}
