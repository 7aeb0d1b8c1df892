import * as z from 'zod/mini';
import { presets } from '../provider-presets.ts';
import { readSetting, settingNames } from '../storage/configuration/settings.ts';
import { fields } from '../storage/import-export/shapes.ts';
import { MODEL_APIS } from '../types/model.ts';
import type { Rules } from '../types/fleet.ts';
import type { Settings } from '../types/settings.ts';
import { closed, FREE } from './rules.ts';

const text = z.string();
const flag = z.boolean();
const names = z.array(text);
const limits = fields({}, { allowed: names, forbidden: names });

/** An entry of an `mcp.json`, and whether the organisation trusts the server. */
const server = fields(
  {},
  {
    type: z.literal(['http', 'streamable-http', 'sse', 'stdio']),
    url: text,
    oauth: fields({ clientId: text }),
    command: text,
    args: names,
    cwd: text,
    trusted: flag,
  },
);
const provider = fields(
  {
    name: text,
    preset: z.literal(presets.map(({ id }) => id)),
    baseUrl: text,
    model: text,
  },
  { api: z.literal(MODEL_APIS), apiKey: text },
);
const prompt = fields({ name: text, text });

const shapes = { number: z.number(), boolean: flag, string: text, object: z.record(text, text) };

/** A value that the setting takes as it is. */
function lockable<K extends keyof Settings>(key: K) {
  const shape: z.ZodMiniType = shapes[typeof readSetting(key, undefined) as keyof typeof shapes];
  const isTaken = (value: unknown): boolean => {
    const taken = readSetting(key, value);
    return Object(taken) === taken
      ? Object.entries(taken).every(([part, each]) => Object(value)[part] === each)
      : taken === value;
  };
  return shape.check(z.refine(isTaken));
}

/** The browser has to ask the user before it may notify; the others are not of one choice. */
const FREE_SETTINGS: ReadonlySet<keyof Settings> = new Set(['notify', 'starters', 'seenHints']);

const settings = fields(
  {},
  Object.fromEntries(settingNames.flatMap((key) => (FREE_SETTINGS.has(key) ? [] : [[key, lockable(key)]]))),
);

/** A file of the settings, as Portside exports it, and rules beside it. Exported for the test that holds public/managed-schema.json to it. */
export const policyShape = fields(
  {},
  {
    mcpServers: z.record(text, server),
    providers: z.array(provider),
    prompts: z.array(prompt),
    settings,
    ownProviders: flag,
    ownServers: flag,
    sync: flag,
    tools: limits,
    sites: limits,
    importers: limits,
  },
);

type Policy = z.output<typeof policyShape>;
/** What an organisation sets up. */
export type Presets = Required<Pick<Policy, 'mcpServers' | 'providers' | 'prompts'>>;

/**
 * What the browser has from the organisation, as data that only administrators can write; all the same nothing is taken as
 * it came. What can't be read forbids everything, and says why; what it set up before stays.
 */
export function readPolicy(value: object): { rules: Rules; presets?: Presets } {
  const { data: policy, error } = z.safeParse(policyShape, value);
  // Which part of it: its value may be a key.
  if (!policy) return { rules: closed(error.issues[0]?.path.join('.') ?? '') };
  const { mcpServers = {}, providers = [], prompts = [], settings: locked = {}, ...limited } = policy;
  return {
    rules: { ...FREE, ...limited, settings: locked as Partial<Settings> },
    presets: { mcpServers, providers, prompts },
  };
}
