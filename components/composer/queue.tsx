import { ArrowDown, ArrowUp, CornerDownRight, Paperclip, Pencil, X, type IconNode } from 'lucide';
import type { JSX } from 'preact';
import { liveRun, queuedRuns } from '../../lib/state/chat/run-status.ts';
import type { Run } from '../../lib/types/run.ts';
import { usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import './queue.css';
import { t } from '../../locales/texts/panel.ts';

/** What waits behind the run, next one first; many scroll in a box of their own. */
export function Queue(): JSX.Element {
  const chat = usePanel().chat.value;
  const runs = queuedRuns(chat);
  return (
    <div class="queued">
      {runs.map((run, position) => (
        <QueuedMessage
          key={run.id}
          run={run}
          place={{ first: !sameWay(run, runs[position - 1]), last: !sameWay(run, runs[position + 1]) }}
          live={liveRun(chat) !== null}
        />
      ))}
    </div>
  );
}

/** Only what is sent in the same way can change places. */
const sameWay = (run: Run, other: Run | undefined): boolean => other?.queued?.steer === run.queued?.steer;

function QueuedMessage(props: {
  run: Run;
  place: { first: boolean; last: boolean };
  live: boolean;
}): JSX.Element {
  const { run, place, live } = props;
  const { command, editQueued, removeQueued } = usePanel();
  const steer = run.queued?.steer ?? false;
  const attached = run.queued?.attachments?.length ?? 0;
  const move = (by: -1 | 1): void => void command('moveQueued', { runId: run.id, by });
  return (
    <div class="queue" role="group" aria-label={t(($) => $.queue.group)}>
      {(place.first || steer) && <b>{steer ? t(($) => $.queue.steered) : t(($) => $.queue.next)}</b>}
      <span class="grow cut" title={run.queued?.text}>
        {run.queued?.text}
      </span>
      {attached > 0 && (
        <span class="badge" title={t(($) => $.attachments.queued, { count: attached })}>
          <Icon of={Paperclip} />
          <span class="sr">{t(($) => $.attachments.queued, { count: attached })}</span>
          <span aria-hidden="true">{attached}</span>
        </span>
      )}
      {!place.first && <Act icon={ArrowUp} name={t(($) => $.queue.up)} act={() => move(-1)} />}
      {!place.last && <Act icon={ArrowDown} name={t(($) => $.queue.down)} act={() => move(1)} />}
      {live && (
        <Act
          icon={CornerDownRight}
          name={t(($) => $.queue.steer)}
          pressed={steer}
          act={() => void command('steerQueued', { runId: run.id, steer: !steer })}
        />
      )}
      <Act icon={Pencil} name={t(($) => $.queue.edit)} act={() => void editQueued(run)} />
      <Act icon={X} name={t(($) => $.queue.remove)} act={() => void removeQueued(run)} />
    </div>
  );
}

function Act(props: { icon: IconNode; name: string; pressed?: boolean; act: () => void }): JSX.Element {
  const { icon, name, pressed, act } = props;
  return <IconButton icon={icon} small label={name} aria-pressed={pressed} onClick={act} />;
}
