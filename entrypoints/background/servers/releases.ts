import { parseArguments } from '../../../lib/agent/arguments.ts';
import { AppError } from '../../../lib/errors.ts';
import { OWN_CALLS } from '../../../lib/protocol/chats.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { grantFor, putGrant } from '../../../lib/storage/configuration/grants.ts';
import { loadSetting } from '../../../lib/storage/configuration/settings.ts';
import { setTool } from '../../../lib/storage/configuration/tools.ts';
import { checkArguments } from '../../../lib/tools/check-arguments.ts';
import { fingerprint } from '../../../lib/trust/fingerprint.ts';
import { isRepeatable, originsIn, permissionFor } from '../../../lib/trust/permission.ts';
import { isOn, type Tool } from '../../../lib/types/setup.ts';
import { type CallTool, OWN_TOOLS, type Permission, type ToolCall } from '../../../lib/types/tool.ts';

import { t } from '../../../locales/texts/errors.ts';

/** A call, as far as it says what is to be called. */
type Wanted = Parameters<CallTool>[0];

/**
 * Which calls may be made, by what the database has of their tools.
 * @param changed the configuration that pages show is stale
 */
export function createReleases(db: Database, changed: () => Promise<void>) {
  async function rowOf({ serverId, toolName }: Wanted): Promise<Tool | undefined> {
    return serverId === null ? undefined : db.get('tools', [serverId, toolName]);
  }

  /**
   * Looks at the tool as its server lists it now: since the call was allowed, approved or checked it may have become
   * another one.
   * @throws AppError why the call must not be made
   */
  async function requireRunnable(wanted: Wanted, args: Record<string, unknown>): Promise<void> {
    const tool = await rowOf(wanted);
    requireCallable(tool);
    // The user tries it: with whatever they want to see what the server makes of it.
    if (wanted.conversationId === OWN_CALLS) return;
    const chat = await db.get('conversations', wanted.conversationId);
    if (!isOn(tool, chat?.tools)) throw refusal('tool_off', 'The tool was switched off.');
    const row = await db.get('toolCalls', wanted.callId);
    const { createdAt } = row ?? { createdAt: new Date().toISOString() };
    const now = await permission({ ...wanted, createdAt, arguments: JSON.stringify(args) });
    if (now === 'block') throw blocked();
    // Else approved by the user, who was asked about just what the tool is now.
    if (now !== 'allow' && row?.fingerprint !== (await fingerprint(tool))) {
      const why = `The definition of ${tool.name} changed since it was allowed, or the permission was withdrawn.`;
      throw refusal('definition_changed', `${why} Call it again to have the user asked.`);
    }
    const violation = checkArguments(tool.inputSchema, args);
    if (violation !== undefined) {
      throw refusal('bad_arguments', `The arguments do not fit the tool’s schema: ${violation}`);
    }
  }

  /** Tools that every run needs only read what is in the chat anyway: they need no permission. */
  async function permission(
    toCall: Wanted & Pick<ToolCall, 'createdAt' | 'arguments' | 'edited'>,
  ): Promise<Permission> {
    const { serverId, toolName, conversationId, createdAt } = toCall;
    if (serverId === null) return 'allow';
    const [tool, server, given, tiers] = await Promise.all([
      rowOf(toCall),
      serverId === OWN_TOOLS ? { trusted: true } : db.get('servers', serverId),
      grantFor(db, conversationId, serverId, toolName),
      loadSetting(db, 'tierPermissions'),
    ]);
    if (!tool || !server) return 'ask';
    return permissionFor(tool, server, tiers, {
      grant: given,
      fingerprint: await fingerprint(tool),
      createdAt,
      origins: originsOf(toCall),
    });
  }

  /** By the tool's hints, which only of servers that the user trusts permit to make a call a second time. */
  async function repetition({ serverId, ...wanted }: Wanted): Promise<'allow' | 'ask'> {
    if (serverId === null) return 'allow';
    const tool = await rowOf({ ...wanted, serverId });
    return tool && (await isTrusted(serverId)) && isRepeatable(tool) ? 'allow' : 'ask';
  }

  const isTrusted = async (serverId: number): Promise<boolean> =>
    serverId === OWN_TOOLS || (await db.get('servers', serverId))?.trusted === true;

  /** What the user is asked about: the tool as it is now. Undefined when it is not known. */
  async function definitionOf(toCall: ToolCall) {
    const tool = await rowOf(toCall);
    return tool && { fingerprint: await fingerprint(tool), annotations: tool.annotations };
  }

  /** @throws AppError `definition_changed` when the tool is not any more what the user was asked about */
  async function grant(toCall: ToolCall, scope: 'chat' | 'always'): Promise<void> {
    const { serverId, toolName, conversationId } = toCall;
    const tool = await rowOf(toCall);
    if (serverId === null || !tool) return;
    const seen = await fingerprint(tool);
    if (toCall.fingerprint !== seen) throw definitionChanged(toolName);
    if (scope === 'chat') {
      const given = { at: new Date().toISOString(), used: 0 };
      const origins = originsOf(toCall);
      await putGrant(db, { conversationId, serverId, toolName, fingerprint: seen, origins, given });
      return changed();
    }
    const isSet = await setTool(db, serverId, toolName, { permission: 'allow' }, tool);
    if (!isSet) throw definitionChanged(toolName);
    return changed();
  }

  return { rowOf, requireRunnable, permission, repetition, definitionOf, grant };
}

function originsOf({ arguments: text, edited }: Pick<ToolCall, 'arguments' | 'edited'>): string[] {
  const parsed = parseArguments(edited ?? text);
  return parsed.ok ? originsIn(parsed.value) : [];
}

/** Also for a call that was approved before, or is run again without an approval. */
function requireCallable(tool: Tool | undefined): asserts tool is Tool {
  if (!tool?.present) throw refusal('tool_gone', 'The server no longer offers this tool.');
  if (tool.problem !== undefined) throw refusal('tool_unusable', tool.problem);
  if (tool.permission === 'block') throw blocked();
}

const blocked = (): AppError => refusal('tool_blocked', 'The user has blocked this tool.');

function refusal(code: string, message: string): AppError {
  return new AppError({ code, message });
}

function definitionChanged(toolName: string): AppError {
  return new AppError({
    code: 'definition_changed',
    ...t(($) => $.errors.setup.definitionChanged, { name: toolName }),
  });
}
