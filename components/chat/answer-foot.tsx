import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import { usageOf, type AnswerUsage } from '../../lib/state/usage.ts';
import type { AssistantMessage } from '../../lib/types/message.ts';
import './answer-foot.css';

/** What an answer took: under the last one always; under others, in short, while the pointer or the focus is in them. */
export function AnswerFoot(props: { messages: AssistantMessage[]; isLast: boolean }): JSX.Element | null {
  const usage = usageOf(props.messages);
  if (!usage) return null;
  const words = wordsOf(usage);
  return props.isLast ? (
    <footer class="msg-foot">{words}</footer>
  ) : (
    <footer class="msg-foot quiet cut" title={words}>
      {en.usage.amounts(usage)}
    </footer>
  );
}

/** `qwen3:14b · 21.4k in, 612 out, 18k cached, $0.07 · first token 0.8 s`. */
function wordsOf(usage: AnswerUsage): string {
  const first = usage.firstTokenMs !== undefined && en.usage.firstToken(usage.firstTokenMs);
  return [usage.model, en.usage.amounts(usage), first].filter((part) => typeof part === 'string').join(' · ');
}
