import { argumentsOf, list, moment, record, text } from '../fields.ts';
import type { Importer, Source } from '../importer.ts';
import { chatOf, joined, type Piece, stepsOf, type ToldMessage } from '../told-chat.ts';

/**
 * A chat as LibreChat exports it, as a list of messages or a tree of them
 * (https://github.com/danny-avila/LibreChat/blob/main/client/src/hooks/Conversations/useExportConversation.ts).
 */
export const librechat: Importer = {
  name: 'LibreChat',
  at: ['*'],
  knows: (value) => {
    const { conversationId, messages, messagesTree } = record(value);
    return typeof conversationId === 'string' && [messages, messagesTree].some(Array.isArray);
  },
  read: (value, source) => {
    const { conversationId, title, options, messages, messagesTree } = record(value);
    const rows = flat(list(messagesTree ?? messages));
    const times = rows.flatMap((row) => moment(row['createdAt']) ?? []).toSorted();
    return chatOf(
      'librechat',
      {
        id: text(conversationId),
        title: text(title),
        createdAt: times[0],
        updatedAt: times.at(-1),
        system: text(record(options)['promptPrefix']),
        messages: rows.map((row, place) => messageOf(row, place, source)),
      },
      source.now,
    );
  },
};

/** Each message behind its parent, whether it stands in it or beside it. */
function flat(roots: unknown[]): Record<string, unknown>[] {
  const rows = roots.map(record);
  for (const row of rows) for (const child of list(row['children'])) rows.push(record(child));
  return rows;
}

function messageOf(row: Record<string, unknown>, place: number, source: Source): ToldMessage {
  const base = {
    id: text(row['messageId']) || String(place),
    parent: text(row['parentMessageId']) || null,
    at: moment(row['createdAt']),
  };
  if (row['isCreatedByUser'] !== true) {
    return { ...base, role: 'assistant', model: text(row['model']), steps: stepsOf(piecesOf(row, source)) };
  }
  const files = list(row['files']).map(record);
  for (const file of files) source.leave(text(file['type']).startsWith('image/') ? 'image' : 'file');
  const names = files.map((file) => `[${text(file['filename'])}]`);
  return { ...base, role: 'user', text: [wordsOf(row), ...names].reduce(joined, '') };
}

/** Text, or what has it as its value. */
const textIn = (part: Record<string, unknown>): string =>
  text(part['text']) || text(record(part['text'])['value']);

const wordsOf = (row: Record<string, unknown>): string =>
  text(row['text']) || list(row['content']).map(record).map(textIn).reduce(joined, '');

function piecesOf(row: Record<string, unknown>, source: Source): Piece[] {
  const parts = list(row['content']).map(record);
  if (parts.length === 0) return [{ type: 'text', text: text(row['text']) }];
  return parts.flatMap((part): Piece[] => {
    switch (part['type']) {
      case 'text':
      case 'error':
        return [{ type: 'text', text: textIn(part) || text(part['error']) }];
      case 'think':
        return [{ type: 'reasoning', text: text(part['think']) || text(record(part['think'])['value']) }];
      case 'tool_call':
        return [callOf(record(part['tool_call']))];
      default:
        source.leave(part['type'] === 'image_file' ? 'image' : 'other');
        return [];
    }
  });
}

/** A call has its result with it; one of a function may have both one level deeper. */
function callOf(call: Record<string, unknown>): Piece {
  const made = { ...call, ...record(call['function']), ...record(call['code_interpreter']) };
  const output = made['output'] ?? made['outputs'];
  const json = argumentsOf(made['args'] ?? made['arguments'] ?? made['input']);
  return {
    type: 'call',
    name: text(made['name']) || text(call['type']),
    arguments: json,
    ...(output !== undefined && {
      result: { text: typeof output === 'string' ? output : argumentsOf(output) },
    }),
  };
}
