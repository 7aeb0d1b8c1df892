import type { Signal } from '@preact/signals';
import { ChevronRight } from 'lucide';
import { createContext, type JSX, type RefObject } from 'preact';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import { reasonOf, withNames } from '../../../lib/state/chat/call-names.ts';
import { tallyOf } from '../../../lib/state/chat/call-groups.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import { messagesAfter } from '../../../lib/state/chat/turns.ts';
import type { Message } from '../../../lib/types/message.ts';
import { callIdOf, type ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { lacksAccess } from '../../../lib/types/tools/tool-result.ts';
import { usePanel } from '../../panel-context.ts';
import { Icon } from '../../ui/icon.tsx';
import { asCode, withCode } from '../../ui/with-part.tsx';
import { BEHIND } from '../use-following.ts';
import { ResultPictures } from './result-pictures.tsx';
import { ToolAccess, wordOf } from './tool-call.tsx';
import './fold.css';
import { t } from '../../../locales/texts/panel.ts';
import { phrases } from '../../../locales/phrases.ts';

/** What the reader did with an answer's call groups: which stand open, and which messages' cards are left as they are. */
export type CallGroupState = { open: Signal<ReadonlySet<string>>; held: Signal<ReadonlySet<string>> };

export const CallGroupContext = createContext<CallGroupState | null>(null);

const withOne = (set: ReadonlySet<string>, one: string): ReadonlySet<string> => new Set([...set, one]);

/** Closer to the end than this the reader follows what comes. */
const FOLLOWS_PX = 120;

/**
 * Whether a message's card is folded away. When the next step begins, a card in which the reader has opened something,
 * or which they have before their eyes while they do not follow, stays as it is: nothing jumps.
 * @param group the call group that the message's calls have become part of; null before
 */
export function useFolded(
  messageId: string,
  group: string | null,
  card: RefObject<HTMLElement | null>,
): boolean {
  const state = useContext(CallGroupContext);
  const [joined, setJoined] = useState(group !== null);
  useLayoutEffect(() => {
    if (group === null || joined) return;
    if (state && card.current && isHeld(card.current))
      state.held.value = withOne(state.held.peek(), messageId);
    else setJoined(true);
  }, [group, joined]);
  return joined && group !== null && state?.open.value.has(group) !== true;
}

function isHeld(card: HTMLElement): boolean {
  if (card.querySelector('[aria-expanded="true"]') || card.contains(document.activeElement)) return true;
  const log = card.closest('.log');
  if (!log?.hasAttribute(BEHIND) || log.scrollHeight - log.scrollTop - log.clientHeight < FOLLOWS_PX)
    return false;
  const [seen, at] = [log.getBoundingClientRect(), card.getBoundingClientRect()];
  return at.bottom > seen.top && at.top < seen.bottom;
}

/** "5 steps: echo ×4, add · 52 s · 1 error", which opens to the cards. What failed is still to be seen. */
export function CallGroupLine({
  group,
  messageIds,
}: {
  group: string;
  messageIds: string;
}): JSX.Element | null {
  const { chat } = usePanel();
  const state = useContext(CallGroupContext);
  const { messages, calls } = chat.value;
  const counted = countsOf(messages, messageIds.split(' '));
  const tally = tallyOf(calls, counted);
  if (!state) return null;
  const called = tally.called.map(({ name, count }) => ({ name: asCode(visible(name)), count }));
  const open = state.open.value.has(group);
  const toggle = (): void => {
    const next = new Set(state.open.peek());
    if (!next.delete(group)) next.add(group);
    state.open.value = next;
  };
  return (
    <div class="lines">
      <button class="line" aria-expanded={open} onClick={toggle}>
        <Icon of={ChevronRight} small class="turn" />
        <span>{withCode(phrases.steps({ ...tally, called }))}</span>
      </button>
      {!open && <ResultPictures calls={rowsOf(calls, counted)} />}
      {!open && <Failed messages={counted} />}
    </div>
  );
}

/** How many calls each of these messages made. */
const countsOf = (messages: Message[], ids: string[]): { id: string; count: number }[] =>
  messages.flatMap((message) =>
    message.role === 'assistant' && ids.includes(message.id)
      ? [{ id: message.id, count: message.tool_calls?.length ?? 0 }]
      : [],
  );

const rowsOf = (
  calls: Record<string, ToolCall>,
  messages: { id: string; count: number }[],
): (ToolCall | undefined)[] =>
  messages.flatMap(({ id, count }) =>
    Array.from({ length: count }, (_, position) => calls[callIdOf(id, position)]),
  );

/** So many are named. */
const FEW = 3;

/** A folded call that failed: its name stays, and what gives it the access to a site that it lacked. */
function Failed({ messages }: { messages: { id: string; count: number }[] }): JSX.Element | null {
  const { chat, setup, live, runAgain } = usePanel();
  const without = rowsOf(chat.value.calls, messages)
    .filter((call) => call?.status === 'error' || call?.status === 'timeout')
    .flatMap((call) => (call ? [withNames(call, setup.value)] : []));
  const failed = without.filter((call) => !lacksAccess(call));
  const lacks = without.findLast(lacksAccess);
  // In an earlier answer it would make the chat go on from there: that is asked at the call itself.
  const isLast = lacks && messagesAfter(chat.value.messages, lacks.messageId) === 0;
  return (
    <>
      {failed.length > 0 && (
        <p class="failed-calls small">
          {failed.slice(0, FEW).map((call) => (
            <span
              key={call.callId}
              role="group"
              aria-label={t(($) => $.tool.group, { name: call.toolName })}
              data-status={call.status}
            >
              <code>{`${visible(call.toolName)}${wordOf(call)}`}</code>
              {failed.length === 1 && (
                <span class="muted"> {visible(reasonOf(call.result?.text ?? ''))}</span>
              )}
            </span>
          ))}
          {failed.length > FEW && <span>{t(($) => $.card.more, { count: failed.length - FEW })}</span>}
        </p>
      )}
      {isLast && !live.value && <ToolAccess call={lacks} allowed={() => void runAgain(lacks.callId)} />}
    </>
  );
}
