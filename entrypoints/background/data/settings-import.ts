import * as z from 'zod/mini';
import { withoutInvisible } from '../../../lib/invisible.ts';
import { offeredName } from '../../../lib/mcp/names.ts';
import { keysOf } from '../../../lib/config-file/export.ts';
import type { Reply, Request } from '../../../lib/protocol/commands.ts';
import type { ServerInput } from '../../../lib/protocol/servers.ts';
import { requireImporter, refused, rules } from '../../../lib/fleet/rules.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import {
  badImport,
  checked,
  fields,
  readShape,
  record,
  text,
  whole,
} from '../../../lib/storage/import-export/shapes.ts';
import { changeModel } from '../../../lib/storage/configuration/models.ts';
import { ensureNewChatProvider } from '../../../lib/storage/configuration/new-chat.ts';
import { addNotes } from '../../../lib/storage/configuration/notes.ts';
import { putPrompt } from '../../../lib/storage/configuration/prompts.ts';
import { putProvider } from '../../../lib/storage/configuration/providers.ts';
import { putServer, setServerLogLevel } from '../../../lib/storage/configuration/servers.ts';
import type { Assistant } from '../../../lib/types/conversation.ts';
import { inOneLine, isSameName } from '../../../lib/types/names.ts';
import { saveSettings } from '../../../lib/storage/configuration/settings.ts';
import { setTool } from '../../../lib/storage/configuration/tools.ts';
import { nearnessOf } from '../../../lib/origins.ts';
import { presets } from '../../../lib/provider-presets.ts';
import { LONGEST_SITES, LONGEST_SYSTEM, type Settings } from '../../../lib/types/settings.ts';
import type { SavedPrompt } from '../../../lib/types/prompt.ts';
import type { Provider } from '../../../lib/types/provider.ts';
import { OWN_TOOLS } from '../../../lib/types/tools/tool-source.ts';
import { LOG_LEVELS } from '../../../lib/types/wire-log.ts';
import { asShown, textsToShow } from './file-texts.ts';
import { requireUnseen } from '../servers/config-files.ts';
import { MODEL_APIS } from '../../../lib/types/model.ts';
import { requireChoice, requirePreset, requireTraits } from '../chat/chat-input.ts';
import { requireName } from '../input.ts';
import { requireNote } from '../chat/notes.ts';
import { requirePrompt } from '../chat/prompts.ts';
import { requireBaseUrl } from '../models/providers.ts';
import { t } from '../../../locales/texts/errors.ts';

/** Characters: each page is told at once of nearly all that comes from it. */
const LONGEST_FILE = 10_000_000;
/** Characters of a provider's name before its host, which the panel has to show on a line. */
const LONGEST_BESIDE_HOST = 24;

/** Characters of what stands on one line: Chromium takes the square of them to lay it out, where directions mix. */
const LONGEST_LINE = 2_000;

const name = text(LONGEST_LINE, 1);
const line = (value: unknown): string => requireName(value, LONGEST_LINE);
const toolShape = fields(
  { name, enabled: z.boolean() },
  { permission: z.literal(['ask', 'allow', 'block']) },
);
const serverShape = fields(
  {
    name,
    toolTimeout: whole(1, 2 ** 31 - 1),
    oneAtATime: z.boolean(),
    tools: z.array(toolShape),
  },
  {
    withoutInstructions: z.boolean(),
    withoutApps: z.boolean(),
    keepRunning: z.boolean(),
    logLevel: z.literal(LOG_LEVELS),
  },
);
const providerShape = fields(
  {
    name,
    preset: checked(requirePreset),
    baseUrl: checked((value) => requireBaseUrl(line(value))),
    model: checked(line),
  },
  {
    api: z.literal(MODEL_APIS),
    models: z.array(fields({ id: name, chosen: checked(requireTraits) }, { shown: z.boolean() })),
  },
);
const assistantShape = fields({
  name,
  provider: z.nullable(name),
  model: z.nullable(name),
  settings: checked((value) => requireChoice({ settings: Object(value) as object }).settings ?? {}),
});
const fileShape = fields(
  { portside: z.literal(1) },
  {
    mcpServers: record,
    inputs: z.unknown(),
    ownTools: z.array(toolShape),
    serverSettings: z.array(serverShape),
    providers: z.array(providerShape),
    assistants: z.array(assistantShape),
    prompts: z.array(checked(requirePrompt)),
    notes: z.array(checked(requireNote)),
    // What is too long is refused whole: a list of blocked sites that was cut would block fewer.
    settings: z.looseObject({
      system: z.optional(text(LONGEST_SYSTEM)),
      blockedSites: z.optional(text(LONGEST_SITES)),
    }),
  },
);
type File = z.output<typeof fileShape>;

type FoundServer = Request<'importSettings'>['servers'][number];
const foundShape = fields({ key: z.string(), input: record });

/**
 * Adds what a file of settings holds, if all of it is as it should be. What is there under the same name stays as it is,
 * and so does every setting that was chosen. What would be sent for the user has to be `shown` before.
 * @throws AppError `bad_import`
 */
export async function importSettings(
  db: Database,
  { text: written, servers: found, shown = [] }: Request<'importSettings'>,
): Promise<Reply<'importSettings'>> {
  requireImporter('Settings');
  const file = readFile(parseFile(written));
  const inputs = serversIn(found); // before anything is written
  if (inputs.length > 0 && !rules().ownServers) throw refused('own');
  if (file.providers?.length && !rules().ownProviders) throw refused('own');
  const texts = await textsToShow(db, file);
  if (JSON.stringify(texts) !== JSON.stringify(shown)) return { type: 'to_show', texts };
  const read = readFile(asShown(file)); // a text may be longer by now
  const servers = await addServers(db, inputs, read.serverSettings ?? []);
  await chooseOwn(db, read.ownTools ?? []);
  const providers = await addProviders(db, read);
  const prompts = await addPrompts(db, read.prompts ?? []);
  await addNotes(db, read.notes ?? []);
  await addSettings(db, read.settings ?? {});
  return { type: 'added', servers, providers, prompts };
}

const readFile = (file: unknown): File =>
  readShape(
    fileShape,
    file,
    t(($) => $.errors.import.theFile),
  );

function parseFile(file: unknown): unknown {
  readShape(
    text(LONGEST_FILE),
    file,
    t(($) => $.errors.import.theFile),
  );
  try {
    return JSON.parse(String(file));
  } catch (error) {
    throw badImport(t(($) => $.errors.import.notJson, { why: String(error) }));
  }
}

function serversIn(found: FoundServer[]): FoundServer[] {
  return readShape(z.array(foundShape), found, 'mcpServers').map(({ key, input }) => ({
    key,
    input: readShape(
      checked((given) => requireUnseen(given as ServerInput)),
      input,
      t(($) => $.errors.import.theServer, { name: key }),
    ),
  }));
}

/**
 * Every one switched off and trusted with nothing. Of what was chosen for a tool only what holds it back is taken over:
 * an Allow is given to a definition, and that is not in the file.
 */
async function addServers(
  db: Database,
  servers: FoundServer[],
  settings: z.output<typeof serverShape>[],
): Promise<number> {
  const known = keysOf(await db.getAll('servers'));
  const added = servers.filter(
    ({ key, input }) => !known.some((each) => isSameName(each, key) || isSameName(each, input.name)),
  );
  for (const { key, input } of added) {
    const { tools = [], logLevel, ...own } = settings.find((each) => each.name === key) ?? {};
    const serverId = await putServer(db, { ...input, ...own, name: input.name });
    if (logLevel) await setServerLogLevel(db, serverId, logLevel);
    for (const { name: toolName, ...chosen } of tools.filter(isHeld)) {
      await db.put('tools', {
        serverId,
        name: toolName,
        offeredName: offeredName(serverId, toolName),
        description: '',
        inputSchema: {},
        annotations: {},
        ...heldBack(chosen),
        present: false,
      });
    }
  }
  return added.length;
}

type Chosen = Pick<z.output<typeof toolShape>, 'enabled' | 'permission'>;

const isHeld = ({ enabled, permission = 'allow' }: Chosen): boolean => !enabled || permission !== 'allow';

const heldBack = ({ enabled, permission }: Chosen) => ({
  enabled,
  ...(permission && permission !== 'allow' && { permission }),
});

/** The same for Portside's own tools, where nothing was chosen for them here. */
async function chooseOwn(db: Database, tools: z.output<typeof toolShape>[]): Promise<void> {
  for (const { name: toolName, ...chosen } of tools.filter(isHeld)) {
    const known = await db.get('tools', [OWN_TOOLS, toolName]);
    if (known && known.enabled && !known.permission) await setTool(db, OWN_TOOLS, toolName, heldBack(chosen));
  }
}

async function addProviders(db: Database, { providers = [], assistants = [] }: File): Promise<number> {
  const idOf = new Map(
    (await db.getAll('providers')).map(({ id, name: known }) => [known.toLowerCase(), id]),
  );
  let count = 0;
  for (const { models = [], ...provider } of providers) {
    if (idOf.has(provider.name.toLowerCase())) continue;
    const named = byAddress(provider);
    const known = idOf.get(named.name.toLowerCase());
    const id = known ?? (await putProvider(db, named));
    idOf.set(provider.name.toLowerCase(), id);
    if (known !== undefined) continue;
    count += 1;
    for (const { id: modelId, ...said } of models)
      await changeModel(db, id, modelId, (row) => ({ ...row, ...said, present: false }));
  }
  await ensureNewChatProvider(db);
  const known = (await db.getAll('assistants')).map((assistant) => assistant.name);
  for (const { provider, settings, ...assistant } of assistants) {
    const { memory: _where, ...others } = settings;
    if (known.some((each) => isSameName(each, assistant.name))) continue;
    const providerId = idOf.get(provider?.toLowerCase() ?? '') ?? null;
    await db.put('assistants', { ...assistant, settings: others, providerId } as Assistant);
  }
  return count;
}

/**
 * A provider at another address than its preset's, or than the known provider's of its name, gets its host into its name:
 * chats go there, and a key is given to it. Its own name says nothing of where it is.
 */
function byAddress<T extends Pick<Provider, 'name' | 'preset' | 'baseUrl'>>(provider: T): T {
  const { name: wanted, preset, baseUrl } = provider;
  const { host, hostname } = new URL(baseUrl);
  const meant = presets.find(
    ({ id, name: its }) => id !== 'custom' && (id === preset || isSameName(its, wanted)),
  );
  if (meant && isAt(meant.baseUrl, baseUrl)) return provider;
  // Such a server may run on another computer of the network; what is no server may not.
  const mayBeNear = !meant || (meant.local && !new URL(meant.baseUrl).hostname.endsWith('.localhost'));
  if (mayBeNear && nearnessOf(hostname) !== 'public') return provider;
  const own = inOneLine(withoutInvisible(wanted).text.replace(`(${host})`, ''));
  return { ...provider, preset: 'custom', name: `${own.slice(0, LONGEST_BESIDE_HOST)} (${host})`.trim() };
}

/** What stands in braces is the user's. */
function isAt(known: string, baseUrl: string): boolean {
  const { protocol, host } = new URL(baseUrl);
  const [, before = '', end = ''] = /^([^/]*\/\/)(?:\{.*\})?([^/]*)/.exec(known) ?? [];
  return before === `${protocol}//` && (known.includes('{') ? host.endsWith(end) : host === end);
}

async function addPrompts(db: Database, prompts: Omit<SavedPrompt, 'id'>[]): Promise<number> {
  let count = 0;
  for (const prompt of prompts) if ((await putPrompt(db, prompt)) !== undefined) count += 1;
  return count;
}

/**
 * Those that were not chosen here yet; unknown ones and wrong values are left out when they are saved. Of what tools may do
 * only what holds them back is taken over. Left out too: that Portside may notify, which the browser has to be asked; and
 * what the user would not notice (where servers are looked for, secrets that stay open for long, that notes are sent).
 */
async function addSettings(db: Database, settings: Record<string, unknown>): Promise<void> {
  const chosen = new Set(await db.getAllKeys('settings'));
  const {
    notify: _notify,
    memory: _memory,
    registryUrl: _where,
    lockAfter,
    tierPermissions,
    ...others
  } = settings;
  const held = Object.entries(Object(tierPermissions) as object).filter(([, value]) => value !== 'allow');
  const isShort = lockAfter === '15min' || lockAfter === '1h';
  const all = {
    ...others,
    ...(isShort && { lockAfter }),
    ...(held.length > 0 && { tierPermissions: Object.fromEntries(held) }),
  };
  const fresh = Object.entries(all).filter(([key]) => !chosen.has(key) && !(key in rules().settings));
  await saveSettings(db, Object.fromEntries(fresh) as Partial<Settings>);
}
