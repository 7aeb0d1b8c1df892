import { useComputed } from '@preact/signals';
import { Hand, Square } from 'lucide';
import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import { liveRun, runStatusLine, type RunStatusLine } from '../../lib/state/run-status.ts';
import type { RunEndReason } from '../../lib/types.ts';
import { usePanel } from '../panel-context.ts';
import { Icon, Mark } from '../ui/icon.tsx';
import { useNow } from '../ui/use-now.ts';

/** What the run is doing. Its status stays in the page when idle, so that the end is announced. */
export function RunBar(): JSX.Element {
  const panel = usePanel();
  const hasText = useComputed(() => {
    const { messages, begunAgain } = panel.chat.value;
    const last = messages.at(-1);
    const streams = last?.role === 'assistant' && last.status === 'streaming' && last.id !== begunAgain;
    return streams && panel.streams.of(last).text.value !== '';
  });
  const line = runStatusLine(panel.chat.value, panel.starting.value, hasText.value);
  const run = liveRun(panel.chat.value);
  const live = panel.live.value;
  const waits = line.type === 'approval' || line.type === 'choice';
  const max = panel.chat.value.maxIterations ?? panel.setup.value?.settings.maxIterations;
  return (
    <div class={live ? 'runbar' : 'sr'}>
      {live && (waits ? <Icon of={Hand} /> : <Icon of={Mark} class="mark spin" />)}
      <span class="grow cut" role="status">
        {words(line)}
      </span>
      {run && run.iteration > 0 && max !== undefined && (
        <span class="subtle num">{en.run.step(run.iteration, max)}</span>
      )}
      {run && !waits && <Elapsed since={run.startedAt} />}
      {live && (
        <button class="btn s" onClick={() => void panel.stop()}>
          <Icon of={Square} small class="solid" />
          {en.run.stop}
        </button>
      )}
    </div>
  );
}

function Elapsed({ since }: { since: string }): JSX.Element {
  return <span class="subtle num">{en.elapsed(useNow(true) - Date.parse(since))}</span>;
}

const ends: Record<RunEndReason, string> = {
  done: en.run.ready,
  cancelled: en.run.stopped,
  error: en.run.failed,
  limit: en.run.limit,
  interrupted: en.run.interrupted,
};

function words(line: RunStatusLine): string {
  switch (line.type) {
    case 'tools':
      return en.run.tools(line.count);
    case 'idle':
      return line.reason ? ends[line.reason] : '';
    default:
      return en.run[line.type];
  }
}
