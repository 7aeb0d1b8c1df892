import { AppError } from '../../../lib/errors.ts';
import { isToolForbidden } from '../../../lib/fleet/rules.ts';
import { overridesOf } from '../../../lib/storage/configuration/projects.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { loadSetting } from '../../../lib/storage/configuration/settings.ts';
import { isEveryCallAllowed } from '../../../lib/trust/tool-permission.ts';
import type { WrittenCall } from '../../../lib/types/app.ts';
import type { Conversation, ToolOverrides } from '../../../lib/types/conversation.ts';
import type { Server } from '../../../lib/types/server.ts';
import { isOn, type Tool } from '../../../lib/types/tools/server-tool.ts';
import type { TierPermissions } from '../../../lib/types/tools/tier.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { isServer } from '../../../lib/types/tools/tool-source.ts';
import { t } from '../../../locales/texts/errors.ts';

/** A call that an app may show. `tools`: what its chat has on or off; `uri`: what shows it. */
export type ShownCall = {
  call: ToolCall;
  server: Server;
  chat: Conversation;
  tools: ToolOverrides | undefined;
  uri: string;
};

/** @returns undefined when nothing shows the call, or not any more */
export async function shownCall(db: Database, callId: unknown): Promise<ShownCall | undefined> {
  const call = typeof callId === 'string' ? await db.get('toolCalls', callId) : undefined;
  const [server, chat] = await Promise.all([
    call && isServer(call.serverId) ? db.get('servers', call.serverId) : undefined,
    call && db.get('conversations', call.conversationId),
  ]);
  const isShown = server && !server.withoutApps && call?.app !== undefined && chat && !chat.deletedAt;
  return isShown ? { call, server, chat, tools: await overridesOf(db, chat), uri: call.app! } : undefined;
}

/** @throws AppError `no_app` when nothing shows the call, or not any more */
export async function requireShown(db: Database, callId: unknown): Promise<ShownCall> {
  const found = await shownCall(db, callId);
  if (!found) throw noApp();
  return found;
}

/**
 * Whether a tool's app may show a call while its arguments are written. What it is told of them it could pass on to its
 * server: only where that would get them in any case, unasked.
 */
export const showsWritten = (
  tool: Tool,
  server: Pick<Server, 'trusted' | 'managed' | 'withoutApps'>,
  tiers: TierPermissions,
): boolean =>
  tool.app?.uri !== undefined &&
  !server.withoutApps &&
  tool.present &&
  tool.problem === undefined &&
  !isToolForbidden(tool, server) &&
  isEveryCallAllowed(tool, server, tiers);

/** What shows a call that has no row yet. @throws AppError `no_app` */
export async function requireWritten(db: Database, { conversationId, serverId, toolName }: WrittenCall) {
  const [tool, server, chat, tiers] = await Promise.all([
    db.get('tools', [serverId, toolName]),
    db.get('servers', serverId),
    db.get('conversations', conversationId),
    loadSetting(db, 'tierPermissions'),
  ]);
  const uri = tool?.app?.uri;
  if (!uri || !server || !chat || chat.deletedAt) throw noApp();
  if (!isOn(tool, await overridesOf(db, chat)) || !showsWritten(tool, server, tiers)) throw noApp();
  return { call: { conversationId, toolName }, server, uri };
}

const noApp = (): AppError => new AppError({ code: 'no_app', ...t(($) => $.errors.apps.none) });
