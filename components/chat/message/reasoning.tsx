import { computed, useSignalEffect, type ReadonlySignal } from '@preact/signals';
import { ChevronRight } from 'lucide';
import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { AssistantMessage } from '../../../lib/types/message.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { usePanel } from '../../panel-context.ts';
import { Icon } from '../../ui/icon.tsx';
import { useNow } from '../../ui/use-now.ts';
import '../calls/fold.css';
import { t } from '../../../locales/texts/panel.ts';
import { units } from '../../../locales/units.ts';

/** What the model thought before it answered, folded. `hidden`: its step is folded away, unless it stands open. */
export function Reasoning(props: { message: AssistantMessage; hidden: boolean }): JSX.Element | null {
  const { message, hidden } = props;
  const { streams } = usePanel();
  const [open, setOpen] = useState(false);
  const streaming = message.status === 'streaming';
  const stream = streaming ? streams.of(message) : null;
  const { has, isLive } = useMemo(
    () => ({
      has: computed(() => Boolean(stream ? stream.reasoning.value : message.reasoning)),
      isLive: computed(() => stream?.text.value === '' && stream.calls.value.length === 0),
    }),
    [message, stream],
  );
  if (!has.value || (hidden && !open)) return null;
  return (
    <div class="lines">
      <button class="line" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon of={ChevronRight} small class="turn" />
        {isLive.value ? <Thinking message={message} /> : <Thought message={message} />}
      </button>
      {open && <Thoughts text={stream ? stream.reasoning : (message.reasoning ?? '')} />}
    </div>
  );
}

/** Seconds since it began to think: to this page's knowledge since now, unless some of it was there before the page. */
function Thinking({ message }: { message: AssistantMessage }): JSX.Element {
  const [since] = useState(() => (message.reasoning ? Date.parse(message.timestamp) : Date.now()));
  return <span class="num">{t(($) => $.reasoning.live, { ms: units.elapsed(useNow(true) - since) })}</span>;
}

function thoughtFor(ms: number | undefined): string {
  if (ms === undefined) return t(($) => $.reasoning.thought);
  const duration = ms < 950 ? units.duration(ms) : units.elapsed(ms + 500);
  return t(($) => $.reasoning.thoughtFor, { duration });
}

const Thought = ({ message }: { message: AssistantMessage }): JSX.Element => (
  <span class="num">{thoughtFor(message.timing?.reasoningMs)}</span>
);

/** So close to its end the reader follows what comes. */
const NEAR_PX = 24;

/** Drawn as answers are. It follows its own end, unless the reader has scrolled up. */
function Thoughts({ text }: { text: string | ReadonlySignal<string> }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const onScroll = ({ currentTarget: view }: { currentTarget: HTMLElement }): void =>
    void (follows.current = view.scrollHeight - view.scrollTop - view.clientHeight < NEAR_PX);
  // After the text has drawn itself.
  useSignalEffect(() => {
    if (typeof text === 'string' || text.value === '' || !box.current || !follows.current) return;
    box.current.scrollTop = box.current.scrollHeight;
  });
  return (
    <div
      class="thoughts"
      role="region"
      aria-label={t(($) => $.reasoning.text)}
      tabIndex={0}
      ref={box}
      onScroll={onScroll}
    >
      <Markdown text={text} />
    </div>
  );
}
