import { fromWire } from '../errors.ts';
import { classify, isHtml } from './classify.ts';
import { type ClientOptions, createClient } from './client.ts';
import { describeFailure, type Failure, ModelFailure } from './failure.ts';
import { isRecord, parseJson } from './json.ts';

const TIMEOUT_MS = 15_000;

/**
 * The ids of the models that a server offers, in its order (GET {baseUrl}/models).
 * @throws AppError with the codes and sentences of `failure.ts`
 */
export async function listModels(options: ClientOptions & { timeoutMs?: number }): Promise<string[]> {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await createClient(options).get('/models', { signal }).asResponse();
    return readModelIds(await response.text());
  } catch (error) {
    const failure: Failure = signal.aborted ? { type: 'timeout', ms: timeoutMs } : classify(error);
    throw fromWire(describeFailure(failure, options));
  }
}

/** `{data: [{id}]}`, or the bare list that some servers send. */
function readModelIds(text: string): string[] {
  const body = parseJson(text);
  const list = isRecord(body) ? body.data : body;
  if (!Array.isArray(list)) {
    throw new ModelFailure({ type: 'not_a_model', detail: isHtml(text) ? 'an HTML page' : text });
  }
  const ids = list.map((entry: unknown) => (isRecord(entry) ? entry.id : undefined));
  return [...new Set(ids.filter((id) => typeof id === 'string'))];
}
