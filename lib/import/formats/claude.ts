import { argumentsOf, list, moment, record, text, textsIn } from '../fields.ts';
import type { Importer, Source } from '../importer.ts';
import { chatOf, joined, type Piece, stepsOf, type ToldMessage } from '../told-chat.ts';

/**
 * `conversations.json` in the archive that Claude sends (https://support.claude.com/en/articles/9450526), or one chat as
 * its page has it.
 */
export const claude: Importer = {
  name: 'Claude',
  at: ['*', 'conversations.*'],
  knows: (value) => Array.isArray(record(value)['chat_messages']),
  read: (value, source) => {
    const chat = record(value);
    return chatOf(
      'claude',
      {
        id: text(chat['uuid']),
        title: text(chat['name']),
        createdAt: moment(chat['created_at']),
        updatedAt: moment(chat['updated_at']),
        leaf: text(chat['current_leaf_message_uuid']) || undefined,
        pinned: chat['is_starred'] === true,
        messages: messagesOf(list(chat['chat_messages']).map(record), source),
      },
      source.now,
    );
  },
};

function messagesOf(rows: Record<string, unknown>[], source: Source): ToldMessage[] {
  const messages: ToldMessage[] = [];
  for (const [place, row] of rows.entries()) {
    const id = text(row['uuid']) || String(place);
    const { parent_message_uuid: named } = row;
    // Older exports tell no parents: there each follows the one before.
    const parent = typeof named === 'string' ? named : (messages.at(-1)?.id ?? null);
    const at = moment(row['created_at']);
    messages.push(
      row['sender'] === 'human'
        ? { id, parent, at, role: 'user', ...questionOf(row, source) }
        : { id, parent, at, role: 'assistant', steps: stepsOf(piecesOf(row, source)) },
    );
  }
  return messages;
}

/** The export has the text of what was attached, and of pictures and other files no more than their names. */
function questionOf(row: Record<string, unknown>, source: Source) {
  const attachments = list(row['attachments']).map(record);
  const files = list(row['files'])
    .map((file) => text(record(file)['file_name']))
    .filter((name) => name !== '');
  for (const name of files) source.leave(/\.(?:png|jpe?g|gif|webp)$/i.test(name) ? 'image' : 'file');
  const said = textsIn(list(row['content']).filter((part) => record(part)['type'] === 'text'));
  return {
    text: [said || text(row['text']), ...files.map((name) => `[${name}]`)].reduce(joined, ''),
    attachments: attachments.map((each) => ({
      name: text(each['file_name']),
      text: text(each['extracted_content']),
    })),
  };
}

function piecesOf(row: Record<string, unknown>, source: Source): Piece[] {
  const parts = list(row['content']).map(record);
  if (parts.length === 0) return [{ type: 'text', text: text(row['text']) }];
  return parts.flatMap((part): Piece[] => {
    switch (part['type']) {
      case 'text':
        return [{ type: 'text', text: text(part['text']) }];
      case 'thinking':
        return [{ type: 'reasoning', text: text(part['thinking']) }];
      case 'tool_use': {
        const call = { name: text(part['name']), arguments: argumentsOf(part['input']) };
        return [{ type: 'call', id: text(part['id']), ...call }];
      }
      case 'tool_result': {
        const result = { text: textsIn(part['content']), isError: part['is_error'] === true };
        return [{ type: 'result', callId: text(part['tool_use_id']), result }];
      }
      case 'token_budget':
      case 'flag':
        return [];
      default:
        source.leave('other');
        return [];
    }
  });
}
