import type { Usage } from '../../types/message.ts';
import { isRecord } from '../../json.ts';

/**
 * The tokens of a chunk, where it tells them: `usage` on the chunk (OpenAI), on the choice (Moonshot) or under `x_groq`;
 * cached ones also as DeepSeek, Moonshot and Anthropic name them. Of the latter's own fields the input is what was not cached.
 */
export function usageOf(chunk: Record<string, unknown>, choice: unknown): Usage | undefined {
  const groq = isRecord(chunk.x_groq) ? chunk.x_groq.usage : undefined;
  return readUsage(chunk.usage) ?? readUsage(isRecord(choice) ? choice.usage : undefined) ?? readUsage(groq);
}

function readUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const cached = amount(value.cache_read_input_tokens);
  const written = amount(value.cache_creation_input_tokens) ?? 0;
  const prompt = amount(value.prompt_tokens);
  const uncached = amount(value.input_tokens);
  const input = prompt ?? (uncached === undefined ? undefined : uncached + (cached ?? 0) + written);
  const output = amount(value.completion_tokens) ?? amount(value.output_tokens);
  if (input === undefined || output === undefined) return undefined;
  const details = isRecord(value.prompt_tokens_details) ? value.prompt_tokens_details : {};
  const cachedTokens =
    amount(details.cached_tokens) ??
    amount(value.prompt_cache_hit_tokens) ??
    amount(value.cached_tokens) ??
    cached;
  return { inputTokens: input, outputTokens: output, ...(cachedTokens !== undefined && { cachedTokens }) };
}

function amount(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value) ? value : undefined;
}
