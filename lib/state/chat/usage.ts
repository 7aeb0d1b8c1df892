import type { AssistantMessage, Message, UsageTotal } from '../../types/message.ts';

/** What one answer took, over all of its steps. */
export type AnswerUsage = UsageTotal & {
  /** Milliseconds until the first piece of the first step that said anything. */
  firstTokenMs?: number;
  /** The model that wrote the end of it. */
  model?: string;
};

/** Null when the provider told nothing. `cost` is absent unless some step's price was known. */
export function usageOf(messages: AssistantMessage[]): AnswerUsage | null {
  const told = messages.filter(({ usage }) => usage !== undefined);
  const last = messages.at(-1);
  if (told.length === 0) return null;
  const total: AnswerUsage = { inputTokens: 0, outputTokens: 0 };
  for (const { usage, cost } of told) {
    total.inputTokens += usage?.inputTokens ?? 0;
    total.outputTokens += usage?.outputTokens ?? 0;
    if (usage?.cachedTokens) total.cachedTokens = (total.cachedTokens ?? 0) + usage.cachedTokens;
    if (cost !== undefined) total.cost = (total.cost ?? 0) + cost;
  }
  const firstTokenMs = messages.find(({ timing }) => timing)?.timing?.firstTokenMs;
  if (firstTokenMs !== undefined) total.firstTokenMs = firstTokenMs;
  if (last?.model !== undefined) total.model = last.model;
  return total;
}

/** Tokens that the last answer filled of its model's context; null before one told. */
export function contextUsed(messages: Message[]): number | null {
  const last = messages.findLast((message) => message.role === 'assistant' && message.usage !== undefined);
  const usage = last?.role === 'assistant' ? last.usage : undefined;
  return usage ? usage.inputTokens + usage.outputTokens : null;
}

/** English prose takes about four bytes a token, JSON and code three (lib/agent/context/tokens.ts). */
const BYTES_PER_TOKEN = 3.5;

/** About how many tokens a text takes. */
export const tokensIn = (text: string): number =>
  Math.ceil(new TextEncoder().encode(text).length / BYTES_PER_TOKEN);
