import { AppError } from '../../../lib/errors.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import type { Conversation, Server } from '../../../lib/types/setup.ts';
import type { ToolCall } from '../../../lib/types/tool.ts';
import { t } from '../../../locales/texts/errors.ts';

/** A call that an app may show. `uri`: what shows it. */
export type ShownCall = { call: ToolCall; server: Server; chat: Conversation; uri: string };

/** @returns undefined when nothing shows the call, or not any more */
export async function shownCall(db: Database, callId: unknown): Promise<ShownCall | undefined> {
  const call = typeof callId === 'string' ? await db.get('toolCalls', callId) : undefined;
  const [server, chat] = await Promise.all([
    call?.serverId == null || call.serverId < 0 ? undefined : db.get('servers', call.serverId),
    call && db.get('conversations', call.conversationId),
  ]);
  const isShown = server && !server.withoutApps && call?.app !== undefined && chat && !chat.deletedAt;
  return isShown ? { call, server, chat, uri: call.app! } : undefined;
}

/** @throws AppError `no_app` when nothing shows the call, or not any more */
export async function requireShown(db: Database, callId: unknown): Promise<ShownCall> {
  const found = await shownCall(db, callId);
  if (!found) throw new AppError({ code: 'no_app', ...t(($) => $.errors.apps.none) });
  return found;
}
