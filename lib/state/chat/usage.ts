import { type AssistantMessage, type Message, type UsageTotal, withUsage } from '../../types/message.ts';
import { t } from '../../../locales/texts/panel.ts';
import { units } from '../../../locales/units.ts';

/** What one answer took, over all of its steps. */
export type AnswerUsage = UsageTotal & {
  /** Milliseconds until the first piece of the first step that said anything. */
  firstTokenMs?: number;
  /** The model that wrote the end of it. */
  model?: string;
};

/** Null when the provider told nothing. `cost` is absent unless some step's price was known. */
export function usageOf(messages: AssistantMessage[]): AnswerUsage | null {
  const total = messages.reduce<UsageTotal | undefined>(withUsage, undefined);
  if (!total) return null;
  const firstTokenMs = messages.find(({ timing }) => timing)?.timing?.firstTokenMs;
  const model = messages.at(-1)?.model;
  return {
    ...total,
    ...(firstTokenMs !== undefined && { firstTokenMs }),
    ...(model !== undefined && { model }),
  };
}

/** Tokens that the last answer filled of its model's context; null before one told. */
export function contextUsed(messages: Message[]): number | null {
  const last = messages.findLast((message) => message.role === 'assistant' && message.usage !== undefined);
  const usage = last?.role === 'assistant' ? last.usage : undefined;
  return usage ? usage.inputTokens + usage.outputTokens : null;
}

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
