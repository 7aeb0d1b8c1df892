import type { Grant, Server, Tool } from '../types/setup.ts';
import type { Permission } from '../types/tool.ts';

/** What holds where the person chose nothing: a trusted server's word that a tool only reads is taken. */
export function defaultPermission(
  { annotations }: Pick<Tool, 'annotations'>,
  { trusted }: Pick<Server, 'trusted'>,
): Permission {
  return trusted && annotations.readOnlyHint === true ? 'allow' : 'ask';
}

/**
 * The permission in force for a tool's calls. The person's Block goes before everything, their Allow and a chat's
 * grant before the default.
 * @param grant of the call's conversation; void unless it was given for the definition with this `fingerprint`
 */
export function permissionFor(
  tool: Pick<Tool, 'annotations' | 'permission'>,
  server: Pick<Server, 'trusted'>,
  grant: Pick<Grant, 'fingerprint'> | undefined,
  fingerprint: string,
): Permission {
  if (tool.permission === 'block' || tool.permission === 'allow') return tool.permission;
  if (grant?.fingerprint === fingerprint) return 'allow';
  return tool.permission ?? defaultPermission(tool, server);
}
