import type { Learned, ModelRow, PresetId, Traits } from '../../types/model.ts';
import { knownTraits } from './known-models.ts';

/** What holds for a model: everything that decisions need is there. */
export type EffectiveTraits = Traits & { tools: boolean; contextWindow: number };

/**
 * Where no source tells. Providers in the cloud refuse what is too long and say the number, which is learned: better too
 * much there than summaries without need. Ollama and LM Studio silently cut off the beginning, tools and all: there it
 * is what they load a model with unless told otherwise (https://docs.ollama.com/context-length).
 */
const UNKNOWN_WINDOW = 128_000;
const LOCAL_WINDOW: Partial<Record<PresetId, number>> = {
  ollama: 4_096,
  lmstudio: 4_096,
  llamacpp: 8_192,
  vllm: 32_768,
  browser: 4_096,
  gguf: 4_096,
  custom: 32_768,
};

/** What the user says, else what was learnt, else what the provider tells, else Portside's table, else a guess. */
export function effectiveTraits(
  row: Pick<ModelRow, 'found' | 'chosen' | 'learned'>,
  preset: PresetId,
  model: string,
): EffectiveTraits {
  const layers = [knownTraits(preset, model), row.found, row.learned.traits ?? {}, row.chosen];
  return { tools: true, contextWindow: defaultWindow(preset), ...Object.assign({}, ...layers.map(stated)) };
}

/** The context window of a model of which nothing is known. */
function defaultWindow(preset: PresetId): number {
  return LOCAL_WINDOW[preset] ?? UNKNOWN_WINDOW;
}

/**
 * What refusals taught, less what the user says of the same: that counts more. A model is asked with this; what it
 * refuses then is news.
 */
export function withoutSaid({ traits, ...learned }: Learned, chosen: Traits): Learned {
  if (!traits) return learned;
  const said = stated(chosen);
  const kept = Object.entries(traits).filter(([trait]) => !(trait in said));
  return { ...learned, traits: Object.fromEntries(kept) };
}

/** Without what is undefined: an absent trait must not hide one below it. */
export function stated(traits: { [Name in keyof Traits]: Traits[Name] | undefined }): Traits {
  return Object.fromEntries(Object.entries(traits).filter(([, value]) => value !== undefined));
}
