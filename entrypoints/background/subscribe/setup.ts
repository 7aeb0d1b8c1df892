import { fleetSummary, isToolForbidden } from '../../../lib/fleet/rules.ts';
import type { Setup, ToolSummary } from '../../../lib/protocol/setup.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { hasDamaged } from '../../../lib/storage/configuration/cache.ts';
import { loadNewChat } from '../../../lib/storage/configuration/new-chat.ts';
import { loadSettings } from '../../../lib/storage/configuration/settings.ts';
import { secretLock } from '../../../lib/storage/secrets/passphrase.ts';
import { isChosen } from '../../../lib/storage/configuration/tools.ts';
import type { Project, ProjectSummary } from '../../../lib/types/project.ts';
import { BROWSER_SYNC, type BrowserSync, type Sync } from '../../../lib/types/sync.ts';
import type { SavedPrompt } from '../../../lib/types/prompt.ts';
import type { ServerStatus, Server } from '../../../lib/types/server.ts';
import { OWN_TOOLS } from '../../../lib/types/tools/tool-source.ts';
import { modelSummary } from '../models/models.ts';
import { tokensOfTool } from '../../../lib/agent/context/tokens.ts';
import { tokensOf } from '../../../lib/types/tokens.ts';
import { showsWritten } from '../apps/shown-call.ts';
import { skillLine } from '../../../lib/tools/use-skill.ts';
import { permissionFor } from '../../../lib/trust/tool-permission.ts';
import type { Tool } from '../../../lib/types/tools/server-tool.ts';
import type { TierPermissions } from '../../../lib/types/tools/tier.ts';

/** What the user set up, as pages get it: no secrets, no schemas, and what is in force. */
export async function readSetup(db: Database, status: (serverId: number) => ServerStatus): Promise<Setup> {
  const [
    servers,
    tools,
    providers,
    models,
    assistants,
    prompts,
    notes,
    projects,
    schedules,
    newChat,
    settings,
    lock,
    sync,
    browserSync,
  ] = await Promise.all([
    db.getAll('servers'),
    db.getAll('tools'),
    db.getAll('providers'),
    db.getAll('models'),
    db.getAll('assistants'),
    db.getAll('prompts'),
    db.getAll('notes'),
    db.getAll('projects'),
    db.getAll('schedules'),
    loadNewChat(db),
    loadSettings(db),
    secretLock(db),
    db.get('settings', 'sync') as Promise<Sync | undefined>,
    db.get('settings', BROWSER_SYNC) as Promise<BrowserSync | undefined>,
  ]);
  const fleet = fleetSummary();
  const presets = new Map(providers.map(({ id, preset }) => [id, preset]));
  const byId = new Map(servers.map((server) => [server.id, server]));
  return {
    servers,
    statuses: Object.fromEntries(servers.map(({ id }) => [id, status(id)])),
    // Of one that is gone only a choice is shown, not what is kept to compare.
    tools: tools
      .filter((tool) => tool.present || isChosen(tool))
      .map((tool) =>
        summaryOf(
          tool,
          byId.get(tool.serverId) ?? { trusted: tool.serverId === OWN_TOOLS },
          settings.tierPermissions,
        ),
      ),
    providers,
    models: models.map((row) => modelSummary(row, presets.get(row.providerId) ?? 'custom')),
    assistants,
    prompts: prompts.map(withoutFiles),
    notes,
    projects: projects.map(withoutTexts),
    schedules,
    newChat,
    settings,
    ...(hasDamaged(db) && { damaged: true }),
    ...(fleet && { fleet }),
    ...(lock && { lock }),
    ...(sync && { sync }),
    ...(browserSync && { browserSync: { left: browserSync.left } }),
  };
}

const withoutTexts = ({ files, ...project }: Project): ProjectSummary => ({
  ...project,
  files: files.map(({ text, ...file }) => ({ ...file, length: text.length })),
});

/** A skill with the paths of its files alone: all of them may be more than every page has to hold. */
const withoutFiles = ({ skill, ...prompt }: SavedPrompt): SavedPrompt => ({
  ...prompt,
  ...(skill && { skill: { ...skill, files: skill.files.map(({ path }) => ({ path, text: '' })) } }),
});

/** Characters. With them fifty servers of five hundred tools fit into one message to a page. */
const MOST = 300;

const cut = (text: string): string => (text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text);

/** A tool as every page gets it, with the permission in force. */
function summaryOf(
  tool: Tool,
  server: Pick<Server, 'trusted' | 'managed' | 'withoutApps'>,
  tiers: TierPermissions,
): ToolSummary {
  const { serverId, name, offeredName, description, inputSchema, skill, problem, enabled, present, review } =
    tool;
  const { title: hinted, ...hints } = tool.annotations;
  const title = tool.title ?? hinted;
  return {
    serverId,
    name,
    offeredName,
    ...(title !== undefined && { title }),
    description: cut(description),
    annotations: hints,
    ...(skill && { isSkill: true as const }),
    ...(problem !== undefined && { problem: cut(problem) }),
    enabled,
    present,
    ...(isToolForbidden(tool, server)
      ? { permission: 'block' as const, isForbidden: true as const }
      : { permission: permissionFor(tool, server, tiers) }),
    ...(showsWritten(tool, server, tiers) && { showsWritten: true as const }),
    ...(review && { review: review.before ? ('changed' as const) : ('new' as const) }),
    tokens: skill
      ? tokensOf(skillLine({ name: offeredName, serverId, serverName: '', description }))
      : tokensOfTool({ name: offeredName, description, inputSchema }),
  };
}
