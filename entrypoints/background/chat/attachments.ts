import { attachedText } from '../../../lib/agent/context/attached.ts';
import { shownFence } from '../../../lib/agent/context/fence.ts';
import { tokensOfAttachment } from '../../../lib/agent/context/tokens.ts';
import { AppError } from '../../../lib/errors.ts';
import type { Reply, Request } from '../../../lib/protocol/commands.ts';
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
import { createFetches } from '../servers/fetches.ts';
import { requireText } from '../input.ts';
import type { ErrorWords } from '../../../lib/types/error.ts';
import type { Picture } from '../../../lib/types/picture.ts';
import { t } from '../../../locales/texts/errors.ts';

/** Whose it is, and where it comes from. */
export type Head = Pick<DraftAttachment, 'id' | 'conversationId' | 'title' | 'source'>;

/** Characters; no file system allows more. */
const LONGEST_NAME = 255;
/** Bytes of a file that is kept as it was. */
const MOST_KEPT = 25_000_000;

type Content = Pick<Attachment, 'text' | 'mimeType' | 'pictures' | 'whole'>;

export type AttachmentsDeps = {
  /** What goes with the draft of a conversation is this now. */
  attached: (conversationId: string, attachments: AttachmentSummary[]) => void;
  now: () => number;
};

/** What goes with a draft besides its text. */
export function createAttachments(db: Database, { attached, now }: AttachmentsDeps) {
  let made = 0;
  /** Ids go up with time, and within a millisecond by number, so that a draft keeps its order. */
  const newId = (): string =>
    `${new Date(now()).toISOString()} ${String(made++).padStart(9, '0')} ${crypto.randomUUID()}`;

  const { during, cancel } = createFetches();

  async function tell(conversationId: string): Promise<void> {
    attached(conversationId, await draftAttachments(db, conversationId));
  }

  /** @param besides others that come with it. @throws AppError `attachment_too_large` */
  async function draftRow(
    head: Head,
    content: Content,
    besides: DraftAttachment[] = [],
  ): Promise<DraftAttachment> {
    const draft = await db.getAllFromIndex('attachments', 'by-conversation', head.conversationId);
    // What the same prompt put into the message before is still there, and is not the user's either.
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
    const head = { id: requireText(id, 'id'), conversationId, title, source };
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
    const kept = await putAttachment(db, await draftRow(head, content), file);
    await tell(head.conversationId);
    return attachmentSummary(kept);
  }

  /** The same for several of one draft. */
  async function keepRows(rows: DraftAttachment[]): Promise<AttachmentSummary[]> {
    const kept: AttachmentSummary[] = [];
    for (const row of rows) kept.push(attachmentSummary(await putAttachment(db, row)));
    if (rows[0]) await tell(rows[0].conversationId);
    return kept;
  }

  /** Puts it in the place of one that is there, unless that was sent or taken out meanwhile. */
  async function renew(row: DraftAttachment): Promise<void> {
    if (await renewAttachment(db, row)) await tell(row.conversationId);
  }

  async function detach({ id }: Request<'detach'>): Promise<void> {
    const conversationId = await deleteAttachment(db, id);
    if (conversationId !== undefined) await tell(conversationId);
  }

  async function preview({ id }: Request<'previewAttachment'>): Promise<Reply<'previewAttachment'>> {
    const found = await findAttachment(db, id);
    if (!found) return null;
    return isTyped(found) ? { text: found.text, pictures: [] } : attachedText([found], shownFence);
  }

  return { newId, during, cancel, draftRow, attachFile, keep, keepRows, renew, detach, preview };
}

/** A file that a page of ours holds; undefined once that is closed, or where it is too large. */
async function originalOf(url: string): Promise<Blob | undefined> {
  if (!url.startsWith('blob:')) return undefined;
  const response = await fetch(url).catch(() => undefined);
  const file = await response?.blob().catch(() => undefined);
  return file && file.size <= MOST_KEPT ? file : undefined;
}

/** Characters of one attachment's text. No model reads more. */
const MAX_TEXT = 1_000_000;
/** Bytes of all pictures of one draft; providers refuse larger requests. */
const MAX_PICTURE_BYTES = 10_000_000;

/**
 * Makes sure that an attachment can be sent at all.
 * @param others the draft's other attachments
 * @throws AppError `attachment_too_large`
 */
function requireFitting(
  { title, text, pictures = [] }: Pick<Attachment, 'title' | 'text' | 'pictures'>,
  others: Pick<Attachment, 'pictures'>[],
): void {
  if (text.length > MAX_TEXT) {
    throw tooLarge(t(($) => $.errors.input.longAttachment, { title, length: text.length, most: MAX_TEXT }));
  }
  const all = [...pictures, ...others.flatMap((other) => other.pictures ?? [])];
  const bytes = all.reduce((sum, picture) => sum + bytesOf(picture), 0);
  if (pictures.length > 0 && bytes > MAX_PICTURE_BYTES) {
    throw tooLarge(t(($) => $.errors.input.largePictures, { bytes, most: MAX_PICTURE_BYTES }));
  }
}

/** Of base64, four characters hold three bytes. */
const bytesOf = ({ data }: Picture): number => Math.floor((data.length * 3) / 4);

const tooLarge = (words: ErrorWords): AppError => new AppError({ code: 'attachment_too_large', ...words });
