import { computed } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { emptyChat } from '../../lib/state/chat/chat.ts';
import type { Panel } from '../../lib/state/panel.ts';
import { endedRun, liveRun } from '../../lib/state/chat/run-status.ts';
import type { Run } from '../../lib/types/run.ts';
import { usePanel } from '../panel-context.ts';
import { lazy } from '../ui/lazy.tsx';

const RetryNotice = lazy((views) => views.RetryNotice);
const RunNotice = lazy((views) => views.RunNotice);

/** The run whose end is told of beneath all that it did. */
export const shownEnd = ({ chat, starting }: Panel): Run | null =>
  chat.value === emptyChat || starting.value ? null : endedRun(chat.value);

/** What there is to say about the run. `wanted`: it is to be said here, else whatever goes on draws nothing again. */
export function useNotice(wanted: boolean): JSX.Element | null {
  const panel = usePanel();
  const told = useMemo(() => computed(() => (wanted ? runToNotice(panel) : null)), [panel, wanted]).value;
  if (told === null) return null;
  return told.retry ? <RetryNotice key={told.retry.at} retry={told.retry} /> : <RunNotice run={told} />;
}

/** The run that waits for its next try, or the one whose end is no proper one. */
function runToNotice(panel: Panel): Run | null {
  const run = liveRun(panel.chat.value);
  if (run) return run.retry ? run : null;
  const ended = shownEnd(panel);
  return ended && showsNotice(ended) ? ended : null;
}

const showsNotice = ({ reason, error }: Run): boolean =>
  reason === 'limit' || reason === 'interrupted' || error !== undefined;
