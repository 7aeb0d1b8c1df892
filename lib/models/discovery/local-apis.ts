import type { FoundModel, PresetId, Traits } from '../../types/model.ts';
import { withoutSlashes } from '../../origins.ts';
import { tokens, traitsOf, words } from './found-traits.ts';
import { isRecord, parseJson, recordOf } from '../../json.ts';
import { stated } from './traits.ts';
import { bounded } from '../bounded.ts';

/** What a local server's own API knows more of its models. `root` is the address without `/v1`. */
type LocalApi = (root: string, models: FoundModel[], ask: AskOptions) => Promise<FoundModel[]>;

const APIS: Partial<Record<PresetId, LocalApi>> = { ollama, lmstudio, llamacpp };

/** The models with what the server's own API tells of them; unchanged where it has none, or does not answer. */
export async function askLocalApi(
  preset: PresetId,
  baseUrl: string,
  models: FoundModel[],
  ask: AskOptions,
): Promise<FoundModel[]> {
  const api = APIS[preset];
  return api ? api(withoutSlashes(baseUrl).replace(/\/v1$/, ''), models, ask) : models;
}

/** Both load a model with this many unless they are told otherwise, however much it could read. */
const LOADED_WINDOW = 4_096;
/** A server of one's own has few; more than this are not asked about one by one. */
const MAX_SHOWN = 100;
const AT_ONCE = 4;

/** https://docs.ollama.com/api: what a model can do, and how much of a text it is really given. */
async function ollama(root: string, models: FoundModel[], ask: AskOptions): Promise<FoundModel[]> {
  const running = recordOf(await askJson(`${root}/api/ps`, ask)).models;
  const loaded = new Map(
    (Array.isArray(running) ? running.filter(isRecord) : []).map((each) => [each.model, each.context_length]),
  );
  const found: FoundModel[] = [];
  const asked = models.slice(0, MAX_SHOWN);
  for (let at = 0; at < asked.length; at += AT_ONCE)
    found.push(...(await Promise.all(asked.slice(at, at + AT_ONCE).map(show))).flat());
  return [...found, ...models.slice(MAX_SHOWN)];

  /** Empty for one that is no chat model. */
  async function show({ id, traits }: FoundModel): Promise<FoundModel[]> {
    const shown = await askJson(`${root}/api/show`, { ...ask, body: { model: id } });
    if (!isRecord(shown)) return [{ id, traits }];
    const can = words(shown.capabilities);
    if (can && !can.includes('completion')) return [];
    return [{ id, traits: { ...traits, ...ollamaTraits(shown, loaded.get(id)) } }];
  }
}

function ollamaTraits(shown: Record<string, unknown>, loaded: unknown): Traits {
  const can = words(shown.capabilities);
  const lengths = Object.entries(recordOf(shown.model_info)).filter(([name]) =>
    name.endsWith('.context_length'),
  );
  const most = tokens(...lengths.map(([, value]) => value));
  const set =
    typeof shown.parameters === 'string' ? /^num_ctx\s+(\d+)/m.exec(shown.parameters)?.[1] : undefined;
  // Models that run in Ollama's cloud are given all they can read.
  const remote = typeof shown.remote_host === 'string' && shown.remote_host !== '';
  const given = tokens(loaded, Number(set)) ?? (remote ? most : LOADED_WINDOW);
  return stated({
    tools: can?.includes('tools'),
    vision: can?.includes('vision'),
    reasoning: can?.includes('thinking'),
    ...windowOf(given, most),
  });
}

/** https://lmstudio.ai/docs/developer/rest/endpoints */
async function lmstudio(root: string, models: FoundModel[], ask: AskOptions): Promise<FoundModel[]> {
  const { data } = recordOf(await askJson(`${root}/api/v0/models`, ask));
  const entries = new Map(
    (Array.isArray(data) ? data.filter(isRecord) : []).map((entry) => [entry.id, entry]),
  );
  return models.flatMap(({ id, traits }): FoundModel[] => {
    const entry = entries.get(id);
    if (entry === undefined) return [{ id, traits }];
    if (entry.type === 'embeddings') return [];
    const told = traitsOf(entry);
    const given = tokens(entry.loaded_context_length) ?? LOADED_WINDOW;
    const vision = typeof entry.type === 'string' ? { vision: entry.type === 'vlm' } : {};
    const window = windowOf(given, told.contextWindow);
    return [{ id, traits: { ...traits, ...told, ...vision, ...window } }];
  });
}

/** https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md, GET /props. It speaks of the one model loaded. */
async function llamacpp(root: string, models: FoundModel[], ask: AskOptions): Promise<FoundModel[]> {
  if (models.length !== 1) return models;
  const props = await askJson(`${root}/props`, ask);
  if (!isRecord(props)) return models;
  const { vision } = recordOf(props.modalities);
  const template = props.chat_template_tool_use ?? props.chat_template;
  const traits = stated({
    vision: typeof vision === 'boolean' ? vision : undefined,
    tools: typeof template === 'string' && template !== '' ? /\btools\b/.test(template) : undefined,
    contextWindow: tokens(recordOf(props.default_generation_settings).n_ctx, props.n_ctx),
  });
  return models.map((model) => ({ id: model.id, traits: { ...model.traits, ...traits } }));
}

/** @param given how much the server gives the model to read. @param most how much it could read, if that is told */
function windowOf(given: number | undefined, most: number | undefined): Traits {
  if (given === undefined || most === undefined) return stated({ contextWindow: given ?? most });
  return { contextWindow: Math.min(given, most), ...(given < most && { largestContext: most }) };
}

type AskOptions = {
  headers: Record<string, string>;
  fetch: typeof fetch;
  timeoutMs: number;
  /** Makes it a POST. */
  body?: unknown;
};

/** The JSON that an address answers with; undefined when it does not, for whatever reason: the answer is optional. */
export async function askJson(url: string, options: AskOptions): Promise<unknown> {
  const { headers, fetch, timeoutMs, body } = options;
  try {
    const response = await fetch(url, {
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
      credentials: 'omit',
    });
    return response.ok ? parseJson(await bounded(response).text()) : undefined;
  } catch {
    return undefined;
  }
}
