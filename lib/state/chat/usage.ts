import { type AssistantMessage, type Message, type UsageTotal, withUsage } from '../../types/message.ts';

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
