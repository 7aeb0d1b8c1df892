import type { JSX } from 'preact';
import { en } from '../../locales/en.ts';
import { usageOf, type AnswerUsage } from '../../lib/state/usage.ts';
import type { AssistantMessage } from '../../lib/types/message.ts';
import './answer-foot.css';

/** What an answer took: under the last one always, under others while the pointer or the focus is in them. */
export function AnswerFoot(props: { messages: AssistantMessage[]; isLast: boolean }): JSX.Element | null {
  const usage = usageOf(props.messages);
  if (!usage) return null;
  const words = wordsOf(usage);
  return props.isLast ? (
    <footer class="msg-foot">{words}</footer>
  ) : (
    <footer class="msg-foot quiet cut" title={words}>
      {words}
    </footer>
  );
}

/** `qwen3:14b · 21.4k in, 612 out, $0.07 · first token 0.8 s`. */
function wordsOf(usage: AnswerUsage): string {
  const amounts = [
    en.usage.in(usage.inputTokens),
    usage.cachedTokens && en.usage.cached(usage.cachedTokens),
    en.usage.out(usage.outputTokens),
    usage.cost && en.money(usage.cost),
  ].filter((part) => typeof part === 'string');
  const first = usage.firstTokenMs !== undefined && en.usage.firstToken(usage.firstTokenMs);
  return [usage.model, amounts.join(', '), first].filter((part) => typeof part === 'string').join(' · ');
}
