import type { PresetId, Traits } from '../../types/model.ts';

type Row = { preset: PresetId; model: RegExp; traits: Traits };

const seeing = { tools: true, vision: true } satisfies Traits;
const thinking = { tools: true, vision: true, reasoning: true } satisfies Traits;

/**
 * Well-known models of providers whose lists hold little more than names. The first row that fits counts. Only what
 * the providers' own pages say; prices change too often to stand here.
 */
const ROWS: readonly Row[] = [
  // https://platform.openai.com/docs/models
  {
    preset: 'openai',
    model: /^gpt-5-chat/,
    traits: { vision: true, contextWindow: 128_000, maxOutput: 16_384 },
  },
  { preset: 'openai', model: /^gpt-5/, traits: { ...thinking, contextWindow: 400_000, maxOutput: 128_000 } },
  {
    preset: 'openai',
    model: /^gpt-4\.1/,
    traits: { ...seeing, contextWindow: 1_047_576, maxOutput: 32_768 },
  },
  { preset: 'openai', model: /^gpt-4o/, traits: { ...seeing, contextWindow: 128_000, maxOutput: 16_384 } },
  {
    preset: 'openai',
    model: /^gpt-4-turbo/,
    traits: { ...seeing, contextWindow: 128_000, maxOutput: 4_096 },
  },
  {
    preset: 'openai',
    model: /^gpt-4(-0613)?$/,
    traits: { tools: true, contextWindow: 8_192, maxOutput: 8_192 },
  },
  {
    preset: 'openai',
    model: /^gpt-3\.5-turbo/,
    traits: { tools: true, contextWindow: 16_385, maxOutput: 4_096 },
  },
  {
    preset: 'openai',
    model: /^o3-mini/,
    traits: { tools: true, reasoning: true, contextWindow: 200_000, maxOutput: 100_000 },
  },
  { preset: 'openai', model: /^o1-(mini|preview)/, traits: { reasoning: true, contextWindow: 128_000 } },
  { preset: 'openai', model: /^o[134]/, traits: { ...thinking, contextWindow: 200_000, maxOutput: 100_000 } },
  // https://docs.anthropic.com/en/docs/about-claude/models
  { preset: 'anthropic', model: /^claude-3-/, traits: { ...seeing, contextWindow: 200_000 } },
  { preset: 'anthropic', model: /^claude-/, traits: { ...thinking, contextWindow: 200_000 } },
  // https://ai.google.dev/gemini-api/docs/models
  {
    preset: 'google',
    model: /^gemini-2\.0-flash/,
    traits: { ...seeing, contextWindow: 1_048_576, maxOutput: 8_192 },
  },
  {
    preset: 'google',
    model: /^gemini-(2\.5|3)/,
    traits: { ...thinking, contextWindow: 1_048_576, maxOutput: 65_536 },
  },
  // https://api-docs.deepseek.com
  { preset: 'deepseek', model: /^deepseek-/, traits: { tools: true, contextWindow: 128_000 } },
  // https://docs.x.ai/docs/models
  { preset: 'xai', model: /^grok-4-fast/, traits: { ...thinking, contextWindow: 2_000_000 } },
  { preset: 'xai', model: /^grok-4(-\d{4})?$/, traits: { ...thinking, contextWindow: 256_000 } },
  { preset: 'xai', model: /^grok-3/, traits: { tools: true, contextWindow: 131_072 } },
];

/** With any provider. */
const NEVER_CHAT = /embed|whisper|(^|[-_/])(tts|bge|gte|e5)[-_]|[-_]tts\b|dall-e|moderation|rerank/i;

/** Of providers whose lists mix everything: what does not chat besides. */
const NO_CHAT: Partial<Record<PresetId, RegExp>> = {
  openai:
    /^(babbage|davinci)|-instruct|image|audio|realtime|transcribe|^sora|computer-use|codex|-pro\b|deep-research/,
  google: /imagen|veo|aqa|image-generation|native-audio/,
  groq: /guard/,
  xai: /image|imagine|video/,
};

/** What Portside's own table says of a model. */
export function knownTraits(preset: PresetId, model: string): Traits {
  // Azure's deployments are mostly named for their model.
  const maker = preset === 'azure' ? 'openai' : preset;
  return ROWS.find((row) => row.preset === maker && row.model.test(model))?.traits ?? {};
}

/** False for what is listed among a provider's models and is no chat model by its name. */
export function chats(preset: PresetId, model: string): boolean {
  return !NEVER_CHAT.test(model) && NO_CHAT[preset]?.test(model) !== true;
}
