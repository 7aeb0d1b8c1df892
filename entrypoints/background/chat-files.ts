import type { Commands, PanelEvent } from '../../lib/protocol.ts';
import type { Database } from '../../lib/storage/database.ts';
import { exportPage, jsonPieces } from '../../lib/storage/export-chats.ts';
import { putChat, readChat } from '../../lib/storage/import-chat.ts';
import * as inputErrors from '../../locales/errors/input.ts';
import { markdownPieces } from './chat-markdown.ts';
import { invalid } from './input.ts';

type Request<K extends keyof Commands> = Parameters<Commands[K]>[0];

/** Chats to files and back. `send`: to every page; `written`: there is something new to search. */
export function createChatFiles(
  db: Database,
  { send, written, now }: { send: (event: PanelEvent) => void; written: () => void; now: () => number },
) {
  /** @throws AppError `export_changed` */
  async function exportAll({ format, ids, after }: Request<'exportChats'>): ReturnsOf<'exportChats'> {
    const request = { ids, after };
    if (format === 'markdown') {
      const piecesOf = markdownPieces(db);
      return exportPage(db, request, { begin: '', between: '\n---\n\n', end: '', piecesOf });
    }
    if (format !== 'json') throw invalid(inputErrors.format);
    const exportedAt = new Date(now()).toISOString();
    const begin = `{"portside":1,"exportedAt":"${exportedAt}","chats":[\n`;
    return exportPage(db, request, { begin, between: ',\n', end: '\n]}\n', piecesOf: jsonPieces(db) });
  }

  /** @throws AppError `bad_import` */
  async function importOne({ chat }: Request<'importChat'>): ReturnsOf<'importChat'> {
    const conversation = await putChat(db, readChat(chat), () => crypto.randomUUID());
    send({ type: 'conversation', conversation });
    written();
    return { conversationId: conversation.id };
  }

  return { exportAll, importOne };
}

type ReturnsOf<K extends keyof Commands> = Promise<ReturnType<Commands[K]>>;
