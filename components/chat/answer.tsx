import { useSignal } from '@preact/signals';
import { Fragment, type JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { en } from '../../locales/en.ts';
import { roundsOf } from '../../lib/state/rounds.ts';
import type { AssistantMessage } from '../../lib/types/message.ts';
import type { Run } from '../../lib/types/run.ts';
import { AnswerFoot } from './answer-foot.tsx';
import { AssistantMessageView } from './assistant-message.tsx';
import { PastFaults } from './past-faults.tsx';
import { RoundContext } from './round-line.tsx';
import { Versions } from './versions.tsx';

const none: ReadonlySet<string> = new Set();

/** All that the assistant did about a message. `faults`: runs that failed, by the message at which they ended. */
export function Answer(props: {
  messages: AssistantMessage[];
  turn: string;
  busy: boolean;
  isLast: boolean;
  notice: JSX.Element | null;
  faults: Record<string, Run[]>;
}): JSX.Element {
  const { messages, turn, busy, isLast, notice, faults } = props;
  const open = useSignal(none);
  const held = useSignal(none);
  const state = useMemo(() => ({ open, held }), []);
  const rounds = roundsOf(messages, held.value);
  return (
    <article class="msg" aria-label={en.chat.assistant} aria-busy={busy} data-turn={turn}>
      <RoundContext.Provider value={state}>
        {messages.map((message, position) => {
          const { key = null, messageIds = '' } = rounds[message.id] ?? {};
          return (
            <Fragment key={message.id}>
              {position > 0 && <Versions messageId={message.id} />}
              <AssistantMessageView
                message={message}
                round={key}
                leads={key === message.id ? messageIds : ''}
              />
              <PastFaults runs={faults[message.id]} />
            </Fragment>
          );
        })}
      </RoundContext.Provider>
      {!busy && <AnswerFoot messages={messages} isLast={isLast} />}
      {notice}
    </article>
  );
}
