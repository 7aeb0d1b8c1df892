import {
  type Attachment,
  type AttachmentSource,
  type AttachmentSummary,
  isTyped,
  summed,
} from '../../types/attachment.ts';
import type { Message } from '../../types/message.ts';
import { type Database, startingWith } from '../schema.ts';

export type DraftAttachment = Attachment & { conversationId: string };

/** Whether it is the same resource, skill, part of a page or prompt's text; of what else a prompt has, each is another. */
export function isSameSource(one: AttachmentSource, other: AttachmentSource): boolean {
  if (one.type === 'page' && other.type === 'page') {
    const isClicked = one.tabId < 0; // a page has many such
    return !isClicked && one.tabId === other.tabId && one.part === other.part && one.url === other.url;
  }
  if (
    (one.type === 'resource' && other.type === 'resource') ||
    (one.type === 'skill' && other.type === 'skill')
  ) {
    return one.serverId === other.serverId && one.uri === other.uri;
  }
  if (one.type === 'app' && other.type === 'app') return one.callId === other.callId;
  if (one.type !== 'prompt' || other.type !== 'prompt' || !one.isTyped || !other.isTyped) return false;
  return one.serverId === other.serverId && one.name === other.name;
}

/**
 * Adds it to its draft, in the place of the same resource if that is there already.
 * @param file it is kept as it was, under the attachment's id
 * @returns it as it is kept
 */
export async function putAttachment(
  db: Database,
  attachment: DraftAttachment,
  file?: Blob,
): Promise<DraftAttachment> {
  const tx = db.transaction(['attachments', 'files'], 'readwrite');
  const attachments = tx.objectStore('attachments');
  const draft = await attachments.index('by-conversation').getAll(attachment.conversationId);
  const same = draft.find(({ source }) => isSameSource(source, attachment.source));
  const { id } = same ?? attachment;
  const kept = { ...attachment, id, ...(file && { fileId: id }) };
  await Promise.all([attachments.put(kept), file && tx.objectStore('files').put(file, id), tx.done]);
  return kept;
}

/** Takes over what was read anew, unless the attachment was sent or taken out meanwhile. @returns whether it was */
export async function renewAttachment(db: Database, attachment: DraftAttachment): Promise<boolean> {
  const tx = db.transaction('attachments', 'readwrite');
  const isThere = (await tx.store.getKey(attachment.id)) !== undefined;
  if (isThere) await tx.store.put(attachment);
  await tx.done;
  return isThere;
}

/** @returns the conversation whose draft it was taken out of; undefined when it was in none */
export async function deleteAttachment(db: Database, id: string): Promise<string | undefined> {
  const tx = db.transaction('attachments', 'readwrite');
  const row = await tx.store.get(id);
  await Promise.all([tx.store.delete(id), tx.done]);
  if (row?.fileId !== undefined) await removeUnusedFiles(db);
  return row?.conversationId;
}

/** What the draft of a conversation carries, in the order of their ids, which is that in which they were added. */
export async function draftAttachments(db: Database, conversationId: string): Promise<AttachmentSummary[]> {
  const rows = await db.getAllFromIndex('attachments', 'by-conversation', conversationId);
  return rows.map(attachmentSummary);
}

/**
 * Attachments of drafts, whole, in the order of `ids`; those that are gone are left out, but for what tells that a text is a
 * server's: one that another message took along comes as a copy.
 */
export async function attachmentsById(db: Database, ids: string[]): Promise<Attachment[]> {
  const found = ids.map(async (id) => {
    const row = await db.get('attachments', id);
    if (row) return withoutConversation(row);
    const taken = await findAttachment(db, id);
    return taken && isTyped(taken) ? { ...taken, id: crypto.randomUUID() } : [];
  });
  return (await Promise.all(found)).flat();
}

export function attachmentSummary(row: Attachment & { conversationId?: string }): AttachmentSummary {
  const {
    text: _text,
    pictures: _pictures,
    whole: _whole,
    conversationId: _conversationId,
    ...summary
  } = row;
  return { ...summary, ...summed(row) };
}

function withoutConversation({
  conversationId: _conversationId,
  ...attachment
}: DraftAttachment): Attachment {
  return attachment;
}

/** An attachment of a draft, a queued message or a sent one, which is looked for in the newest conversations first. */
export async function findAttachment(db: Database, id: string): Promise<Attachment | undefined> {
  const draft = await db.get('attachments', id);
  if (draft) return draft;
  const queued = await db.getAllFromIndex('runs', 'by-status', 'queued');
  const waiting = queued.flatMap((run) => run.queued?.attachments ?? []).find((each) => each.id === id);
  if (waiting) return waiting;
  const conversations = await db.getAllKeysFromIndex('conversations', 'by-updated');
  for (const conversationId of conversations.toReversed()) {
    const all = startingWith(conversationId);
    const messages = await db.getAllFromIndex('messages', 'by-place', all);
    const sent = messages.flatMap(attachmentsOf).find((each) => each.id === id);
    if (sent) return sent;
  }
  return undefined;
}

const attachmentsOf = (message: Message): Attachment[] =>
  message.role === 'user' ? (message.attachments ?? []) : [];

/**
 * Removes the files that nothing refers to any more: no message, though a deleted one that can be restored, no draft and
 * nothing that is queued.
 */
export async function removeUnusedFiles(db: Database): Promise<void> {
  if ((await db.count('files')) === 0) return;
  const tx = db.transaction(['files', 'messages', 'attachments', 'runs'], 'readwrite');
  const [files, messages] = [tx.objectStore('files'), tx.objectStore('messages').index('by-file')];
  const [ids, drafted, queued] = await Promise.all([
    files.getAllKeys(),
    tx.objectStore('attachments').getAll(),
    tx.objectStore('runs').index('by-status').getAll('queued'),
  ]);
  const attached = [...drafted, ...queued.flatMap((run) => run.queued?.attachments ?? [])];
  const used = new Set(attached.map(({ fileId }) => fileId));
  const counts = await Promise.all(ids.map((id) => (used.has(id) ? 1 : messages.count(id))));
  await Promise.all([...ids.filter((_id, at) => counts[at] === 0).map((id) => files.delete(id)), tx.done]);
}
