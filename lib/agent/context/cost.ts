import type { Usage } from '../../types/message.ts';
import type { Price } from '../../types/model.ts';

/** What an answer cost, in US dollars, to be spread into its message; nothing when it is not known, or more than adds up. */
export function costOf(usage: Usage | undefined, price: Price | undefined): { cost?: number } {
  if (!usage || !price) return {};
  const cached = Math.min(usage.cachedTokens ?? 0, usage.inputTokens);
  const input = (usage.inputTokens - cached) * price.input + cached * (price.cached ?? price.input);
  const cost = (input + usage.outputTokens * price.output) / 1_000_000;
  return cost <= Number.MAX_SAFE_INTEGER ? { cost } : {};
}
