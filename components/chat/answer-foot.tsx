import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import { usageOf, type AnswerUsage } from '../../lib/state/usage.ts';
import type { AssistantMessage } from '../../lib/types/message.ts';
import '../ui/row-menu.css';
import { BranchAction, CopyAction, DeleteAction } from './message-foot.tsx';
import { Regenerate } from './regenerate.tsx';
import { Versions } from './versions.tsx';
import './message-foot.css';

/** What can be done with an answer, and what it took. Under others than the last while the pointer or the focus is in them. */
export function AnswerFoot(props: { messages: AssistantMessage[]; isLast: boolean }): JSX.Element | null {
  const { messages, isLast } = props;
  const [first, last] = [messages[0], messages.at(-1)];
  if (!first || !last) return null;
  const usage = usageOf(messages);
  const markdown = (): string =>
    messages
      .map(({ content }) => content.trim())
      .filter((text) => text !== '')
      .join('\n\n');
  return (
    <footer class={isLast ? 'msg-foot' : 'msg-foot quiet'}>
      <CopyAction text={markdown} />
      <Regenerate messageId={last.id} />
      <BranchAction messageId={last.id} />
      <DeleteAction messageId={first.id} />
      <Versions messageId={first.id} />
      {usage && (
        <span class="cost" title={wordsOf(usage)}>
          {isLast ? wordsOf(usage) : en.usage.amounts(usage)}
        </span>
      )}
    </footer>
  );
}

/** `qwen3:14b · 21.4k in, 612 out, 18k cached, $0.07 · first token 0.8 s`. */
function wordsOf(usage: AnswerUsage): string {
  const first = usage.firstTokenMs !== undefined && en.usage.firstToken(usage.firstTokenMs);
  return [usage.model, en.usage.amounts(usage), first].filter((part) => typeof part === 'string').join(' · ');
}
