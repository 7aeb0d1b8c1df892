import type { ServerSkill } from '../../../lib/protocol/attached.ts';
import type { Request } from '../../../lib/protocol/commands.ts';
import type { ListedTool } from '../../../lib/protocol/tools.ts';
import { loadNewChat } from '../../../lib/storage/configuration/new-chat.ts';
import { overridesOf } from '../../../lib/storage/configuration/projects.ts';
import { type Database, startingWith } from '../../../lib/storage/schema.ts';
import { fingerprint } from '../../../lib/trust/fingerprint.ts';
import type { ToolOverrides } from '../../../lib/types/conversation.ts';
import { OWN_TOOLS } from '../../../lib/types/tools/tool-source.ts';
import type { ServerConnections } from '../servers/server-connections.ts';
import type { connectedTools } from './connected-tools.ts';
import { isSkillAllowed, reviewOf } from './permission/tool-reviews.ts';

type ToolListsDeps = {
  servers: Pick<ServerConnections, 'status'>;
  connected: (overrides: ToolOverrides | undefined) => ReturnType<typeof connectedTools>;
};

/** Tools and skills as pages list them. */
export function createToolLists(db: Database, { servers, connected }: ToolListsDeps) {
  /** In the order of their servers and names. */
  async function list({
    serverId,
    name: toolName,
    all = false,
  }: Request<'listTools'>): Promise<ListedTool[]> {
    const isThere = (id: number): boolean =>
      all || id === OWN_TOOLS || servers.status(id).state === 'connected';
    const tools = await db.getAll('tools', serverId === undefined ? undefined : startingWith(serverId));
    const wanted = tools.filter(
      (tool) => tool.present && isThere(tool.serverId) && (toolName === undefined || tool.name === toolName),
    );
    const listed = wanted.map(async (tool): Promise<ListedTool> => {
      const review = reviewOf(tool);
      return {
        fullName: tool.offeredName,
        toolName: tool.name,
        description: tool.description,
        inputSchema: tool.inputSchema,
        ...(tool.icons && { icons: tool.icons }),
        serverId: tool.serverId,
        fingerprint: await fingerprint(tool),
        ...(tool.skill && { skill: tool.skill }),
        ...(tool.problem !== undefined && { problem: tool.problem }),
        ...(review && { review }),
      };
    });
    return Promise.all(listed);
  }

  /** The skills that a chat may use, by server and name. */
  async function skills({ conversationId }: Request<'listSkills'>): Promise<ServerSkill[]> {
    const chat = (await db.get('conversations', conversationId)) ?? (await loadNewChat(db));
    const usable = await connected(await overridesOf(db, chat));
    const rows = await Promise.all(
      usable.skills.map(async ({ serverId, serverName, toolName: uri, description }) => {
        const row = serverId === null ? undefined : await db.get('tools', [serverId, uri]);
        if (serverId === null || !row) return [];
        const isAllowed = isSkillAllowed(row);
        return [{ serverId, serverName, uri, name: row.title ?? uri, description, isAllowed }];
      }),
    );
    return rows.flat();
  }

  return { list, skills };
}
