import { exportConfig, keysOf } from '../../../lib/config-file/export.ts';
import { openInAddress } from '../../../lib/config-file/blank-secrets.ts';
import type { Reply, Request } from '../../../lib/protocol/commands.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { loadSettings } from '../../../lib/storage/configuration/settings.ts';
import type { ModelRow } from '../../../lib/types/model.ts';
import type { Assistant } from '../../../lib/types/conversation.ts';
import type { Server } from '../../../lib/types/server.ts';
import type { Tool } from '../../../lib/types/tools/server-tool.ts';
import { OWN_TOOLS } from '../../../lib/types/tools/tool-source.ts';
import type { Provider } from '../../../lib/types/provider.ts';
import { importSettings } from './settings-import.ts';

/**
 * What the user set up, to a file and back: servers as in an `mcp.json`, the rest beside them. No key, no header, no
 * environment and no token is in it.
 */
export function createSettingsFile(
  db: Database,
  { changed, now }: { changed: () => Promise<void>; now: () => number },
) {
  /** @throws AppError `bad_import`; nothing is added then */
  async function importAll(request: Request<'importSettings'>): Promise<Reply<'importSettings'>> {
    const outcome = await importSettings(db, request);
    if (outcome.type === 'added') await changed();
    return outcome;
  }

  return { exportAll: () => settingsFile(db, now()), importAll };
}

/** What the user set up, as a file's text. @param now milliseconds */
export async function settingsFile(db: Database, now: number): Promise<Reply<'exportSettings'>> {
  const [servers, tools, providers, models, assistants, prompts, notes, settings] = await Promise.all([
    db.getAll('servers'),
    db.getAll('tools'),
    db.getAll('providers'),
    db.getAll('models'),
    db.getAll('assistants'),
    db.getAll('prompts'),
    db.getAll('notes'),
    loadSettings(db),
  ]);
  const keys = keysOf(servers);
  const file = {
    portside: 1,
    exportedAt: new Date(now).toISOString(),
    ...(JSON.parse(exportConfig(servers)) as object),
    ownTools: chosenOf(OWN_TOOLS, tools),
    serverSettings: servers.map((server, index) => ({ name: keys[index], ...serverOf(server, tools) })),
    providers: providers.map((provider) => providerOf(provider, models)),
    assistants: assistants.map((assistant) => assistantOf(assistant, providers)),
    prompts: prompts.map(({ id: _id, ...prompt }) => prompt),
    notes: notes.flatMap(({ id: _id, project, ...note }) => (project === undefined ? [note] : [])),
    settings,
  };
  return { text: `${JSON.stringify(file, null, 2)}\n` };
}

/** What an `mcp.json` does not say of a server: how it is called, and what the user chose for its tools. */
function serverOf(server: Server, tools: Tool[]) {
  const { id, toolTimeout, oneAtATime, withoutInstructions, withoutApps, logLevel } = server;
  return {
    toolTimeout,
    oneAtATime,
    ...(withoutInstructions && { withoutInstructions }),
    ...(withoutApps && { withoutApps }),
    ...(logLevel && { logLevel }),
    ...(server.transport === 'stdio' && server.keepRunning && { keepRunning: true }),
    tools: chosenOf(id, tools),
  };
}

const chosenOf = (id: number, tools: Tool[]) =>
  tools
    .filter(({ serverId, enabled, permission }) => serverId === id && (!enabled || permission))
    .map(({ name, enabled, permission }) => ({ name, enabled, ...(permission && { permission }) }));

function providerOf({ id, name, preset, baseUrl, api, model }: Provider, models: ModelRow[]) {
  const chosen = models.filter(
    (row) => row.providerId === id && (row.shown !== undefined || Object.keys(row.chosen).length > 0),
  );
  return {
    name,
    preset,
    baseUrl: openInAddress(baseUrl, () => ''),
    ...(api && { api }),
    model,
    models: chosen.map((row) => ({
      id: row.id,
      chosen: row.chosen,
      ...(row.shown !== undefined && { shown: row.shown }),
    })),
  };
}

/** Its choice of tools is left out: they are other servers' where the file is read. */
function assistantOf({ name, providerId, model, settings }: Assistant, providers: Provider[]) {
  return { name, provider: providers.find(({ id }) => id === providerId)?.name ?? null, model, settings };
}
