import type { AnswerUsage } from '../../../lib/state/chat/usage.ts';
import type { UsageTotal } from '../../../lib/types/message.ts';
import { t } from '../../../locales/texts/panel.ts';
import { units } from '../../../locales/units.ts';

/** 21.4k in, 612 out, 18k cached, $0.07. */
export function usageWords({ inputTokens, outputTokens, cachedTokens, cost }: UsageTotal): string {
  return units.commas([
    t(($) => $.usage.in, { tokens: units.amount(inputTokens) }),
    t(($) => $.usage.out, { tokens: units.amount(outputTokens) }),
    ...(cachedTokens ? [t(($) => $.usage.cached, { tokens: units.amount(cachedTokens) })] : []),
    ...(cost ? [units.money(cost)] : []),
  ]);
}

/** `qwen3:14b · 21.4k in, 612 out, 18k cached, $0.07 · first token 0.8 s`; a line ends after a figure, never in one. */
export function answerUsage(usage: AnswerUsage): string {
  const first =
    usage.firstTokenMs !== undefined &&
    t(($) => $.usage.firstToken, { duration: units.duration(usage.firstTokenMs) });
  // Its letters would take the figure after it along, where words run from right to left.
  const model = usage.model !== undefined && `\u2068${usage.model}\u2069`;
  return [model, usageWords(usage), first]
    .filter((part) => typeof part === 'string')
    .map((part) => part.replaceAll(/(?<![,،]) /gu, '\u00a0'))
    .join(' · ');
}
