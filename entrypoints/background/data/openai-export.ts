import { shownFence } from '../../../lib/agent/context/fence.ts';
import { toldMessages } from '../../../lib/agent/context/for-model.ts';
import { repairHistory } from '../../../lib/models/request/history.ts';
import { toWireMessages } from '../../../lib/models/request/wire-messages.ts';
import { behind, type ChatPieces } from '../../../lib/storage/import-export/export-chats.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { loadPath } from '../../../lib/storage/chats/messages.ts';

/** Of no server in particular: nothing is left out, and nothing of one provider's own is in it. */
const NEUTRAL = { model: '', quirks: {}, sees: true, tools: true, dropped: [] };

/**
 * The branch of a chat that is shown, as an OpenAI-compatible server takes it: `{"title", "messages"}`, the system prompt
 * among them (https://platform.openai.com/docs/api-reference/chat/create#chat-create-messages).
 */
export function openAiPieces(db: Database): ChatPieces {
  return async function* ({ id, title, leafId, settings }, from) {
    const path = await loadPath(db, id, leafId);
    const said = path.filter(({ role }) => role !== 'summary'); // what it tells of is there itself
    const told = toldMessages(said, shownFence);
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
