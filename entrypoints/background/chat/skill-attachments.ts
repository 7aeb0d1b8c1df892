import type { Request } from '../../../lib/protocol/commands.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import type { AttachmentSummary } from '../../../lib/types/attachment.ts';
import type { Elicit } from '../../../lib/types/request.ts';
import { OWN_NAME, OWN_TOOLS } from '../../../lib/types/tools/tool-source.ts';
import { requireText } from '../input.ts';
import { readOwnSkill } from './own-skills.ts';
import type { ElicitationOrigin } from '../servers/elicitation.ts';
import { noServer, type ServerConnections } from '../servers/server-connections.ts';
import type { createTools } from '../tools/tools.ts';
import type { createAttachments } from './attachments.ts';

export type SkillAttachmentsDeps = {
  servers: Pick<ServerConnections, 'reach' | 'synced' | 'readSkill'>;
  tools: Pick<ReturnType<typeof createTools>, 'chosenSkill'>;
  attachments: Pick<ReturnType<typeof createAttachments>, 'during' | 'newId' | 'keep'>;
  elicitFor: (origin: ElicitationOrigin) => Elicit;
};

/** Skills that the user loads into a draft: the file of theirs that says what is to be done, as it was verified. */
export function createSkillAttachments(
  db: Database,
  { servers, tools, attachments, elicitFor }: SkillAttachmentsDeps,
) {
  const attach = (request: Request<'attachSkill'>): Promise<AttachmentSummary> =>
    attachments.during(request.fetchId, (signal) => load(request, signal));

  async function load(request: Request<'attachSkill'>, signal: AbortSignal): Promise<AttachmentSummary> {
    const { serverId } = request;
    const conversationId = requireText(request.conversationId, 'chat');
    const isOwn = serverId === OWN_TOOLS;
    const server = isOwn ? { name: OWN_NAME } : await db.get('servers', serverId);
    if (!server) throw noServer();
    if (!isOwn) await servers.reach(serverId);
    await servers.synced();
    const { name, ...skill } = await tools.chosenSkill(request);
    const elicit = elicitFor({ serverId, callId: null, conversationId });
    const text = isOwn
      ? await readOwnSkill(db, { name: skill.uri, title: name, skill })
      : await servers.readSkill(serverId, skill, undefined, { signal, elicit });
    signal.throwIfAborted();
    const source = { type: 'skill', serverId, serverName: server.name, name, uri: skill.uri } as const;
    const head = { id: attachments.newId(), conversationId, title: name, source };
    return attachments.keep(head, { text, mimeType: 'text/markdown' });
  }

  return { attach };
}
