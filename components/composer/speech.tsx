import { effect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { createSpeaking, type Speaking } from '../../lib/state/speaking.ts';
import type { Panel } from '../../lib/state/panel.ts';
import type { Message } from '../../lib/types/message.ts';
import { givenName, plainName } from '../../lib/state/shown-text.ts';
import { usePanel } from '../panel-context.ts';
import { t } from '../../locales/texts/panel.ts';

/**
 * Speaks the streaming answer, sentence by sentence, and what waits for the user. It falls silent when the user goes
 * into the conversation to read, stops the answer, asks something or goes to another chat.
 */
export function Speech(): JSX.Element {
  const panel = usePanel();
  const speaking = useMemo(() => createSpeaking((task, ms) => void setTimeout(task, ms)), []);
  useSpoken(panel, speaking);
  useAnnounced(panel, speaking);
  useHushed(panel, speaking);
  return (
    <div class="sr" aria-live="polite">
      {speaking.words.value}
    </div>
  );
}

/** Runs again at once and not before the next paint, as useSignalEffect would: by then a whole answer may have come. */
function useEffectAtOnce(run: () => void): void {
  useEffect(() => effect(run), []);
}

function useHushed(panel: Panel, speaking: Speaking): void {
  const shown = useRef(panel.conversationId.peek());
  useEffectAtOnce(() => {
    const id = panel.conversationId.value;
    if (panel.starting.value || id !== shown.current) speaking.hush();
    shown.current = id;
  });
  useEffect(() => {
    const hush = (): void => {
      if (isReading()) speaking.hush();
    };
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') speaking.hush();
    };
    document.addEventListener('focusin', hush);
    document.addEventListener('keydown', onKey, true);
    return () => {
      document.removeEventListener('focusin', hush);
      document.removeEventListener('keydown', onKey, true);
    };
  }, [speaking]);
}

/** Who is in the conversation reads for themselves. */
const isReading = (): boolean => Boolean(document.activeElement?.closest('.log'));

/**
 * Hands on the answer that streams, and then its end. What was there when the panel opened, or turned to the chat, is not
 * spoken. Under load an answer may first be seen with text in it, or finished: while a run is at work, it is spoken whole.
 */
function useSpoken(panel: Panel, speaking: Speaking): void {
  const streaming = useRef<string | null>(null);
  const shown = useRef({ messages: [] as Message[], live: false });
  useEffectAtOnce(() => {
    const { messages } = panel.chat.value;
    const last = messages.findLast(({ role }) => role === 'assistant');
    const before = shown.current;
    shown.current = { messages, live: panel.live.value };
    const { current } = streaming;
    if (current !== null && current !== last?.id) {
      const message = messages.find(({ id }) => id === current);
      if (message) speaking.follow(current, message.content, true);
      streaming.current = null;
    }
    if (last?.role !== 'assistant') return;
    const isFollowed = last.id === current;
    const isNew = !isFollowed && before.live && !before.messages.some(({ id }) => id === last.id);
    if (last.status === 'streaming') {
      if (!isFollowed && !isNew) speaking.skip(last.id, last.content);
      streaming.current = last.id;
      const text = panel.streams.of(last).text.value;
      if (isReading()) speaking.skip(last.id, text);
      else speaking.follow(last.id, text, false);
    } else if (isFollowed || isNew) {
      if (isNew && isReading()) speaking.skip(last.id, last.content);
      speaking.follow(last.id, last.content, true);
      streaming.current = null;
    }
  });
}

/** Each question once. */
function useAnnounced(panel: Panel, speaking: Speaking): void {
  const told = useRef(new Set<string>());
  useEffectAtOnce(() => {
    const { calls, requests } = panel.chat.value;
    const once = (id: string, words: string): void => {
      if (told.current.has(id)) return;
      told.current.add(id);
      speaking.announce(words);
    };
    for (const { callId, wait, toolName } of Object.values(calls)) {
      if (wait === 'permission')
        once(
          callId,
          t(($) => $.speech.approval, { tool: plainName(toolName) }),
        );
      // It may be asked about once more.
      else told.current.delete(callId);
    }
    for (const { id, serverName } of requests)
      once(
        id,
        t(($) => $.speech.question, { server: givenName(serverName) }),
      );
  });
}
