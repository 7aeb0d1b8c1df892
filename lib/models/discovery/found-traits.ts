import { type Price, PRICE_LIMITS, type Traits } from '../../types/model.ts';
import { recordOf } from '../../json.ts';
import { stated } from './traits.ts';

type ModelListing = Record<string, unknown>;

/**
 * What an entry of any provider's list of models tells: OpenRouter, Mistral, Groq, Together, Fireworks, vLLM and LM
 * Studio each have names of their own for the same things. What is not understood is not known.
 */
export function traitsOf(entry: ModelListing): Traits {
  const top = recordOf(entry.top_provider);
  const modalities = words(recordOf(entry.architecture).input_modalities) ?? words(entry.input_modalities);
  return stated({
    tools: toolsOf(entry),
    vision:
      bool(recordOf(entry.capabilities).vision) ??
      bool(entry.supports_image_input) ??
      (entry.type === 'vlm' ? true : modalities?.includes('image')),
    reasoning: reasoningOf(entry),
    contextWindow: tokens(
      top.context_length,
      entry.context_length,
      entry.max_context_length,
      entry.context_window,
      entry.max_model_len,
      entry.max_input_tokens,
    ),
    maxOutput: tokens(top.max_completion_tokens, entry.max_completion_tokens, entry.max_output_tokens),
    price: priceOf(recordOf(entry.pricing)),
  });
}

function toolsOf(entry: ModelListing): boolean | undefined {
  const told = bool(recordOf(entry.capabilities).function_calling) ?? bool(entry.supports_tools);
  // LM Studio names only those that were trained for it; the others manage as well.
  const trained = words(entry.capabilities)?.includes('tool_use') || undefined;
  return told ?? words(entry.supported_parameters)?.includes('tools') ?? trained;
}

function reasoningOf(entry: ModelListing): boolean | undefined {
  const parameters = words(entry.supported_parameters);
  const told = bool(recordOf(entry.capabilities).reasoning);
  return (
    told ?? (parameters && (parameters.includes('reasoning') || parameters.includes('include_reasoning')))
  );
}

/** OpenRouter: strings, dollars for one token. Together: numbers, dollars for a million. */
function priceOf(pricing: ModelListing): Price | undefined {
  const perToken = [pricing.prompt, pricing.completion, pricing.input_cache_read].map(amount);
  const perMillion = [pricing.input, pricing.output, pricing.cached_input].map(amount);
  const told = perToken[0] === undefined ? perMillion : perToken.map((each) => each && inMillions(each));
  // Past all numbers it would come to a page as none.
  const [input, output, cached] = told.map((each) => (Number(each) <= PRICE_LIMITS[1] ? each : undefined));
  if (input === undefined || output === undefined) return undefined;
  return { input, output, ...(cached !== undefined && { cached }) };
}

function amount(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** Without the dust of binary fractions. */
function inMillions(perToken: number): number {
  return Math.round(perToken * 1e12) / 1e6;
}

/** The first that is a count of tokens. */
export function tokens(...values: unknown[]): number | undefined {
  return values.find((value): value is number => Number.isSafeInteger(value) && Number(value) > 0);
}

export function words(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined;
}

export function bool(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}
