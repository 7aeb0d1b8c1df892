import { ArrowDown } from 'lucide';
import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import { choiceFor } from '../../lib/state/choice.ts';
import { emptyChat } from '../../lib/state/chat.ts';
import { endedRun, liveRun, pastFaults } from '../../lib/state/run-status.ts';
import { turnsOf, type Turn } from '../../lib/state/turns.ts';
import type { Run } from '../../lib/types/run.ts';
import { usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';
import { lazy } from '../ui/lazy.tsx';
import { Answer } from './answer.tsx';
import { EmptyChat } from './empty.tsx';
import { Fold } from './fold.tsx';
import { PastFaults } from './past-faults.tsx';
import { Requests } from './request.tsx';
import { QuoteButton } from './quote.tsx';
import { useEarlier } from './use-earlier.ts';
import { useFollowing } from './use-following.ts';
import { useFound } from './use-found.ts';
import { You } from './you.tsx';
import './log.css';
import './message.css';

const notices = () => import('./notices.tsx');
const RetryNotice = lazy(async () => (await notices()).RetryNotice);
const RunNotice = lazy(async () => (await notices()).RunNotice);
const FirstRun = lazy(async () => (await import('./first-run.tsx')).FirstRun);

/** The conversation. Follows what streams in, unless the reader has scrolled up. */
export function Log({ inert }: { inert: boolean }): JSX.Element {
  const panel = usePanel();
  const { log, column, far, toLatest, letGo, onScroll, onClick } = useFollowing(panel);
  const { loading, loadEarlier, nearTop } = useEarlier(panel, log);
  useFound(panel, log, letGo);
  const chat = panel.chat.value;
  return (
    <div class="log-frame" inert={inert}>
      <div
        class="log"
        role="log"
        aria-live="off"
        aria-label={en.chat.log}
        tabIndex={0}
        ref={log}
        onScroll={() => {
          onScroll();
          nearTop();
        }}
        onClick={onClick}
      >
        <div class="log-column" ref={column}>
          {chat.hasOlder && (
            <button class="btn quiet s earlier" aria-disabled={loading} onClick={loadEarlier}>
              {loading ? en.messages.loading : en.chat.earlier}
            </button>
          )}
          {chat.messages.length + chat.runs.length + chat.requests.length === 0 && !panel.live.value ? (
            <Nothing />
          ) : (
            <Turns />
          )}
        </div>
      </div>
      {far && (
        <button class="btn s latest" onClick={toLatest}>
          <Icon of={ArrowDown} small />
          {en.chat.latest}
        </button>
      )}
      <QuoteButton log={log} />
    </div>
  );
}

function Nothing(): JSX.Element | null {
  const panel = usePanel();
  const setup = panel.setup.value;
  // Before the worker has spoken nobody knows which of the two it is.
  if (!setup) return null;
  return choiceFor(setup, null) ? <EmptyChat /> : <FirstRun />;
}

function Turns(): JSX.Element {
  const panel = usePanel();
  const chat = panel.chat.value;
  const turns = turnsOf(chat.messages);
  const ended = chat === emptyChat || panel.starting.value ? null : endedRun(chat);
  const run = liveRun(chat);
  const { missing, unfit } = run ?? ended ?? {};
  const last = turns.at(-1);
  const notice = noticeOf(run, ended);
  const faults = pastFaults(chat, ended);
  return (
    <>
      {turns.map((turn) => (
        <TurnView
          key={turn.key}
          turn={turn}
          busy={run !== null && turn === last}
          isLast={turn === last}
          faults={faults}
          notice={turn === last && turn.type === 'assistant' ? notice : null}
        />
      ))}
      {missing && <p class="small subtle">{en.notice.missing(missing)}</p>}
      {unfit && <p class="small subtle">{en.notice.unfit(unfit)}</p>}
      <Requests />
      {last?.type !== 'assistant' && notice && (
        <article class="msg" aria-label={en.chat.assistant}>
          {notice}
        </article>
      )}
    </>
  );
}

/** What there is to say about the run, beneath all that it did. */
function noticeOf(run: Run | null, ended: Run | null): JSX.Element | null {
  if (run?.retry) return <RetryNotice key={run.retry.at} retry={run.retry} />;
  return ended && showsNotice(ended) ? <RunNotice run={ended} /> : null;
}

const showsNotice = ({ reason, error }: Run): boolean =>
  reason === 'limit' || reason === 'interrupted' || error !== undefined;

function TurnView(props: {
  turn: Turn;
  busy: boolean;
  isLast: boolean;
  notice: JSX.Element | null;
  /** Runs that failed before, by the message at which they ended. */
  faults: Record<string, Run[]>;
}): JSX.Element {
  const { turn, busy, isLast, notice, faults } = props;
  if (turn.type === 'you') {
    return (
      <>
        <You message={turn.message} />
        <PastFaults runs={faults[turn.message.id]} />
      </>
    );
  }
  if (turn.type === 'summary') {
    return (
      <Fold title={en.summary.title} note={en.summary.note} markdown>
        {turn.message.content}
      </Fold>
    );
  }
  return <Answer messages={turn.messages} turn={turn.key} {...{ busy, isLast, notice, faults }} />;
}
