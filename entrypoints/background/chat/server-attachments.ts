import { isRecord, isTexts } from '../../../lib/json.ts';
import { attachedText } from '../../../lib/agent/context/attached.ts';
import { shownFence } from '../../../lib/agent/context/fence.ts';
import { toWire } from '../../../lib/errors.ts';
import { attachmentOf, promptText } from '../../../lib/mcp/content/prompt-text.ts';
import type { Reply, Request } from '../../../lib/protocol/commands.ts';
import type { DraftAttachment } from '../../../lib/storage/chats/attachments.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import type { AttachmentSource, AttachmentSummary } from '../../../lib/types/attachment.ts';
import type { Elicit } from '../../../lib/types/request.ts';
import type { ContentBlock } from '../../../lib/types/tools/tool-result.ts';
import { invalid, requireText } from '../input.ts';
import type { ElicitationOrigin } from '../servers/elicitation.ts';
import { noServer, type ServerConnections } from '../servers/server-connections.ts';
import type { createAttachments, Head } from './attachments.ts';
import { createFollowing } from './following.ts';
import { t } from '../../../locales/texts/errors.ts';

type ResourceSource = Extract<AttachmentSource, { type: 'resource' }>;

export type ServerAttachmentsDeps = {
  servers: Pick<ServerConnections, 'reach' | 'offer' | 'readResource' | 'getPrompt' | 'subscribeResources'>;
  attachments: ReturnType<typeof createAttachments>;
  elicitFor: (origin: ElicitationOrigin) => Elicit;
};

/** What drafts hold of servers: prompts, and resources, which follow their servers' updates while they are there. */
export function createServerAttachments(
  db: Database,
  { servers, attachments, elicitFor }: ServerAttachmentsDeps,
) {
  const { during, newId, draftRow } = attachments;
  const { watch, connected, updated } = createFollowing(db, { servers, reread });

  const fetching = (
    serverId: number,
    conversationId: string,
    signal: AbortSignal = new AbortController().signal,
  ) => ({
    signal,
    elicit: elicitFor({ serverId, callId: null, conversationId }),
  });

  /** A resource that is there already is read anew instead. */
  const attach = (request: Request<'attachResource'>): Promise<AttachmentSummary> =>
    during(request.fetchId, async (signal) => {
      const { conversationId, source, blocks } = await readAsked(request, signal);
      signal.throwIfAborted();
      const head = { id: newId(), conversationId, title: titleOf(source), source };
      const kept = await attachments.keep(head, attachmentOf(blocks));
      await watch();
      return kept;
    });

  /** What `attach` would put into the draft. */
  async function previewResource(request: Request<'previewResource'>): Promise<Reply<'previewResource'>> {
    const { conversationId, source, blocks } = await readAsked(request);
    const head = { id: '', conversationId, title: titleOf(source), source };
    const row = await draftRow(head, attachmentOf(blocks));
    return { ...attachedText([row], shownFence), tokens: row.tokens };
  }

  async function readAsked(request: Request<'previewResource'>, signal?: AbortSignal) {
    const conversationId = requireText(request.conversationId, 'chat');
    const source = await resourceOf(request.serverId, requireText(request.uri, 'address'));
    const { serverId, uri } = source;
    await servers.reach(serverId);
    const blocks = await servers.readResource(serverId, uri, fetching(serverId, conversationId, signal));
    return { conversationId, source, blocks };
  }

  /**
   * What of a prompt is text goes into the composer, and is kept as an attachment too, since it taints the chat; the rest is
   * attached.
   */
  const getPrompt = (request: Request<'getPrompt'>): Promise<Reply<'getPrompt'>> =>
    during(request.fetchId, async (signal) => {
      const { serverId, name } = request;
      const conversationId = requireText(request.conversationId, 'chat');
      await servers.reach(serverId);
      const given = requireTexts(request.arguments);
      const asked = fetching(serverId, conversationId, signal);
      const { text, rest } = promptText(await servers.getPrompt(serverId, name, given, asked));
      const from = { type: 'prompt', serverId, serverName: await nameOf(serverId), name } as const;
      const rows: DraftAttachment[] = [];
      if (text !== '') {
        const source = { ...from, isTyped: true } as const;
        rows.push(await draftRow({ id: newId(), conversationId, title: name, source }, { text }));
      }
      const titles = ownTitles(name, rest.filter(({ type }) => type !== 'resource').length);
      for (const block of rest) {
        const uri = uriOf(block);
        const source = uri === undefined ? from : await resourceOf(serverId, uri);
        const title =
          block.type === 'resource' && source.type === 'resource'
            ? titleOf(source)
            : (titles.shift() ?? name);
        const head = { id: newId(), conversationId, title, source };
        rows.push(await draftRow(head, attachmentOf([block]), rows));
      }
      signal.throwIfAborted();
      const kept = await attachments.keepRows(rows);
      if (kept.length > 0) await watch();
      return { text, attachments: kept };
    });

  async function detach(request: Request<'detach'>): Promise<void> {
    await attachments.detach(request);
    await watch();
  }

  async function resourceOf(serverId: number, uri: string): Promise<ResourceSource> {
    return { type: 'resource', serverId, serverName: await nameOf(serverId), uri };
  }

  async function nameOf(serverId: number): Promise<string> {
    const server = await db.get('servers', serverId);
    if (!server) throw noServer();
    return server.name;
  }

  /** As the server names it, else the end of its address. */
  function titleOf({ serverId, uri }: ResourceSource): string {
    const resource = servers.offer(serverId)?.resources.find((each) => each.uri === uri);
    return resource?.title ?? resource?.name ?? (uri.split('/').findLast((part) => part !== '') || uri);
  }

  async function reread(serverId: number, uri: string): Promise<void> {
    for (const { id, conversationId, title, source } of await db.getAll('attachments')) {
      if (source.type !== 'resource' || source.serverId !== serverId || source.uri !== uri) continue;
      const renewed = await renewedBy({ id, conversationId, title, source }, () =>
        servers.readResource(serverId, uri, fetching(serverId, conversationId)),
      );
      if (renewed) await attachments.renew(renewed);
    }
  }

  /** What was there before, with what is wrong, when it can't be read. */
  async function renewedBy(
    head: Head,
    read: () => Promise<ContentBlock[]>,
  ): Promise<DraftAttachment | undefined> {
    try {
      return await draftRow(head, attachmentOf(await read()));
    } catch (error) {
      const before = await db.get('attachments', head.id);
      return before && { ...before, stale: toWire(error) };
    }
  }

  return { attach, previewResource, getPrompt, detach, watch, connected, updated };
}

/** One for each of so many parts of a prompt, so that people can tell them apart. */
const ownTitles = (name: string, count: number): string[] =>
  count === 1 ? [name] : Array.from({ length: count }, (_each, at) => `${name} ${at + 1}`);

/** Characters of an address: a longer one is no resource's, since all pages that show the draft are told of it. */
const MOST_URI = 2_000;

function uriOf(block: ContentBlock): string | undefined {
  const { uri = '' } = block.type === 'resource' ? block.resource : (block as { uri?: string });
  return uri !== '' && uri.length <= MOST_URI ? uri : undefined;
}

function requireTexts(value: unknown): Record<string, string> {
  if (!isRecord(value) || !isTexts(Object.values(value)))
    throw invalid(t(($) => $.errors.input.promptArguments));
  return value as Record<string, string>;
}
