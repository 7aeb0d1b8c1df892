import { behind, type ChatPieces } from '../../../lib/storage/import-export/export-chats.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { loadCalls, loadPath } from '../../../lib/storage/chats/messages.ts';
import type { CallLine, ChatLine } from '../../../lib/types/chat-line.ts';
import type { Message } from '../../../lib/types/message.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';

const written = (line: ChatLine): string => `${JSON.stringify(line)}\n`;

/** The branch of a chat that is shown, as lines that a page makes readable. */
export function linePieces(db: Database): ChatPieces {
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
