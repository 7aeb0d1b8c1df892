import { computed, useComputed } from '@preact/signals';
import type { JSX, RefObject } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { CallDraft } from '../../../lib/state/chat/streams.ts';
import type { AssistantMessage } from '../../../lib/types/message.ts';
import { callIdOf, newCall } from '../../../lib/types/tools/tool-call.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { lazy } from '../../ui/lazy.tsx';
import { usePanel } from '../../panel-context.ts';
import { memo } from '../../ui/memo.tsx';
import { useBeginning } from './beginning.tsx';
import { Reasoning } from './reasoning.tsx';
import { Requests } from '../requests/request.tsx';
import { CallGroupLine, useFolded } from '../calls/call-group-line.tsx';
import { ToolCallView } from '../calls/tool-call.tsx';
import './message.css';
import { t } from '../../../locales/texts/panel.ts';
import { dates } from '../../../locales/dates.ts';

const Approvals = lazy((views) => views.Approvals);
const CallApps = lazy((views) => views.CallApps);

/**
 * One iteration's message. A finished one is drawn once; a streaming one repaints only what streams. Its parts are the
 * same before and after its end, so that what the reader has opened stays open. `group`: the key of the group that its
 * calls fold into; `leads`: the messages of the group whose line it carries.
 */
export const AssistantMessageView = memo(
  ({ message, group, leads }: { message: AssistantMessage; group: string | null; leads: string }) => {
    const { status, content, finish, pickedUpAt, timestamp } = message;
    // Above what was written after it, below what was there before.
    const isAgain = pickedUpAt !== undefined && timestamp >= pickedUpAt;
    const seam = pickedUpAt !== undefined && (
      <p class="seam">{t(($) => $.chat.pickedUp, { time: dates.time(pickedUpAt) })}</p>
    );
    const card = useRef<HTMLDivElement>(null);
    const folded = useFolded(message.id, group, card);
    const calls = callsOf(message).map((_, position) => callIdOf(message.id, position));
    return (
      <>
        <Reasoning message={message} hidden={folded && leads === ''} />
        {isAgain && seam}
        <Text message={message} />
        {!isAgain && seam}
        {status === 'partial' && finish === undefined && content !== '' && <Stopped id={message.id} />}
        {group !== null && leads !== '' && <CallGroupLine group={group} messageIds={leads} />}
        {!folded && <Calls message={message} card={card} />}
        <Apps message={message} />
        {finish && finish !== 'limit' && <p class="small subtle">{t(($) => $.chat.cut[finish])}</p>}
        {message.notes?.map((note) => (
          <p key={note} class="small subtle">
            {note}
          </p>
        ))}
        <Approvals callIds={calls} />
        <Requests calls={calls} />
      </>
    );
  },
);

/** Not as long as a run is about to go on from there. */
function Stopped({ id }: { id: string }): JSX.Element | null {
  const { live, chat } = usePanel();
  const goesOn = useComputed(() => live.value && chat.value.messages.at(-1)?.id === id).value;
  return goesOn ? null : <p class="small subtle">{t(($) => $.chat.stopped)}</p>;
}

/** The same element while it streams and afterwards. Nothing where a call is written without a word before it. */
function Text({ message }: { message: AssistantMessage }): JSX.Element | null {
  const { streams } = usePanel();
  const stream = message.status === 'streaming' ? streams.of(message) : null;
  const silent = useMemo(
    () =>
      computed(() =>
        stream ? stream.text.value === '' && stream.calls.value.length > 0 : message.content === '',
      ),
    [message, stream],
  ).value;
  const { shown, more } = useBeginning(message.content, stream !== null);
  if (silent) return null;
  return (
    <>
      <Markdown text={stream ? stream.text : shown} />
      {!stream && more}
    </>
  );
}

/** Calls are made only of a whole message. */
const callsOf = ({ status, tool_calls: calls }: AssistantMessage): CallDraft[] =>
  status === 'complete' ? (calls ?? []) : [];

/** They are made only of a whole message, and drawn before. */
function useWrittenCalls(message: AssistantMessage): CallDraft[] {
  const { streams } = usePanel();
  return message.status === 'streaming' ? streams.of(message).calls.value : callsOf(message);
}

function Apps({ message }: { message: AssistantMessage }): JSX.Element | null {
  const written = useWrittenCalls(message);
  return written.length > 0 ? <CallApps message={message} written={written} CallView={ToolCallView} /> : null;
}

/** The calls of one step share a card. */
function Calls(props: {
  message: AssistantMessage;
  card: RefObject<HTMLDivElement | null>;
}): JSX.Element | null {
  const { message, card } = props;
  const calls = useWrittenCalls(message);
  if (calls.length === 0) return null;
  return (
    <div class="tools" ref={card}>
      {calls.map((call, position) => (
        <ToolCallView
          key={callIdOf(message.id, position)}
          callId={callIdOf(message.id, position)}
          fallback={newCall(message, position, call)}
          writing={message.status === 'streaming'}
        />
      ))}
    </div>
  );
}
