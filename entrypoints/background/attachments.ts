import { tokensOfAttachment } from '../../lib/agent/tokens.ts';
import { attachmentOf, promptText } from '../../lib/mcp/content/prompt-text.ts';
import type { Commands, PanelEvent } from '../../lib/protocol.ts';
import {
  attachmentSummary,
  deleteAttachment,
  type DraftAttachment,
  draftAttachments,
  findAttachment,
  putAttachment,
  renewAttachment,
} from '../../lib/storage/attachments.ts';
import type { Database } from '../../lib/storage/database.ts';
import type { AttachmentSource, AttachmentSummary } from '../../lib/types/attachment.ts';
import type { ContentBlock } from '../../lib/types/tool.ts';
import type { createAsking } from './asking.ts';
import { requireFitting } from './attachment-size.ts';
import { invalid, requireText } from './input.ts';
import { inTurn } from './in-turn.ts';
import { noServer, type ServerConnections } from './server-connections.ts';

type Request<K extends keyof Commands> = Parameters<Commands[K]>[0];

/** A resource that changes all the time is read again this often. */
const REREAD_MS = 500;

/** Begins the address of what only a prompt has: a picture or a sound, which can't be read again. */
const FROM_PROMPT = 'prompt:';

export type AttachmentsDeps = {
  servers: Pick<ServerConnections, 'reach' | 'offer' | 'readResource' | 'getPrompt' | 'watchResources'>;
  askFor: ReturnType<typeof createAsking>;
  /** To the pages that watch the conversation. */
  send: (conversationId: string, event: PanelEvent) => void;
  now: () => number;
};

/** What goes with a draft besides its text. While it is there it follows its server's updates. */
export function createAttachments(db: Database, { servers, askFor, send, now }: AttachmentsDeps) {
  /** Resources that changed and are read again in a moment. */
  const stale = new Map<string, ReturnType<typeof setTimeout>>();
  /** Servers that were told which updates are wanted. */
  const watched = new Set<number>();

  /** Ids go up with time, so that a draft keeps its order. */
  const newId = (): string => `${new Date(now()).toISOString()} ${crypto.randomUUID()}`;

  const fetching = (serverId: number, conversationId: string) => ({
    signal: new AbortController().signal,
    ask: askFor({ serverId, callId: null, conversationId }),
  });

  async function tell(conversationId: string): Promise<void> {
    const attachments = await draftAttachments(db, conversationId);
    send(conversationId, { type: 'attachments', conversationId, attachments });
  }

  /** A resource that is there already is read anew instead. */
  async function attach(request: Request<'attachResource'>): Promise<AttachmentSummary> {
    const conversationId = requireText(request.conversationId, 'Chat');
    const uri = requireText(request.uri, 'Address');
    const source = await sourceOf(request.serverId, uri);
    await servers.reach(source.serverId);
    const draft = await db.getAllFromIndex('attachments', 'by-conversation', conversationId);
    const id = draft.find((each) => isFrom(each, source))?.id ?? newId();
    const blocks = await servers.readResource(
      source.serverId,
      uri,
      fetching(source.serverId, conversationId),
    );
    const row = await filled({ id, conversationId, title: titleOf(source), source }, blocks);
    await putAttachment(db, row);
    await Promise.all([tell(conversationId), watch()]);
    return attachmentSummary(row);
  }

  /** What of a prompt is text goes into the composer; the rest is attached. */
  async function getPrompt(request: Request<'getPrompt'>): ReturnOf<'getPrompt'> {
    const { serverId, name } = request;
    const conversationId = requireText(request.conversationId, 'Chat');
    await servers.reach(serverId);
    const given = requireTexts(request.arguments);
    const messages = await servers.getPrompt(serverId, name, given, fetching(serverId, conversationId));
    const { text, rest } = promptText(messages);
    const rows: DraftAttachment[] = [];
    for (const block of rest) {
      const source = await sourceOf(serverId, uriOf(block) ?? `${FROM_PROMPT}${name}`);
      const title = block.type === 'resource' ? titleOf(source) : name;
      rows.push(await filled({ id: newId(), conversationId, title, source }, [block], rows));
    }
    for (const row of rows) await putAttachment(db, row);
    if (rows.length > 0) await Promise.all([tell(conversationId), watch()]);
    return { text, attachments: rows.map(attachmentSummary) };
  }

  async function sourceOf(serverId: number, uri: string): Promise<AttachmentSource> {
    const server = await db.get('servers', serverId);
    if (!server) throw noServer();
    return { type: 'resource', serverId, serverName: server.name, uri };
  }

  /** As the server names it, else the end of its address. */
  function titleOf({ serverId, uri }: AttachmentSource): string {
    const resource = servers.offer(serverId)?.resources.find((each) => each.uri === uri);
    return resource?.title ?? resource?.name ?? (uri.split('/').findLast((part) => part !== '') || uri);
  }

  /** @throws AppError `attachment_too_large` */
  async function filled(
    head: Pick<DraftAttachment, 'id' | 'conversationId' | 'title' | 'source'>,
    blocks: ContentBlock[],
    besides: DraftAttachment[] = [],
  ): Promise<DraftAttachment> {
    const row = { ...head, ...attachmentOf(blocks) };
    const draft = await db.getAllFromIndex('attachments', 'by-conversation', head.conversationId);
    requireFitting(row, [...draft.filter(({ id }) => id !== head.id), ...besides]);
    return { ...row, tokens: tokensOfAttachment(row) };
  }

  async function detach({ id }: Request<'detach'>): Promise<void> {
    const conversationId = await deleteAttachment(db, id);
    if (conversationId !== undefined) await Promise.all([tell(conversationId), watch()]);
  }

  async function preview({ id }: Request<'previewAttachment'>): ReturnOf<'previewAttachment'> {
    const found = await findAttachment(db, id);
    return found ? { text: found.text, pictures: found.pictures ?? [] } : null;
  }

  /** What drafts hold that can be read again. */
  async function resources(): Promise<AttachmentSource[]> {
    const sources = (await db.getAll('attachments')).map(({ source }) => source);
    return sources.filter(({ uri }) => !uri.startsWith(FROM_PROMPT));
  }

  /** Has servers tell of changes in what drafts hold, and of nothing else. */
  const watch = inTurn(async () => {
    const sources = await resources();
    for (const serverId of new Set([...watched, ...sources.map((source) => source.serverId)])) {
      const own = sources.filter((source) => source.serverId === serverId);
      servers.watchResources(serverId, [...new Set(own.map(({ uri }) => uri))]);
      if (own.length > 0) watched.add(serverId);
      else watched.delete(serverId);
    }
  });

  /** A connection is new: what changed while there was none was not told. */
  async function connected(serverId: number): Promise<void> {
    await watch();
    if (!servers.offer(serverId)?.info.can.includes('subscribe')) return;
    const own = (await resources()).filter((source) => source.serverId === serverId);
    for (const { uri } of own) updated(serverId, uri);
  }

  /** A resource changed. It is read again in a moment, once for all that happens until then. */
  function updated(serverId: number, uri: string): void {
    const key = `${serverId} ${uri}`;
    if (stale.has(key)) return;
    const read = (): void => {
      stale.delete(key);
      reread(serverId, uri).catch((error: unknown) => console.warn('A resource was not read again.', error));
    };
    stale.set(key, setTimeout(read, REREAD_MS));
  }

  async function reread(serverId: number, uri: string): Promise<void> {
    const rows = (await db.getAll('attachments')).filter((row) => isFrom(row, { serverId, uri }));
    for (const row of rows) {
      const { id, conversationId, title, source } = row;
      const blocks = await servers.readResource(serverId, uri, fetching(serverId, conversationId));
      const renewed = await filled({ id, conversationId, title, source }, blocks);
      if (await renewAttachment(db, renewed)) await tell(conversationId);
    }
  }

  return { attach, getPrompt, detach, preview, watch, connected, updated };
}

type ReturnOf<K extends keyof Commands> = Promise<ReturnType<Commands[K]>>;

const isFrom = (
  { source }: DraftAttachment,
  { serverId, uri }: Pick<AttachmentSource, 'serverId' | 'uri'>,
): boolean => source.serverId === serverId && source.uri === uri;

const uriOf = (block: ContentBlock): string | undefined =>
  block.type === 'resource' ? block.resource.uri : block.type === 'resource_link' ? block.uri : undefined;

function requireTexts(value: unknown): Record<string, string> {
  const isFine =
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((each) => typeof each === 'string');
  if (!isFine) throw invalid('The arguments of the prompt are malformed.');
  return value as Record<string, string>;
}
