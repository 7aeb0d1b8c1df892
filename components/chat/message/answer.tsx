import { useComputed, useSignal } from '@preact/signals';
import { Fragment, type JSX } from 'preact';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { groupCalls } from '../../../lib/state/chat/call-groups.ts';
import { liveRun, type Faults } from '../../../lib/state/chat/run-status.ts';
import type { AssistantMessage } from '../../../lib/types/message.ts';
import { usePanel } from '../../panel-context.ts';
import { AnswerFoot } from './answer-foot.tsx';
import { AssistantMessageView } from './assistant-message.tsx';
import { useNotice } from '../notice.tsx';
import { PastFaults } from '../calls/past-faults.tsx';
import { CallGroupContext } from '../calls/call-group-line.tsx';
import { Versions } from './versions.tsx';
import { t } from '../../../locales/texts/panel.ts';

const none: ReadonlySet<string> = new Set();

/** All that the assistant did about a message. Only the last one is about the run. */
export function Answer(props: {
  messages: AssistantMessage[];
  turn: string;
  isLast: boolean;
  faults: Faults;
}): JSX.Element {
  const { messages, turn, isLast, faults } = props;
  const { chat, found } = usePanel();
  const live = useComputed(() => liveRun(chat.value) !== null);
  const busy = isLast && live.value;
  const notice = useNotice(isLast);
  const open = useSignal(none);
  const held = useSignal(none);
  const state = useMemo(() => ({ open, held }), []);
  const groups = groupCalls(messages, held.value);
  const { messageId = '', id } = found.value ?? {};
  const sought = id === messageId ? undefined : groups[messageId]?.key;
  // What was found in a result is to be seen.
  useLayoutEffect(() => {
    if (sought) open.value = new Set([...open.peek(), sought]);
  }, [sought, id]);
  return (
    <article class="msg" aria-label={t(($) => $.chat.assistant)} aria-busy={busy} data-turn={turn}>
      <CallGroupContext.Provider value={state}>
        {messages.map((message, position) => {
          const { key = null, messageIds = '' } = groups[message.id] ?? {};
          return (
            <Fragment key={message.id}>
              {position > 0 && <Versions messageId={message.id} />}
              <AssistantMessageView
                message={message}
                group={key}
                leads={key === message.id ? messageIds : ''}
              />
              <PastFaults runs={faults[message.id]} />
            </Fragment>
          );
        })}
      </CallGroupContext.Provider>
      {!busy && <AnswerFoot messages={messages} isLast={isLast} />}
      {notice}
    </article>
  );
}
