import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import { callIdOf, pendingCall } from '../../lib/state/calls.ts';
import type { CallDraft } from '../../lib/state/streams.ts';
import type { AssistantMessage } from '../../lib/types/message.ts';
import { usePanel } from '../panel-context.ts';
import { memo } from '../ui/memo.tsx';
import { Approvals } from './approval.tsx';
import { Fold } from './fold.tsx';
import { ToolCallView } from './tool-call.tsx';
import './message.css';

/** One iteration's message. A finished one is drawn once; a streaming one repaints only its text. */
export const AssistantMessageView = memo(({ message }: { message: AssistantMessage }) =>
  message.status === 'streaming' ? <Streaming message={message} /> : <Whole message={message} />,
);

function Whole({ message }: { message: AssistantMessage }): JSX.Element {
  const calls = message.status === 'complete' ? (message.tool_calls ?? []) : [];
  return (
    <>
      {message.reasoning && <Fold title={en.chat.thought}>{message.reasoning}</Fold>}
      {message.content !== '' && <p class="prose plain">{message.content}</p>}
      {message.status === 'partial' && message.finish === undefined && message.content !== '' && (
        <p class="small subtle">{en.chat.stopped}</p>
      )}
      <Calls message={message} calls={calls} />
      {message.finish && message.finish !== 'limit' && (
        <p class="small subtle">{en.chat.cut[message.finish]}</p>
      )}
      <Approvals messageId={message.id} count={calls.length} />
    </>
  );
}

function Streaming({ message }: { message: AssistantMessage }): JSX.Element {
  const stream = usePanel().streams.of(message);
  return (
    <>
      <StreamingReasoning message={message} />
      <p class="prose plain caret">{stream.text}</p>
      <Calls message={message} calls={stream.calls.value} />
    </>
  );
}

/** The calls of one step share a card. */
function Calls(props: { message: AssistantMessage; calls: CallDraft[] }): JSX.Element | null {
  const { message, calls } = props;
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

function StreamingReasoning({ message }: { message: AssistantMessage }): JSX.Element | null {
  const stream = usePanel().streams.of(message);
  if (stream.reasoning.value === '') return null;
  return <Fold title={en.chat.thinking}>{stream.reasoning.value}</Fold>;
}
