import { AppError } from '../../../lib/errors.ts';
import { skillName } from '../../../lib/mcp/names.ts';
import { useSkill } from '../../../lib/tools/use-skill.ts';
import type { Elicit } from '../../../lib/types/request.ts';
import type { CallOptions, CallTool } from '../../../lib/types/tools/call-tool.ts';
import type { Tool } from '../../../lib/types/tools/server-tool.ts';
import { skillSchema } from '../../../lib/types/tools/skill.ts';
import type { OfferedTool } from '../../../lib/types/tools/tool.ts';
import type { ServerConnections } from '../servers/server-connections.ts';

type Servers = Pick<ServerConnections, 'readSkill' | 'addSkill' | 'offer'>;

/** A server that a chat may use. */
type Reachable = { id: number; name: string };

/** Ends the address of every skill. */
const MANIFEST = '/SKILL.md';

/** Whether a call that no row is found for would be to a skill that its server does not list. */
export const isUnlistedSkill = (toolName: string): boolean => toolName.endsWith(MANIFEST);

/**
 * The one tool for a chat's skills, and where its calls go; nothing where there are none. An address goes to the server that has
 * it: that is asked about like any call, and makes the skill one of those that are known.
 */
export function offerOfSkills(
  servers: Pick<Servers, 'offer'>,
  skills: OfferedTool[],
  reachable: Reachable[],
) {
  const serving = reachable.filter(({ id }) => servers.offer(id)?.info.can.includes('skills'));
  if (skills.length === 0 && serving.length === 0) return undefined;
  const skillOf = (args: Record<string, unknown>): OfferedTool | undefined => {
    const { skill, server } = args;
    const isOf = ({ serverName }: { serverName: string }) => server === undefined || serverName === server;
    const fits = skills.filter((each) => each.name === skill || (each.toolName === skill && isOf(each)));
    if (fits.length > 0) return fits.length === 1 ? fits[0] : undefined;
    const [only, ...others] = serving.filter(({ name }) => isOf({ serverName: name }));
    if (!only || others.length > 0 || typeof skill !== 'string' || !isUnlistedSkill(skill)) return undefined;
    const name = skillName(only.id, '', skill, false);
    return {
      name,
      toolName: skill,
      serverId: only.id,
      serverName: only.name,
      description: '',
      inputSchema: skillSchema(name, skill),
      annotations: { readOnlyHint: true, openWorldHint: false },
    };
  };
  const serverIds = new Set([...skills.map(({ serverId }) => serverId), ...serving.map(({ id }) => id)]);
  return { definition: useSkill(skills), skillOf, skillServers: [...serverIds] };
}

/** Reads what a call wants of a skill. @param mayRun awaited before; @returns the skill as it may be read now */
export async function callSkill(
  servers: Servers,
  { serverId, toolName: uri }: { serverId: number; toolName: string },
  args: Record<string, unknown>,
  { elicit, mayRun, signal, started }: CallOptions & { elicit: Elicit; mayRun: () => Promise<Tool> },
): ReturnType<CallTool> {
  const { skill } = await mayRun();
  if (!skill) throw new AppError({ code: 'tool_gone', message: 'The server no longer offers this skill.' });
  await started();
  const text = await servers.readSkill(serverId, { uri, ...skill }, fileOf(args), { signal, elicit });
  return { result: { text, isError: false }, status: 'success' };
}

/** Which file a call wants; undefined: the one that every skill has. */
export const fileOf = ({ file }: Record<string, unknown>): string | undefined =>
  typeof file === 'string' && file !== '' ? file : undefined;

/** Has a server tell of a skill that it does not list. No file of it is read yet: the user has seen nothing of it. */
export async function findSkill(
  servers: Servers,
  { serverId, toolName: uri }: { serverId: number; toolName: string },
  { elicit, signal, started }: CallOptions & { elicit: Elicit },
): ReturnType<CallTool> {
  await started();
  await servers.addSkill(serverId, uri, { signal, elicit });
  const text = 'The server has this skill. Call it again to load it: the user is asked first.';
  return { result: { text, isError: false }, status: 'success' };
}
