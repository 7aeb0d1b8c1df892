import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import { pendingCall } from '../../lib/state/calls.ts';
import type { CallDraft } from '../../lib/state/streams.ts';
import type { AssistantMessage } from '../../lib/types/message.ts';
import { callIdOf } from '../../lib/types/tool.ts';
import { usePanel } from '../panel-context.ts';
import { memo } from '../ui/memo.tsx';
import { Approvals } from './approval.tsx';
import { Fold } from './fold.tsx';
import { Requests } from './request.tsx';
import { ToolCallView } from './tool-call.tsx';
import './message.css';

/**
 * One iteration's message. A finished one is drawn once; a streaming one repaints only what streams. Its parts are the
 * same before and after its end, so that what the reader has opened stays open.
 */
export const AssistantMessageView = memo(({ message }: { message: AssistantMessage }) => {
  const { status, content, finish } = message;
  return (
    <>
      <Reasoning message={message} />
      <Text message={message} />
      {status === 'partial' && finish === undefined && content !== '' && (
        <p class="small subtle">{en.chat.stopped}</p>
      )}
      <Calls message={message} />
      {finish && finish !== 'limit' && <p class="small subtle">{en.chat.cut[finish]}</p>}
      {message.notes?.map((note) => (
        <p key={note} class="small subtle">
          {note}
        </p>
      ))}
      <Approvals messageId={message.id} count={callsOf(message).length} />
      <Requests calls={callsOf(message).map((_, position) => callIdOf(message.id, position))} />
    </>
  );
});

function Reasoning({ message }: { message: AssistantMessage }): JSX.Element | null {
  const { streams } = usePanel();
  const streaming = message.status === 'streaming';
  const text = streaming ? streams.of(message).reasoning.value : message.reasoning;
  if (!text) return null;
  return <Fold title={streaming ? en.chat.thinking : en.chat.thought}>{text}</Fold>;
}

function Text({ message }: { message: AssistantMessage }): JSX.Element | null {
  const { streams } = usePanel();
  if (message.status === 'streaming') return <p class="prose plain caret">{streams.of(message).text}</p>;
  return message.content === '' ? null : <p class="prose plain">{message.content}</p>;
}

/** Calls are made only of a whole message. */
const callsOf = ({ status, tool_calls: calls }: AssistantMessage): CallDraft[] =>
  status === 'complete' ? (calls ?? []) : [];

/** The calls of one step share a card. */
function Calls({ message }: { message: AssistantMessage }): JSX.Element | null {
  const { streams } = usePanel();
  const calls = message.status === 'streaming' ? streams.of(message).calls.value : callsOf(message);
  if (calls.length === 0) return null;
  return (
    <div class="tools">
      {calls.map((call, position) => (
        <ToolCallView
          key={callIdOf(message.id, position)}
          callId={callIdOf(message.id, position)}
          fallback={pendingCall(message, position, call)}
        />
      ))}
    </div>
  );
}
