import { AppError } from '../../errors.ts';
import type { Message } from '../../types/message.ts';
import type { Conversation } from '../../types/conversation.ts';
import { type Database, startingWith } from '../schema.ts';
import { loadSubtree } from '../chats/message-versions.ts';
import { t } from '../../../locales/texts/errors.ts';

/** Characters from which on a page is full; it is longer by one piece at most. What a message carries is 64 MiB. */
const PAGE = 4_000_000;
/** Rows that are read together. */
const ROWS = 20;

/** Behind what an export goes on: a part of a chat, and a row of that. */
export type Mark = { chat: string; part: string; row: string };
/** A text of the file, and where it goes on behind it; one without stays with the next. */
export type Piece = { text: string; mark?: Mark };
/** The pieces of one chat, or those behind a mark in it. */
export type ChatPieces = (chat: Conversation, from: Mark | undefined) => AsyncIterable<Piece>;

/**
 * The next page of a file of chats, oldest first, archived ones among them.
 * @param ids these alone
 * @param after `next` of the page before
 * @throws AppError `export_changed` when where it is to go on is not there any more
 */
export async function exportPage(
  db: Database,
  { ids, after }: { ids?: string[] | undefined; after?: string | undefined },
  { begin, between, end, piecesOf }: { begin: string; between: string; end: string; piecesOf: ChatPieces },
): Promise<{ text: string; next?: string }> {
  const chats = await chatsOf(db, ids);
  const from = after === undefined ? undefined : readMark(after);
  const start = from ? chats.findIndex(({ id }) => id === from.chat) : 0;
  if (start === -1) throw exportChanged();
  let text = from ? '' : begin;
  for (const [index, chat] of chats.entries()) {
    if (index < start) continue;
    const isResumed = from !== undefined && index === start;
    if (index > 0 && !isResumed) text += between;
    for await (const piece of piecesOf(chat, isResumed ? from : undefined)) {
      text += piece.text;
      if (piece.mark && text.length >= PAGE) return { text, next: JSON.stringify(piece.mark) };
    }
  }
  return { text: text + end };
}

/** The next page of a Portside export, as `exportPage` gives it. @param now milliseconds @param head what comes before the chats */
export function exportChatsFile(
  db: Database,
  request: { ids?: string[] | undefined; after?: string | undefined },
  piecesOf: ChatPieces,
  now: number,
  head: object = {},
): Promise<{ text: string; next?: string }> {
  const told = { portside: 1, exportedAt: new Date(now).toISOString(), ...head };
  const begin = `${JSON.stringify(told).slice(0, -1)},"chats":[\n`;
  return exportPage(db, request, { begin, between: ',\n', end: '\n]}\n', piecesOf });
}

async function chatsOf(db: Database, ids: string[] | undefined): Promise<Conversation[]> {
  const rows = ids
    ? await Promise.all(ids.map((id) => db.get('conversations', id)))
    : await db.getAll('conversations');
  return rows
    .filter((row) => row !== undefined)
    .filter(({ deletedAt }) => deletedAt === undefined)
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id));
}

function readMark(after: string): Mark {
  try {
    const { chat, part, row } = JSON.parse(after) as Record<string, unknown>;
    if (typeof chat === 'string' && typeof part === 'string' && typeof row === 'string')
      return { chat, part, row };
  } catch {
    throw exportChanged(); // it is no mark, and as good as one that is not there any more
  }
  throw exportChanged();
}

function exportChanged(): AppError {
  return new AppError({
    code: 'export_changed',
    ...t(($) => $.errors.import.exportChanged),
    retryable: true,
  });
}

/** What comes behind `row`; everything when that is undefined. @throws AppError `export_changed` */
export function behind<T>(all: T[], row: string | undefined, idOf: (each: T) => string): T[] {
  const index = row === undefined ? -1 : all.findIndex((each) => idOf(each) === row);
  if (row !== undefined && index === -1) throw exportChanged();
  return all.slice(index + 1);
}

const PARTS = ['messages', 'toolCalls', 'attachments'] as const;

/** A chat with all its branches as JSON, a few rows at a time. */
export function jsonPieces(db: Database): ChatPieces {
  return async function* (conversation, from) {
    const { id } = conversation;
    const deleted = await deletedIds(db, id);
    const first = from ? PARTS.findIndex((part) => part === from.part) : 0;
    if (!from) yield { text: `{"conversation":${JSON.stringify(conversation)}` };
    for (const part of PARTS.slice(Math.max(0, first))) {
      const row = from?.part === part ? from.row : undefined;
      if (row === undefined) yield { text: `,"${part}":[` };
      const left = behind(await idsOf(db, part, id), row, (each) => each);
      const wanted = part === 'messages' ? left.filter((each) => !deleted.has(each)) : left;
      let isFirst = row === undefined;
      for (let at = 0; at < wanted.length; at += ROWS) {
        const rows = await Promise.all(wanted.slice(at, at + ROWS).map((key) => db.get(part, key)));
        for (const [index, value] of rows.entries()) {
          // Of a deleted message the calls are not told either.
          if (!value || ('messageId' in value && deleted.has(value.messageId))) continue;
          const mark = { chat: id, part, row: wanted[at + index] ?? '' };
          const told = 'task' in value ? { ...value, task: undefined } : value;
          yield { text: `${isFirst ? '' : ',\n'}${JSON.stringify(told)}`, mark };
          isFirst = false;
        }
      }
      yield { text: ']' };
    }
    yield { text: '}' };
  };
}

function idsOf(db: Database, part: (typeof PARTS)[number], id: string): Promise<string[]> {
  if (part === 'messages') return db.getAllKeysFromIndex(part, 'by-place', startingWith(id));
  return db.getAllKeysFromIndex(part, 'by-conversation', id);
}

/** Deleted messages of a conversation, with all that follows them. */
async function deletedIds(db: Database, conversationId: string): Promise<Set<string>> {
  const all = await db.getAllFromIndex('messages', 'by-deleted');
  const own = all.filter((message) => message.conversationId === conversationId);
  const gone: Message[][] = await Promise.all(own.map((message) => loadSubtree(db, message)));
  return new Set(gone.flat().map(({ id }) => id));
}
