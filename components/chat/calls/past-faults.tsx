import { CircleAlert } from 'lucide';
import type { JSX } from 'preact';
import { visible } from '../../../lib/state/shown-text.ts';
import type { Run } from '../../../lib/types/run.ts';
import { Fold } from './fold.tsx';
import { t } from '../../../locales/texts/panel.ts';

/** What failed before, each in one line: nothing is to be done about it any more. */
export function PastFaults({ runs = [] }: { runs: Run[] | undefined }): JSX.Element {
  return (
    <>
      {runs.map(({ id, error }) => (
        <Fold key={id} title={visible(error?.message ?? t(($) => $.run.failed))} icon={CircleAlert}>
          {visible([error?.cause, error?.fix].filter((line) => line !== undefined).join('\n'))}
        </Fold>
      ))}
    </>
  );
}
