import { useComputed } from '@preact/signals';
import { ArrowDown } from 'lucide';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { choiceFor } from '../../lib/state/composer/choice.ts';
import { liveRun, pastFaults, type Faults } from '../../lib/state/chat/run-status.ts';
import { turnsOf, type Turn } from '../../lib/state/chat/turns.ts';
import { usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';
import { InPlace } from './in-place.tsx';
import { lazy } from '../ui/lazy.tsx';
import { memo } from '../ui/memo.tsx';
import { Answer } from './message/answer.tsx';
import { EmptyChat } from './start/empty.tsx';
import { Fold, PastFaults } from './calls/fold.tsx';
import { shownEnd, useNotice } from './notice.tsx';
import { Requests } from './requests/request.tsx';
import { useEarlier } from './calls/use-earlier.ts';
import { useFollowing } from './use-following.ts';
import { useFound } from './start/use-found.ts';
import { You } from './message/you.tsx';
import './log.css';
import './message/message.css';
import { t } from '../../locales/texts/panel.ts';
import { units } from '../../locales/units.ts';

const LinkAddress = lazy((views) => views.LinkAddress);
const QuoteButton = lazy((views) => views.QuoteButton);
const FirstRun = lazy((views) => views.FirstRun);

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
        aria-label={t(($) => $.chat.log)}
        tabIndex={0}
        ref={log}
        onScroll={() => {
          if (onScroll()) nearTop();
        }}
        onClick={onClick}
      >
        <div class="log-column" ref={column}>
          {chat.hasOlder && (
            <button class="btn quiet s earlier" aria-disabled={loading} onClick={loadEarlier}>
              {loading ? t(($) => $.messages.loading) : t(($) => $.chat.earlier)}
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
          {t(($) => $.chat.latest)}
        </button>
      )}
      <QuoteButton log={log} />
      <LinkAddress log={log} />
    </div>
  );
}

function Nothing(): JSX.Element | null {
  const panel = usePanel();
  const setup = panel.setup.value;
  // Which of the two it is comes with the worker's first snapshot.
  if (!setup) return null;
  return choiceFor(setup, null) ? <EmptyChat /> : <FirstRun />;
}

/** Draws again only what became another turn: what goes on in the last one costs the same, however many there are. */
function Turns(): JSX.Element {
  const panel = usePanel();
  const turnsBefore = useRef<Turn[]>([]);
  const turns = useComputed(
    () => (turnsBefore.current = turnsOf(panel.chat.value.messages, turnsBefore.current)),
  ).value;
  const faultsBefore = useRef<Faults>({});
  const faults = useComputed(
    () => (faultsBefore.current = pastFaults(panel.chat.value, shownEnd(panel), faultsBefore.current)),
  ).value;
  const last = turns.at(-1);
  return (
    <>
      {turns.map((turn) => (
        <TurnView key={turn.key} turn={turn} isLast={turn === last} faults={faults} />
      ))}
      <End answers={last?.type === 'assistant'} />
    </>
  );
}

/** What stands beneath the turns. `answers`: the last one is the assistant’s, and has the notice in it. */
function End({ answers }: { answers: boolean }): JSX.Element {
  const panel = usePanel();
  const notice = useNotice(!answers);
  const { missing, unfit } = liveRun(panel.chat.value) ?? shownEnd(panel) ?? {};
  return (
    <>
      {missing && (
        <p class="small subtle">{t(($) => $.notice.missing, { servers: units.commas(missing) })}</p>
      )}
      {unfit && <p class="small subtle">{t(($) => $.notice.unfit, { tools: units.commas(unfit) })}</p>}
      <Requests />
      {notice && (
        <article class="msg" aria-label={t(($) => $.chat.assistant)}>
          {notice}
        </article>
      )}
    </>
  );
}

type TurnProps = { turn: Turn; isLast: boolean; faults: Faults };

const TurnView = memo((props: TurnProps) => (
  <InPlace>
    <WholeTurn {...props} />
  </InPlace>
));

function WholeTurn({ turn, isLast, faults }: TurnProps): JSX.Element {
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
      <Fold title={t(($) => $.summary.title)} note={t(($) => $.summary.note)} markdown>
        {turn.message.content}
      </Fold>
    );
  }
  return <Answer messages={turn.messages} turn={turn.key} {...{ isLast, faults }} />;
}
