import { startDemoModel } from '../../demo/model.ts';
import { demoModelName } from '../../lib/models/demo/answer-asked.ts';
import { presets } from '../../lib/provider-presets.ts';
import type { ProviderInput } from '../../lib/protocol/setup.ts';
import type { StartOptions } from './args.ts';
import { Failure } from './failure.ts';
import type { Lifetime } from './lifetime.ts';

/** The provider's name says, wherever it is shown, what the demo model is. */
export const demoProviderName = 'Demo model (scripted stand-in)';

const openai = { baseUrl: 'https://api.openai.com/v1', model: 'gpt-4.1-mini' };

/** The provider that the command line and the environment ask for; without either, the demo model, started here. */
export async function provideModel(
  wanted: StartOptions['model'],
  lifetime: Lifetime,
): Promise<ProviderInput> {
  const isReal = wanted.baseUrl !== undefined || wanted.apiKey !== undefined;
  if (wanted.name === 'demo' || !isReal) {
    const demo = await startDemoModel();
    lifetime.add(demo.stop);
    const { baseUrl } = demo;
    return { name: demoProviderName, preset: 'custom', baseUrl, model: demoModelName, apiKey: '' };
  }
  const baseUrl = (wanted.baseUrl ?? openai.baseUrl).replace(/\/+$/, '');
  const model = wanted.name ?? (await defaultModel(baseUrl, wanted.apiKey));
  const preset = presets.find((known) => known.baseUrl === baseUrl)?.id ?? 'custom';
  return { name: new URL(baseUrl).host, preset, baseUrl, model, apiKey: wanted.apiKey ?? '' };
}

/** Without `--model`: OpenAI's small one, elsewhere the first that the provider lists. Which one is said. */
async function defaultModel(baseUrl: string, apiKey: string | undefined): Promise<string> {
  const model = baseUrl === openai.baseUrl ? openai.model : await firstListed(baseUrl, apiKey);
  if (model === undefined) {
    throw new Failure(
      `${new URL(baseUrl).host} does not say which models it has.`,
      'Name one: --model NAME, or PORTSIDE_MODEL.',
    );
  }
  process.stderr.write(`portside: no --model given, using ${model}.\n`);
  return model;
}

async function firstListed(baseUrl: string, apiKey: string | undefined): Promise<string | undefined> {
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  const body: unknown = await fetch(`${baseUrl}/models`, { headers, signal: AbortSignal.timeout(10_000) })
    .then((response) => response.json())
    .catch(() => undefined);
  const list = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined;
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  return typeof first === 'object' && first !== null && 'id' in first && typeof first.id === 'string'
    ? first.id
    : undefined;
}
