import { attachedText } from '../../../lib/agent/context/attached.ts';
import { shownFence } from '../../../lib/agent/context/fence.ts';
import { tokensOfAttachment } from '../../../lib/agent/context/tokens.ts';
import { attachmentOf, promptText } from '../../../lib/mcp/content/prompt-text.ts';
import { AppError, toWire } from '../../../lib/errors.ts';
import type { Commands, Request } from '../../../lib/protocol/commands.ts';
import {
  attachmentSummary,
  deleteAttachment,
  type DraftAttachment,
  draftAttachments,
  findAttachment,
  isSameSource,
  putAttachment,
  renewAttachment,
} from '../../../lib/storage/chats/attachments.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import {
  type Attachment,
  type AttachmentSource,
  type AttachmentSummary,
  isTyped,
} from '../../../lib/types/attachment.ts';
import type { Elicit } from '../../../lib/types/request.ts';
import type { ContentBlock } from '../../../lib/types/tools/tool-result.ts';
import type { ElicitationOrigin } from '../servers/elicitation.ts';
import { requireFitting } from './attachment-limits.ts';
import { createFetches } from '../servers/fetches.ts';
import { createFollowing } from './following.ts';
import { invalid, requireText } from '../input.ts';
import { noServer, type ServerConnections } from '../servers/server-connections.ts';
import { t } from '../../../locales/texts/errors.ts';

/** Whose it is, and where it comes from. */
export type Head = Pick<DraftAttachment, 'id' | 'conversationId' | 'title' | 'source'>;

/** Characters; no file system allows more. */
const LONGEST_NAME = 255;
/** Bytes of a file that is kept as it was. */
const MOST_KEPT = 25_000_000;

type Content = Pick<Attachment, 'text' | 'mimeType' | 'pictures' | 'whole'>;

type ResourceSource = Extract<AttachmentSource, { type: 'resource' }>;

export type AttachmentsDeps = {
  servers: Pick<ServerConnections, 'reach' | 'offer' | 'readResource' | 'getPrompt' | 'subscribeResources'>;
  elicitFor: (origin: ElicitationOrigin) => Elicit;
  /** What goes with the draft of a conversation is this now. */
  attached: (conversationId: string, attachments: AttachmentSummary[]) => void;
  now: () => number;
};

/** What goes with a draft besides its text. While it is there it follows its server's updates. */
export function createAttachments(db: Database, { servers, elicitFor, attached, now }: AttachmentsDeps) {
  const { watch, connected, updated } = createFollowing(db, { servers, reread });

  let made = 0;
  /** Ids go up with time, and within a millisecond by number, so that a draft keeps its order. */
  const newId = (): string =>
    `${new Date(now()).toISOString()} ${String(made++).padStart(9, '0')} ${crypto.randomUUID()}`;

  const { during, cancel } = createFetches();

  const fetching = (
    serverId: number,
    conversationId: string,
    signal: AbortSignal = new AbortController().signal,
  ) => ({
    signal,
    elicit: elicitFor({ serverId, callId: null, conversationId }),
  });

  async function tell(conversationId: string): Promise<void> {
    attached(conversationId, await draftAttachments(db, conversationId));
  }

  /** A resource that is there already is read anew instead. */
  const attach = (request: Request<'attachResource'>): Promise<AttachmentSummary> =>
    during(request.fetchId, (signal) => readInto(request, signal));

  async function readInto(
    request: Request<'attachResource'>,
    signal: AbortSignal,
  ): Promise<AttachmentSummary> {
    const conversationId = requireText(request.conversationId, 'chat');
    const uri = requireText(request.uri, 'address');
    const source = await resourceOf(request.serverId, uri);
    await servers.reach(source.serverId);
    const blocks = await servers.readResource(
      source.serverId,
      uri,
      fetching(source.serverId, conversationId, signal),
    );
    const row = await filled({ id: newId(), conversationId, title: titleOf(source), source }, blocks);
    signal.throwIfAborted();
    const kept = await putAttachment(db, row);
    await Promise.all([tell(conversationId), watch()]);
    return attachmentSummary(kept);
  }

  /**
   * What of a prompt is text goes into the composer, and is kept as an attachment too, since it taints the chat; the rest is
   * attached.
   */
  const getPrompt = (request: Request<'getPrompt'>): ReturnOf<'getPrompt'> =>
    during(request.fetchId, (signal) => fillIn(request, signal));

  async function fillIn(request: Request<'getPrompt'>, signal: AbortSignal): ReturnOf<'getPrompt'> {
    const { serverId, name } = request;
    const conversationId = requireText(request.conversationId, 'chat');
    await servers.reach(serverId);
    const given = requireTexts(request.arguments);
    const messages = await servers.getPrompt(
      serverId,
      name,
      given,
      fetching(serverId, conversationId, signal),
    );
    const { text, rest } = promptText(messages);
    const titles = ownTitles(name, rest.filter(({ type }) => type !== 'resource').length);
    const from = { type: 'prompt', serverId, serverName: await nameOf(serverId), name } as const;
    const rows: DraftAttachment[] = [];
    if (text !== '') {
      const head = { id: newId(), conversationId, title: name, source: { ...from, isTyped: true } as const };
      rows.push(await priced(head, { text }));
    }
    for (const block of rest) {
      const uri = uriOf(block);
      const source = uri === undefined ? from : await resourceOf(serverId, uri);
      const title =
        block.type === 'resource' && source.type === 'resource' ? titleOf(source) : (titles.shift() ?? name);
      rows.push(await filled({ id: newId(), conversationId, title, source }, [block], rows));
    }
    signal.throwIfAborted();
    const kept: DraftAttachment[] = [];
    for (const row of rows) kept.push(await putAttachment(db, row));
    if (kept.length > 0) await Promise.all([tell(conversationId), watch()]);
    return { text, attachments: kept.map(attachmentSummary) };
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

  /** @throws AppError `attachment_too_large` */
  async function filled(
    head: Head,
    blocks: ContentBlock[],
    besides: DraftAttachment[] = [],
  ): Promise<DraftAttachment> {
    return priced(head, attachmentOf(blocks), besides);
  }

  /** @throws AppError `attachment_too_large` */
  async function priced(
    head: Head,
    content: Content,
    besides: DraftAttachment[] = [],
  ): Promise<DraftAttachment> {
    const draft = await db.getAllFromIndex('attachments', 'by-conversation', head.conversationId);
    // What an earlier one put into the message is there still, and no more the user's.
    const put = isTyped(head) ? draft.find(({ source }) => isSameSource(source, head.source))?.text : '';
    const text = put && !put.includes(content.text) ? `${put}\n${content.text}` : put || content.text;
    const row = { ...head, ...content, text };
    const others = [...draft, ...besides].filter(
      ({ id, source }) => id !== head.id && !isSameSource(source, head.source),
    );
    requireFitting(row, others);
    return { ...row, tokens: tokensOfAttachment(row) };
  }

  async function attachFile({
    conversationId: into,
    id,
    name,
    mimeType,
    size,
    text,
    pictures,
    url,
  }: Request<'attachFile'>): Promise<AttachmentSummary> {
    const conversationId = requireText(into, 'chat');
    const title = requireText(name, 'name').slice(0, LONGEST_NAME);
    const source: AttachmentSource = { type: 'file', name: title, size };
    const head = {
      id: requireText(id, 'id'),
      conversationId,
      title,
      source,
    };
    const content = { text, mimeType, ...(pictures && { pictures }) };
    const file = url === undefined || size > MOST_KEPT ? undefined : await originalOf(url);
    if (!file) return keep(head, content);
    return keep(head, content, file).catch((error: unknown) => {
      if (error instanceof AppError) throw error;
      console.warn('A file was not kept.', error); // the disk is full: its text is what the model needs
      return keep(head, content);
    });
  }

  /** Puts it into its draft. @throws AppError `attachment_too_large` */
  async function keep(head: Head, content: Content, file?: Blob): Promise<AttachmentSummary> {
    const kept = await putAttachment(db, await priced(head, content), file);
    await tell(head.conversationId);
    return attachmentSummary(kept);
  }

  /** The same for one that is there, unless it was sent or taken out meanwhile. @throws AppError */
  async function renew(head: Head, content: Content): Promise<void> {
    if (await renewAttachment(db, await priced(head, content))) await tell(head.conversationId);
  }

  async function detach({ id }: Request<'detach'>): Promise<void> {
    const conversationId = await deleteAttachment(db, id);
    if (conversationId !== undefined) await Promise.all([tell(conversationId), watch()]);
  }

  async function preview({ id }: Request<'previewAttachment'>): ReturnOf<'previewAttachment'> {
    const found = await findAttachment(db, id);
    if (!found) return null;
    return isTyped(found) ? { text: found.text, pictures: [] } : attachedText([found], shownFence);
  }

  /** What `attach` would put into the draft. */
  async function previewResource(request: Request<'previewResource'>): ReturnOf<'previewResource'> {
    const conversationId = requireText(request.conversationId, 'chat');
    const source = await resourceOf(request.serverId, requireText(request.uri, 'address'));
    await servers.reach(source.serverId);
    const asked = fetching(source.serverId, conversationId);
    const blocks = await servers.readResource(source.serverId, source.uri, asked);
    const row = await filled({ id: '', conversationId, title: titleOf(source), source }, blocks);
    return { ...attachedText([row], shownFence), tokens: row.tokens };
  }

  async function reread(serverId: number, uri: string): Promise<void> {
    for (const { id, conversationId, title, source } of await db.getAll('attachments')) {
      if (source.type !== 'resource' || source.serverId !== serverId || source.uri !== uri) continue;
      const head = { id, conversationId, title, source };
      const renewed = await renewedBy(head, () =>
        servers.readResource(serverId, uri, fetching(serverId, conversationId)),
      );
      if (renewed && (await renewAttachment(db, renewed))) await tell(conversationId);
    }
  }

  /** What was there before, with what is wrong, when it can't be read. */
  async function renewedBy(
    head: Head,
    read: () => Promise<ContentBlock[]>,
  ): Promise<DraftAttachment | undefined> {
    try {
      return await filled(head, await read());
    } catch (error) {
      const before = await db.get('attachments', head.id);
      return before && { ...before, stale: toWire(error) };
    }
  }

  return {
    attach,
    attachFile,
    keep,
    renew,
    newId,
    during,
    previewResource,
    getPrompt,
    cancel,
    detach,
    preview,
    watch,
    connected,
    updated,
  };
}

type ReturnOf<K extends keyof Commands> = Promise<ReturnType<Commands[K]>>;

/** One for each of so many parts of a prompt, so that people can tell them apart. */
const ownTitles = (name: string, count: number): string[] =>
  count === 1 ? [name] : Array.from({ length: count }, (_each, at) => `${name} ${at + 1}`);

const uriOf = (block: ContentBlock): string | undefined =>
  block.type === 'resource' ? block.resource.uri : block.type === 'resource_link' ? block.uri : undefined;

/** A file that a page of ours holds; undefined once that is closed, or where it is too large. */
async function originalOf(url: string): Promise<Blob | undefined> {
  if (!url.startsWith('blob:')) return undefined;
  const response = await fetch(url).catch(() => undefined);
  const file = await response?.blob().catch(() => undefined);
  return file && file.size <= MOST_KEPT ? file : undefined;
}

function requireTexts(value: unknown): Record<string, string> {
  const isFine =
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((each) => typeof each === 'string');
  if (!isFine) throw invalid(t(($) => $.errors.input.promptArguments));
  return value as Record<string, string>;
}
