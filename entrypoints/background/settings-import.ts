import { AppError } from '../../lib/errors.ts';
import { offeredName } from '../../lib/mcp/names.ts';
import { keysOf } from '../../lib/config-file/export.ts';
import type { Commands } from '../../lib/protocol/commands.ts';
import type { ServerInput } from '../../lib/protocol/servers.ts';
import { putAssistant } from '../../lib/storage/configuration/assistants.ts';
import type { Database } from '../../lib/storage/database.ts';
import {
  anything,
  badImport,
  fields,
  list,
  nullable,
  number,
  oneOf,
  record,
  type Shape,
  type Shaped,
  text,
  truth,
} from '../../lib/storage/import-export/shapes.ts';
import { changeModel } from '../../lib/storage/configuration/models.ts';
import { ensureNewChatProvider } from '../../lib/storage/configuration/new-chat.ts';
import { putPrompt } from '../../lib/storage/configuration/prompts.ts';
import { putProvider } from '../../lib/storage/configuration/providers.ts';
import { putServer, setServerLogLevel } from '../../lib/storage/configuration/servers.ts';
import { isSameName } from '../../lib/types/names.ts';
import { saveSettings } from '../../lib/storage/configuration/settings.ts';
import { setTool } from '../../lib/storage/configuration/tools.ts';
import type { Settings } from '../../lib/types/setup.ts';
import { OWN_TOOLS } from '../../lib/types/tool.ts';
import { LOG_LEVELS } from '../../lib/types/wire-log.ts';
import { requireUnseen } from './config-files.ts';
import { requireChoice, requirePreset, requireTraits } from './chat-input.ts';
import { requireHttpUrl, requireText } from './input.ts';
import { requirePrompt } from './prompts.ts';
import { t } from '../../locales/texts/errors.ts';

const name = text({ least: 1 });

/** A shape from a check of what pages send, whose words it keeps. */
function checked<T>(check: (value: unknown) => T): Shape<T> {
  return (value, where) => {
    try {
      return check(value);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw badImport(t(($) => $.errors.import.at, { where, why: error.message }));
    }
  };
}

const toolShape = fields({ name, enabled: truth }, { permission: oneOf('ask', 'allow', 'block') });
const serverShape = fields(
  {
    name,
    toolTimeout: number({ least: 1, most: 2 ** 31 - 1, isWhole: true }),
    oneAtATime: truth,
    tools: list(toolShape),
  },
  { withoutInstructions: truth, keepRunning: truth, logLevel: oneOf(...LOG_LEVELS) },
);
const providerShape = fields(
  {
    name,
    preset: checked(requirePreset),
    baseUrl: checked((value) =>
      requireHttpUrl(
        value,
        t(($) => $.errors.input.fields.baseUrl),
      ).replace(/\/+$/, ''),
    ),
    model: checked((value) =>
      requireText(
        value,
        t(($) => $.errors.input.fields.model),
      ),
    ),
  },
  { models: list(fields({ id: name, chosen: checked(requireTraits) }, { shown: truth })) },
);
const assistantShape = fields({
  name,
  provider: nullable(name),
  model: nullable(name),
  settings: checked((value) => requireChoice({ settings: Object(value) as object }).settings ?? {}),
});
const fileShape = fields(
  { portside: oneOf(1) },
  {
    mcpServers: record,
    inputs: anything,
    ownTools: list(toolShape),
    serverSettings: list(serverShape),
    providers: list(providerShape),
    assistants: list(assistantShape),
    prompts: list(checked(requirePrompt)),
    settings: record,
  },
);
type File = Shaped<typeof fileShape>;

type Found = Parameters<Commands['importSettings']>[0]['servers'][number];
const foundShape = fields({ key: text(), input: record });

/**
 * Adds what a file of settings holds, if all of it is as it should be. What is there under the same name stays as it is,
 * and so does every setting that was chosen.
 * @throws AppError `bad_import`
 */
export async function importSettings(
  db: Database,
  file: string,
  found: Found[],
): Promise<{ servers: number; providers: number; prompts: number }> {
  const read = fileShape(
    parsed(file),
    t(($) => $.errors.import.theFile),
  );
  const inputs = serversIn(found); // before anything is written
  const servers = await addServers(db, inputs, read.serverSettings ?? []);
  await chooseOwn(db, read.ownTools ?? []);
  const providers = await addProviders(db, read);
  const prompts = await addPrompts(db, read.prompts ?? []);
  await addSettings(db, read.settings ?? {});
  return { servers, providers, prompts };
}

function parsed(file: unknown): unknown {
  try {
    return JSON.parse(String(file));
  } catch (error) {
    throw badImport(t(($) => $.errors.import.notJson, { why: String(error) }));
  }
}

function serversIn(found: Found[]): Found[] {
  return list(foundShape)(found, 'mcpServers').map(({ key, input }) => ({
    key,
    input: checked(() => requireUnseen(input as ServerInput))(
      null,
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
  servers: Found[],
  settings: Shaped<typeof serverShape>[],
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

type Chosen = Pick<Shaped<typeof toolShape>, 'enabled' | 'permission'>;

const isHeld = ({ enabled, permission = 'allow' }: Chosen): boolean => !enabled || permission !== 'allow';

const heldBack = ({ enabled, permission }: Chosen) => ({
  enabled,
  ...(permission && permission !== 'allow' && { permission }),
});

/** The same for Portside's own tools, where nothing was chosen for them here. */
async function chooseOwn(db: Database, tools: Shaped<typeof toolShape>[]): Promise<void> {
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
    const id = await putProvider(db, provider);
    idOf.set(provider.name.toLowerCase(), id);
    count += 1;
    for (const { id: modelId, ...said } of models)
      await changeModel(db, id, modelId, (row) => ({ ...row, ...said, present: false }));
  }
  await ensureNewChatProvider(db);
  const known = (await db.getAll('assistants')).map((assistant) => assistant.name);
  for (const { provider, ...assistant } of assistants) {
    if (known.some((each) => isSameName(each, assistant.name))) continue;
    await putAssistant(db, { ...assistant, providerId: idOf.get(provider?.toLowerCase() ?? '') ?? null });
  }
  return count;
}

async function addPrompts(db: Database, prompts: { name: string; text: string }[]): Promise<number> {
  let count = 0;
  for (const prompt of prompts) if ((await putPrompt(db, prompt)) !== undefined) count += 1;
  return count;
}

/**
 * Those that nobody has chosen yet; what is none of them, or no value of theirs, is left out when they are saved. Of what
 * tools may do only what holds them back is taken over, and the browser has to be asked before it may notify.
 */
async function addSettings(db: Database, settings: Record<string, unknown>): Promise<void> {
  const chosen = new Set(await db.getAllKeys('settings'));
  const { notify: _notify, tierPermissions, ...others } = settings;
  const held = Object.entries(Object(tierPermissions) as object).filter(([, value]) => value !== 'allow');
  const all = { ...others, ...(held.length > 0 && { tierPermissions: Object.fromEntries(held) }) };
  const fresh = Object.entries(all).filter(([key]) => !chosen.has(key));
  await saveSettings(db, Object.fromEntries(fresh) as Partial<Settings>);
}
