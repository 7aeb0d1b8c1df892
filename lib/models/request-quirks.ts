import type { Learned, ModelApi, PresetId } from '../types/model.ts';

/** What a server wants otherwise than most do. Refusals turn switches on by these names (`Learned.quirks`). */
export type Quirks = {
  /** The limit of an answer is called `max_completion_tokens`. */
  maxCompletionTokens?: boolean;
  /** The effort goes into `reasoning: {effort}` instead of `reasoning_effort`. */
  nestedEffort?: boolean;
  /** It does not know `stream_options`. */
  noStreamOptions?: boolean;
  /** Its chat template has no system role: the system prompt leads the first question. */
  systemAsUser?: boolean;
  /** An assistant message with calls and no text has `""` as its content, not null. */
  textWithCalls?: boolean;
  /** It knows no reasoning fields on messages, and refuses what it does not know. */
  noReasoning?: boolean;
  /** It wants the reasoning of earlier turns back too, on every message. */
  allReasoning?: boolean;
  /** Call ids have exactly nine letters and digits. */
  nineCharIds?: boolean;
  /** Call ids have at most 40 letters, digits, `_` and `-`. */
  shortIds?: boolean;
  /** No user message directly after a tool's. */
  bridgeAfterTool?: boolean;
  /** Schemas in Gemini's subset of OpenAPI. */
  geminiSchemas?: boolean;
  /** It now and then leaves a call in the text, in the tags of the model's chat template (reply/leaked-calls.ts). */
  leaksCalls?: boolean;
  /** Responses: thoughts are shown only where a summary of them is asked for. */
  summaries?: boolean;
  /** Responses: it refuses to summarise them, be it for this account only. */
  noSummaries?: boolean;
  /** Responses: it neither encrypts thoughts nor takes encrypted ones; they are sent as they are. */
  plainThoughts?: boolean;
  /** Responses: a call has an id of its own beside the one that its result names. */
  itemIds?: boolean;
};

type Row = Quirks & { preset?: PresetId; model?: RegExp; api?: ModelApi };

/**
 * All rows that fit hold, a later one over an earlier. `model` is looked for in the provider's name of the model; a row
 * without `api` is for both.
 */
const TABLE: readonly Row[] = [
  { preset: 'openai', shortIds: true },
  { preset: 'azure', shortIds: true },
  { preset: 'openai', api: 'chat', noReasoning: true },
  { preset: 'azure', api: 'chat', noReasoning: true },
  // From GPT-5.6 on they think on from the thoughts of earlier turns; those before pass over them
  // (https://platform.openai.com/docs/guides/reasoning).
  { preset: 'openai', api: 'responses', allReasoning: true },
  { preset: 'azure', api: 'responses', allReasoning: true },
  { preset: 'openrouter', api: 'responses', model: /^openai\//, allReasoning: true },
  { api: 'responses', model: /(^|\/)(o\d|gpt-([5-9]|\d\d))(?!.{0,40}chat)/i, summaries: true },
  // They refuse max_tokens (https://platform.openai.com/docs/api-reference/chat/create#chat-create-max_tokens).
  { preset: 'openai', model: /^(o\d|gpt-5)/i, maxCompletionTokens: true },
  { preset: 'azure', model: /^(o\d|gpt-5)/i, maxCompletionTokens: true },
  { preset: 'anthropic', shortIds: true, noReasoning: true },
  { preset: 'google', noReasoning: true, geminiSchemas: true },
  // A proxy passes the schemas on as they are.
  { model: /(^|\/)gemini-/i, geminiSchemas: true },
  { preset: 'openrouter', nestedEffort: true },
  // https://openrouter.ai/docs/api/api-reference/responses/create-responses
  { preset: 'openrouter', api: 'responses', itemIds: true },
  // It counts tokens without being asked, and refuses fields that it does not know.
  { preset: 'mistral', noStreamOptions: true, noReasoning: true, nineCharIds: true, bridgeAfterTool: true },
  // Their chat templates make the same demands wherever they run.
  { preset: 'vllm', model: /mistral|mixtral|codestral|devstral|magistral/i, nineCharIds: true },
  // Servers that take calls out of the text by a parser for each model, and models that write them into it (Hermes' format).
  { preset: 'vllm', leaksCalls: true },
  // https://github.com/vllm-project/vllm/pull/28248
  { preset: 'vllm', api: 'responses', plainThoughts: true },
  { preset: 'llamacpp', leaksCalls: true },
  { preset: 'lmstudio', leaksCalls: true },
  { model: /qwen|qwq|hermes|nous/i, leaksCalls: true },
  // https://api-docs.deepseek.com/guides/thinking_mode: of turns with calls, in all later requests.
  { preset: 'deepseek', allReasoning: true },
  { preset: 'groq', api: 'chat', noReasoning: true },
  { preset: 'lmstudio', textWithCalls: true },
];

/** Headers that a provider wants with every request. */
const HEADERS: Partial<Record<PresetId, Record<string, string>>> = {
  // Without it a request that comes from a browser is refused.
  anthropic: { 'anthropic-dangerous-direct-browser-access': 'true' },
};

/** What holds for a model: the table, and over it what its own refusals taught. */
export function quirksFor(
  preset: PresetId,
  model: string,
  learned: Learned = {},
  api: ModelApi = 'chat',
): Quirks {
  const rows = TABLE.filter(
    (row) =>
      (row.preset ?? preset) === preset &&
      (row.api ?? api) === api &&
      (row.model === undefined || row.model.test(model)),
  );
  const {
    preset: _preset,
    model: _model,
    api: _api,
    ...quirks
  }: Row = Object.assign({}, ...rows, learned.quirks);
  return quirks;
}

/** The headers a preset's provider wants, besides the key and the user's own. */
export function headersFor(preset: PresetId): Record<string, string> {
  return HEADERS[preset] ?? {};
}
