import { createApps } from '../apps/apps.ts';
import type { Core } from '../core.ts';
import { createPurging } from '../data/purging.ts';
import { chatModel, contextWindowOf } from '../models/chat-model.ts';
import type { ModelParts } from '../models/build-models.ts';
import type { PageParts } from '../page/build-pages.ts';
import { createPageAttachments } from '../page/page-attachments.ts';
import { createSchedules } from '../schedules/schedules.ts';
import type { ServerParts } from '../servers/build-servers.ts';
import type { ElicitationOrigin } from '../servers/elicitation.ts';
import { createNativeHost } from '../servers/native-host.ts';
import { createOffers } from '../servers/offers.ts';
import type { ToolParts } from '../tools/build-tools.ts';
import { createOwnCalls } from '../tools/own-calls.ts';
import { createAttachments } from './attachments.ts';
import type { RunParts } from './build-runs.ts';
import { createConversations } from './conversations.ts';
import { createServerAttachments } from './server-attachments.ts';
import { createSkillAttachments } from './skill-attachments.ts';
import { createTitles } from './titles.ts';

export type ChatParts = ReturnType<typeof buildChats>;

/** What needs a chat's runs: what goes with a draft, what becomes of chats, and what asks the user outside any run. */
export function buildChats(core: Core & PageParts & ModelParts & ServerParts & ToolParts & RunParts) {
  const { db, connections, elicitation, keepAlive, runs, search, setupChanged, tools, version } = core;
  const now = Date.now;
  const elicitFor = (origin: ElicitationOrigin) => elicitation(origin, runs);
  const attachments = createAttachments(db, { attached: runs.attached, now });
  const purge = createPurging(db, { now, changed: search.changed });
  return {
    attachments,
    serverAttachments: createServerAttachments(db, { servers: connections, attachments, elicitFor }),
    purge,
    ownCalls: createOwnCalls(db, {
      callTool: (call, args, options) => tools.call(call, args, { ...options, channel: runs }),
      during: keepAlive.during,
      written: () => void core.toolLog.trim(),
      now,
    }),
    offers: createOffers(db, { servers: connections, elicitFor }),
    skillAttachments: createSkillAttachments(db, { servers: connections, tools, attachments, elicitFor }),
    apps: createApps(db, { servers: connections, runs, attachments, elicitFor, now, version }),
    pageAttachments: createPageAttachments(db, {
      pages: core.pages,
      attachments,
      windowOf: (conversationId) => contextWindowOf(core, conversationId),
      now,
    }),
    nativeHost: createNativeHost(db, {
      native: core.native,
      connect: core.servers.reconnect,
      during: attachments.during,
    }),
    schedules: createSchedules(db, { start: runs.start, changed: setupChanged, now }),
    titles: createTitles(db, {
      runs,
      modelOf: (conversation) => chatModel(core, conversation),
      during: keepAlive.during,
    }),
    conversations: createConversations(db, { runs, deleted: purge }),
  };
}
