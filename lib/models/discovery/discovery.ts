import { fromWire } from '../../errors.ts';
import type { FoundModel, PresetId } from '../../types/model.ts';
import { classify } from '../refusals/classify.ts';
import { type ClientOptions, createClient } from '../client.ts';
import { describeFailure, type Failure, ModelFailure } from '../refusals/failure.ts';
import { traitsOf } from './found-traits.ts';
import { isRecord, parseJson, recordOf } from '../../json.ts';
import { chats, knownTraits } from './known-models.ts';
import { askLocalApi } from './local-apis.ts';
import { isHtml } from '../refusals/read-refusal.ts';
import { t } from '../../../locales/texts/errors.ts';

const TIMEOUT_MS = 15_000;
/** For the local servers' own APIs, which only add to the list. */
const EXTRA_TIMEOUT_MS = 3_000;
/** OpenRouter, the longest list known, has some hundreds. */
const MAX_MODELS = 2_000;
const MAX_ID_LENGTH = 300;

export type FindModelsOptions = ClientOptions & { preset: PresetId; timeoutMs?: number };

/**
 * The chat models that a server offers, in its order (GET {baseUrl}/models), with what it, its own API or Portside's
 * table tells of them.
 * @throws AppError with the codes and sentences of `failure.ts`
 */
export async function findModels(options: FindModelsOptions): Promise<FoundModel[]> {
  const { preset, baseUrl, apiKey, headers } = options;
  const models = await listModels(options);
  return askLocalApi(preset, baseUrl, models, {
    headers: { ...(apiKey?.trim() && { authorization: `Bearer ${apiKey.trim()}` }), ...headers },
    fetch: options.fetch ?? fetch,
    timeoutMs: Math.min(options.timeoutMs ?? EXTRA_TIMEOUT_MS, EXTRA_TIMEOUT_MS),
  });
}

async function listModels(options: FindModelsOptions): Promise<FoundModel[]> {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const headers = listHeaders(options);
    const response = await createClient(options).get('/models', { signal, headers }).asResponse();
    return readModels(await response.text(), options.preset);
  } catch (error) {
    const failure: Failure = signal.aborted ? { type: 'timeout', ms: timeoutMs } : classify(error);
    throw fromWire(describeFailure(failure, options));
  }
}

/** Anthropic's list is of its own API, not of the compatible one (https://docs.anthropic.com/en/api/models-list). */
function listHeaders({ preset, apiKey }: FindModelsOptions): Record<string, string | null> {
  const key = apiKey?.trim();
  if (preset !== 'anthropic' || !key) return {};
  return { 'x-api-key': key, 'anthropic-version': '2023-06-01', Authorization: null };
}

/** `{data: [{id}]}`, or the bare list that some servers send. */
function readModels(text: string, preset: PresetId): FoundModel[] {
  const body = parseJson(text);
  const list = isRecord(body) ? body.data : body;
  if (!Array.isArray(list)) {
    throw new ModelFailure({
      type: 'not_a_model',
      detail: isHtml(text) ? t(($) => $.errors.models.replies.html) : text,
    });
  }
  const found = new Map<string, FoundModel>();
  for (const entry of list.filter(isRecord)) {
    const id = idOf(entry);
    if (id === undefined || found.has(id)) continue;
    const silent = !chats(preset, id) || saysItDoesNotChat(entry);
    const traits = { ...knownTraits(preset, id), ...traitsOf(entry), ...(silent && { chat: false }) };
    found.set(id, { id, traits });
    if (found.size === MAX_MODELS) break;
  }
  return [...found.values()];
}

function idOf({ id }: Record<string, unknown>): string | undefined {
  // Google lists models by their path and takes them by their name.
  const name = typeof id === 'string' ? id.replace(/^models\//, '') : '';
  return name === '' || name.length > MAX_ID_LENGTH ? undefined : name;
}

/** Mistral, Fireworks, Together. */
function saysItDoesNotChat(entry: Record<string, unknown>): boolean {
  const kinds = ['embedding', 'embeddings', 'image', 'rerank', 'moderation', 'audio', 'transcribe', 'video'];
  return (
    recordOf(entry.capabilities).completion_chat === false ||
    entry.supports_chat === false ||
    (typeof entry.type === 'string' && kinds.includes(entry.type))
  );
}
