import { ArrowDown, ArrowUp, CornerDownRight, Pencil, X, type IconNode } from 'lucide';
import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import { liveRun, queuedRuns } from '../../lib/state/run-status.ts';
import type { Run } from '../../lib/types/run.ts';
import { usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';
import './queue.css';

/** What waits behind the run, next one first. */
export function Queue(): JSX.Element {
  const chat = usePanel().chat.value;
  const runs = queuedRuns(chat);
  return (
    <>
      {runs.map((run, position) => (
        <QueuedMessage
          key={run.id}
          run={run}
          place={{ first: position === 0, last: position === runs.length - 1 }}
          live={liveRun(chat) !== null}
        />
      ))}
    </>
  );
}

function QueuedMessage(props: {
  run: Run;
  place: { first: boolean; last: boolean };
  live: boolean;
}): JSX.Element {
  const { run, place, live } = props;
  const { command, editQueued, removeQueued } = usePanel();
  const steer = run.queued?.steer ?? false;
  const move = (by: -1 | 1): void => void command('moveQueued', { runId: run.id, by });
  return (
    <div class="queue" role="group" aria-label={en.queue.group}>
      {(place.first || steer) && <b>{steer ? en.queue.steered : en.queue.next}</b>}
      <span class="grow cut" title={run.queued?.text}>
        {run.queued?.text}
      </span>
      {!place.first && <Act icon={ArrowUp} name={en.queue.up} act={() => move(-1)} />}
      {!place.last && <Act icon={ArrowDown} name={en.queue.down} act={() => move(1)} />}
      {live && (
        <Act
          icon={CornerDownRight}
          name={en.queue.steer}
          pressed={steer}
          act={() => void command('steerQueued', { runId: run.id, steer: !steer })}
        />
      )}
      <Act icon={Pencil} name={en.queue.edit} act={() => void editQueued(run)} />
      <Act icon={X} name={en.queue.remove} act={() => void removeQueued(run)} />
    </div>
  );
}

function Act(props: { icon: IconNode; name: string; pressed?: boolean; act: () => void }): JSX.Element {
  const { icon, name, pressed, act } = props;
  return (
    <button
      class="icon-btn"
      aria-label={name}
      title={name}
      {...(pressed !== undefined && { 'aria-pressed': pressed })}
      onClick={act}
    >
      <Icon of={icon} small />
    </button>
  );
}
