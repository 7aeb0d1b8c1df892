import { ArrowDown } from 'lucide';
import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import { emptyChat } from '../../lib/state/chat.ts';
import { endedRun, liveRun } from '../../lib/state/run-status.ts';
import { providerFor } from '../../lib/state/setup.ts';
import { turnsOf, type Turn } from '../../lib/state/turns.ts';
import type { Run } from '../../lib/types.ts';
import { usePanel } from '../panel-context.ts';
import { Icon } from '../ui/icon.tsx';
import { memo } from '../ui/memo.tsx';
import { AssistantMessageView } from './assistant-message.tsx';
import { EmptyChat, FirstRun } from './empty.tsx';
import { RunNotice } from './notices.tsx';
import { useFollowing } from './use-following.ts';

/** The conversation. Follows what streams in, unless the reader has scrolled up. */
export function Log({ inert }: { inert: boolean }): JSX.Element {
  const panel = usePanel();
  const { log, column, behind, toLatest, onScroll, onClick } = useFollowing(panel);
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
        onScroll={onScroll}
        onClick={onClick}
      >
        <div class="log-column" ref={column}>
          {chat.hasOlder && (
            <button class="btn quiet s earlier" onClick={() => void panel.loadOlder()}>
              {en.chat.earlier}
            </button>
          )}
          {chat.messages.length === 0 && !panel.live.value && chat.runs.length === 0 ? (
            <Nothing />
          ) : (
            <Turns />
          )}
        </div>
      </div>
      {behind && (
        <button class="btn s latest" onClick={toLatest}>
          <Icon of={ArrowDown} small />
          {en.chat.latest}
        </button>
      )}
    </div>
  );
}

function Nothing(): JSX.Element | null {
  const panel = usePanel();
  const setup = panel.setup.value;
  // Before the worker has spoken nobody knows which of the two it is.
  if (!setup) return null;
  const provider = providerFor(setup, panel.chat.value.conversation?.providerId);
  return provider ? <EmptyChat /> : <FirstRun />;
}

function Turns(): JSX.Element {
  const panel = usePanel();
  const chat = panel.chat.value;
  const turns = turnsOf(chat.messages);
  const ended = chat === emptyChat || panel.starting.value ? null : endedRun(chat);
  const run = liveRun(chat);
  const missing = (run ?? ended)?.missing;
  const last = turns.at(-1);
  return (
    <>
      {turns.map((turn) => (
        <TurnView
          key={turn.key}
          turn={turn}
          busy={run !== null && turn === last}
          ended={turn === last && turn.type === 'assistant' ? ended : null}
        />
      ))}
      {missing && <p class="small subtle">{en.notice.missing(missing)}</p>}
      {last?.type !== 'assistant' && ended && showsNotice(ended) && (
        <article class="msg" aria-label={en.chat.assistant}>
          <RunNotice run={ended} />
        </article>
      )}
    </>
  );
}

const showsNotice = (run: Run): boolean =>
  run.reason === 'error' || run.reason === 'limit' || run.reason === 'interrupted';

function TurnView(props: { turn: Turn; busy: boolean; ended: Run | null }): JSX.Element {
  const { turn, busy, ended } = props;
  if (turn.type === 'you') return <You text={turn.message.content} />;
  return (
    <article class="msg" aria-label={en.chat.assistant} aria-busy={busy}>
      {turn.messages.map((message) => (
        <AssistantMessageView key={message.id} message={message} />
      ))}
      {ended && <RunNotice run={ended} />}
    </article>
  );
}

const You = memo(({ text }: { text: string }) => (
  <article class="msg you" aria-label={en.chat.you}>
    <p class="plain">{text}</p>
  </article>
));
