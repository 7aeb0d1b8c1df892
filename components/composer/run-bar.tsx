import { useComputed } from '@preact/signals';
import { Hand, Hourglass, Square, type IconNode } from 'lucide';
import type { JSX } from 'preact';
import { liveRun, runStatusLine, type RunStatusLine, type Writes } from '../../lib/state/chat/run-status.ts';
import type { RunEndReason } from '../../lib/types/run.ts';
import { usePanel } from '../panel-context.ts';
import { CHORDS } from '../ui/keys/chords.ts';
import { Icon, Mark } from '../ui/icon.tsx';
import { withKeys } from '../ui/keys/key-label.ts';
import { useNow } from '../ui/use-now.ts';
import './run-bar.css';
import { t } from '../../locales/texts/panel.ts';
import { units } from '../../locales/units.ts';

/** What the run is doing. Its status stays in the page when idle, so that the end is announced. */
export function RunBar(): JSX.Element {
  const panel = usePanel();
  const writes = useComputed((): Writes | null => {
    const { messages } = panel.chat.value;
    const last = messages.at(-1);
    if (last?.role !== 'assistant' || last.status !== 'streaming') return null;
    const { text, calls } = panel.streams.of(last);
    if (calls.value.length > 0) return 'call';
    return text.value === '' ? null : 'text';
  });
  const line = runStatusLine(panel.chat.value, panel.starting.value, writes.value);
  const run = liveRun(panel.chat.value);
  const live = panel.live.value;
  const waits = waiting[line.type];
  const max = panel.chat.value.maxIterations ?? panel.setup.value?.settings.maxIterations;
  return (
    <div class={live ? 'runbar' : 'sr'}>
      {live && <Icon of={waits ?? Mark} spins={!waits} />}
      <span class="grow cut" role="status">
        {words(line)}
      </span>
      {run && run.iteration > 1 && max !== undefined && (
        <span class="subtle num">{t(($) => $.run.step, { step: run.iteration, max })}</span>
      )}
      {run && !waits && <Elapsed since={run.startedAt} />}
      {live && (
        <button
          class="btn s"
          // While something waits for an answer, the key answers that.
          {...(waits !== Hand && {
            title: withKeys(
              t(($) => $.run.stop),
              CHORDS.escape,
            ),
          })}
          onClick={() => void panel.stop()}
        >
          <Icon of={Square} small class="solid" />
          {t(($) => $.run.stop)}
        </button>
      )}
    </div>
  );
}

/** What stands for a run that does nothing right now. */
const waiting: Partial<Record<RunStatusLine['type'], IconNode>> = {
  approval: Hand,
  answer: Hand,
  choice: Hand,
  retry: Hourglass,
};

function Elapsed({ since }: { since: string }): JSX.Element {
  return <span class="subtle num">{units.elapsed(useNow(true) - Date.parse(since))}</span>;
}

const ends = {
  done: 'ready',
  compacted: 'compacted',
  cancelled: 'stopped',
  error: 'failed',
  limit: 'limit',
  interrupted: 'interrupted',
} as const satisfies Record<RunEndReason | 'compacted', string>;

const endWords = (reason: keyof typeof ends): string => t(($) => $.run[ends[reason]]);

function words(line: RunStatusLine): string {
  switch (line.type) {
    case 'tools':
      return t(($) => $.run.tools, { count: line.count });
    case 'idle':
      return line.reason ? endWords(line.reason) : '';
    default:
      return t(($) => $.run[line.type]);
  }
}
