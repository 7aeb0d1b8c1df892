import { AppError, toWire } from '../../../lib/errors.ts';
import type { Commands, Reply, Request } from '../../../lib/protocol/commands.ts';
import type { ImportOutcome, CallLine, ChatLine } from '../../../lib/protocol/data.ts';
import type { ChatListEvent } from '../../../lib/protocol/panel.ts';
import type { Runs } from '../../../lib/runs/runs.ts';
import { type Database, startingWith } from '../../../lib/storage/schema.ts';
import {
  behind,
  type ChatPieces,
  exportChatsFile,
  exportPage,
  jsonPieces,
} from '../../../lib/storage/import-export/export-chats.ts';
import { putChat, readChat } from '../../../lib/storage/import-export/import-chat.ts';
import { invalid } from '../input.ts';
import { importProject, projectInFile } from './project-file.ts';
import { isOpenAiChat, readOpenAiChat } from './openai-import.ts';
import { shownFence } from '../../../lib/agent/context/fence.ts';
import { requireImporter } from '../../../lib/fleet/rules.ts';
import { fencedMessages } from '../../../lib/agent/context/for-model.ts';
import { repairHistory } from '../../../lib/models/request/history.ts';
import { toWireMessages } from '../../../lib/models/request/wire-messages.ts';
import { loadPath, loadCalls } from '../../../lib/storage/chats/messages.ts';
import { t } from '../../../locales/texts/errors.ts';
import type { Message } from '../../../lib/types/message.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';

export type ChatFilesDeps = {
  /** To every page. */
  send: (event: ChatListEvent) => void;
  /** There is something new to search. */
  written: () => void;
  runs: Pick<Runs, 'switchVersion' | 'changed' | 'change'> & { chats: Pick<Runs['chats'], 'restore'> };
  now: () => number;
};

/** Chats to files and back. */
export function createChatFiles(db: Database, { send, written, runs, now }: ChatFilesDeps) {
  /** @throws AppError `export_changed` */
  async function exportAll({
    format,
    project,
    after,
    ...given
  }: Request<'exportChats'>): ReturnsOf<'exportChats'> {
    const ids =
      project === undefined
        ? given.ids
        : await db.getAllKeysFromIndex('conversations', 'by-project', startingWith(project));
    const request = { ids, after };
    if (format === 'lines') {
      return exportPage(db, request, { begin: '', between: '', end: '', piecesOf: linePieces(db) });
    }
    if (format === 'openai') {
      return exportPage(db, request, { begin: '', between: '\n', end: '\n', piecesOf: openAiPieces(db) });
    }
    if (format !== 'json') throw invalid(t(($) => $.errors.input.format));
    const head = project === undefined ? {} : { project: await projectInFile(db, project) };
    return exportChatsFile(db, request, jsonPieces(db), now(), head);
  }

  async function importMany({ chats, from = [] }: Request<'importChats'>): ReturnsOf<'importChats'> {
    const outcomes: Reply<'importChats'>['outcomes'] = [];
    for (const [index, chat] of chats.entries()) {
      const added = async () => {
        requireImporter(from[index] ?? 'Portside');
        const { project } = Object(chat) as { project?: unknown };
        if (project === undefined) return importOne({ chat });
        return importProject(db, project);
      };
      outcomes.push(await added().catch((error: unknown) => ({ error: toWire(error) })));
    }
    return { outcomes };
  }

  /** @throws AppError `bad_import` */
  async function importOne({ chat }: { chat: unknown }): Promise<ImportOutcome> {
    const at = new Date(now()).toISOString();
    const read = readChat(isOpenAiChat(chat) ? await readOpenAiChat(chat, at) : chat);
    const { conversation, outcome, goesOnFrom } = await putChat(db, read, () => crypto.randomUUID());
    const { id } = conversation;
    if (outcome !== 'known') written();
    if (outcome === 'updated') {
      // A run that is live there writes the row as it knows it.
      await runs.change(id, (before) => ({ ...before, imported: true }));
      runs.changed(id);
    }
    if (outcome !== 'known') send({ type: 'conversation', conversation });
    const isBack = conversation.deletedAt !== undefined;
    if (isBack) await runs.chats.restore({ ids: [id] });
    if (goesOnFrom !== undefined) await showEnd(goesOnFrom);
    return { conversationId: id, outcome: isBack ? 'new' : outcome };
  }

  /** A run that is live in the chat goes on where it is; what was added is another version then. */
  async function showEnd(messageId: string): Promise<void> {
    await runs.switchVersion({ messageId }).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== 'run_live') throw error;
    });
  }

  return { exportAll, importOne, importMany };
}

type ReturnsOf<K extends keyof Commands> = Promise<Reply<K>>;

/** Of no server in particular: nothing is left out, and nothing of one provider's own is in it. */
const NEUTRAL = { model: '', quirks: {}, sees: true, tools: true, dropped: [] };

/**
 * The branch of a chat that is shown, as an OpenAI-compatible server takes it: `{"title", "messages"}`, the system prompt
 * among them (https://platform.openai.com/docs/api-reference/chat/create#chat-create-messages).
 */
function openAiPieces(db: Database): ChatPieces {
  return async function* ({ id, title, leafId, settings }, from) {
    const path = await loadPath(db, id, leafId);
    const said = path.filter(({ role }) => role !== 'summary'); // what it tells of is there itself
    const told = fencedMessages(said, shownFence);
    const messages = toWireMessages(settings.system, repairHistory(told), NEUTRAL);
    const rows = messages.map((message, index) => ({ message, row: String(index) }));
    if (!from) yield { text: `{"title":${JSON.stringify(title)},"messages":[` };
    for (const { message, row } of behind(rows, from?.row, (each) => each.row))
      yield {
        text: `${row === '0' ? '' : ','}${JSON.stringify(message)}`,
        mark: { chat: id, part: 'messages', row },
      };
    yield { text: ']}' };
  };
}

const written = (line: ChatLine): string => `${JSON.stringify(line)}\n`;

/** The branch of a chat that is shown, as lines that a page makes readable. */
function linePieces(db: Database): ChatPieces {
  return async function* ({ id, leafId, title, createdAt }, from) {
    const path = await loadPath(db, id, leafId);
    if (!from) yield { text: written({ type: 'chat', title, createdAt }) };
    const turns = path.filter(({ role }) => role !== 'tool');
    for (const message of behind(turns, from?.row, (each) => each.id)) {
      const results = path.filter(({ parentId, role }) => role === 'tool' && parentId === message.id);
      const calls = await loadCalls(db, [message, ...results]);
      const mark = { chat: id, part: 'messages', row: message.id };
      yield { text: written(lineOf(message, calls)), mark };
    }
  };
}

function lineOf(message: Message, calls: ToolCall[]): ChatLine {
  const { role, timestamp, status, content } = message;
  const attached = (message.role === 'user' && message.attachments) || [];
  return {
    type: 'message',
    role,
    timestamp,
    status,
    content,
    attached: attached.map(({ title }) => title),
    calls: calls.map(callLine),
    ...(message.role === 'assistant' && {
      ...(message.model !== undefined && { model: message.model }),
      ...(message.reasoning !== undefined && { reasoning: message.reasoning }),
    }),
  };
}

const callLine = ({
  toolName,
  serverName,
  status,
  edited,
  arguments: asked,
  result,
}: ToolCall): CallLine => ({
  toolName,
  serverName,
  status,
  arguments: edited ?? asked,
  ...(result && { result: result.text }),
  pictures: result?.blocks?.filter((block) => block.type === 'image' && !block.moment).length ?? 0,
});
