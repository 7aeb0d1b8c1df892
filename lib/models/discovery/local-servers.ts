import type { LocalServer } from '../../types/model.ts';
import { askJson } from './local-apis.ts';
import { findModels } from './discovery.ts';
import { isRecord } from '../../json.ts';

type ProbeTarget = {
  preset: LocalServer['preset'];
  root: string;
  path: string;
  isIt: (body: unknown) => boolean;
};

/** Where each is looked for, and what only it answers: any program may listen on these ports. */
const PROBE_TARGETS: readonly ProbeTarget[] = [
  {
    preset: 'ollama',
    root: 'http://127.0.0.1:11434',
    path: '/api/version',
    isIt: (body) => isRecord(body) && typeof body.version === 'string',
  },
  {
    preset: 'lmstudio',
    root: 'http://127.0.0.1:1234',
    path: '/api/v0/models',
    isIt: (body) => isRecord(body) && Array.isArray(body.data),
  },
  {
    preset: 'llamacpp',
    root: 'http://127.0.0.1:8080',
    path: '/props',
    isIt: (body) => isRecord(body) && isRecord(body.default_generation_settings),
  },
];

export const LOCAL_ROOTS = PROBE_TARGETS.map(({ root }) => root);

/** A port where nothing listens is refused at once; a computer that loads a model is slow to answer. */
const TIMEOUT_MS = 5_000;

export type FindLocalOptions = {
  fetch?: typeof fetch;
  /** Whether the browser lets Portside read what this address answers. */
  readable: (url: string) => Promise<boolean>;
};

/** Looks once, at all places at the same time, for model servers on this computer. */
export function findLocalServers(options: FindLocalOptions): Promise<LocalServer[]> {
  return Promise.all(PROBE_TARGETS.map((place) => probe(place, options)));
}

async function probe(
  place: ProbeTarget,
  { fetch = globalThis.fetch, readable }: FindLocalOptions,
): Promise<LocalServer> {
  const { preset, root } = place;
  const baseUrl = `${root}/v1`;
  if (!(await readable(baseUrl))) {
    return { preset, baseUrl, state: (await answers(root, fetch)) ? 'locked' : 'absent', models: [] };
  }
  const said = await askJson(root + place.path, { fetch, headers: {}, timeoutMs: TIMEOUT_MS });
  if (!place.isIt(said)) return { preset, baseUrl, state: 'absent', models: [] };
  // A server that is there and has trouble with its list is there all the same.
  const models = await findModels({ preset, baseUrl, fetch, timeoutMs: TIMEOUT_MS }).catch(() => []);
  return { preset, baseUrl, state: 'found', models };
}

/** Whether anything answers, without reading it: a request of this mode needs no permission. */
export async function answers(url: string, fetch = globalThis.fetch): Promise<boolean> {
  try {
    await fetch(url, { mode: 'no-cors', credentials: 'omit', signal: AbortSignal.timeout(TIMEOUT_MS) });
    return true;
  } catch {
    return false;
  }
}
