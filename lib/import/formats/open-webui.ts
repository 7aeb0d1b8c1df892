import { parseJson } from '../../json.ts';
import { argumentsOf, list, moment, pictureIn, record, text, textsIn, thinkingIn } from '../fields.ts';
import type { Importer, Source } from '../importer.ts';
import { chatOf, type Piece, stepsOf, type ToldAttachment, type ToldMessage } from '../told-chat.ts';

/** Exported chats of Open WebUI: https://github.com/open-webui/open-webui/blob/main/backend/open_webui/models/chats.py */
export const openWebUi: Importer = {
  name: 'Open WebUI',
  at: ['*'],
  knows: (value) => {
    const { history, messages } = record(record(value)['chat']);
    return Array.isArray(messages) || Object.keys(record(record(history)['messages'])).length > 0;
  },
  read: (value, source) => {
    const row = record(value);
    const chat = record(row['chat']);
    const history = record(chat['history']);
    const tree = Object.values(record(history['messages'])).map(record);
    return chatOf(
      'open-webui',
      {
        id: text(row['id']) || text(chat['id']),
        title: text(row['title']) || text(chat['title']),
        createdAt: moment(row['created_at']) ?? moment(chat['timestamp']),
        updatedAt: moment(row['updated_at']),
        leaf: text(history['currentId']) || undefined,
        system: text(record(chat['params'])['system']) || text(chat['system']),
        pinned: row['pinned'] === true,
        archived: row['archived'] === true,
        messages: messagesOf(tree.length > 0 ? tree : list(chat['messages']).map(record), source),
      },
      source.now,
    );
  },
};

function messagesOf(rows: Record<string, unknown>[], source: Source): ToldMessage[] {
  const messages: ToldMessage[] = [];
  for (const [place, row] of rows.entries()) {
    const base = {
      id: text(row['id']) || String(place),
      // Chats from before it had branches tell no parents.
      parent: 'parentId' in row ? text(row['parentId']) || null : (messages.at(-1)?.id ?? null),
      at: moment(row['timestamp']),
    };
    if (row['role'] === 'user')
      messages.push({ ...base, role: 'user', text: text(row['content']), attachments: filesOf(row, source) });
    else
      messages.push({
        ...base,
        role: 'assistant',
        model: text(row['model']),
        steps: stepsOf(piecesOf(row, source)),
      });
  }
  return messages;
}

function filesOf(row: Record<string, unknown>, source: Source): ToldAttachment[] {
  return list(row['files'])
    .map(record)
    .flatMap((entry): ToldAttachment[] => {
      const file = record(entry['file']);
      const name = text(entry['name']) || text(file['filename']) || '1';
      const picture = pictureIn(entry['url']);
      if (picture) return [{ name, picture }];
      const content = text(record(file['data'])['content']);
      if (content === '') source.leave(entry['type'] === 'image' ? 'image' : 'file');
      return [{ name, text: content }];
    });
}

/** What models gave as items, where it is kept; else what is shown, in which thoughts and calls are HTML. */
function piecesOf(row: Record<string, unknown>, source: Source): Piece[] {
  const output = list(row['output']).map(record);
  if (output.length === 0) return shownPieces(text(row['content']));
  return output.flatMap((part): Piece[] => {
    switch (part['type']) {
      case 'message':
        return [{ type: 'text', text: textsIn(part['content']) }];
      case 'reasoning':
        return [{ type: 'reasoning', text: textsIn(part['content']) || textsIn(part['summary']) }];
      case 'function_call': {
        const call = { name: text(part['name']), arguments: argumentsOf(part['arguments']) };
        return [{ type: 'call', id: text(part['call_id']), ...call }];
      }
      case 'function_call_output':
        return [{ type: 'result', callId: text(part['call_id']), result: { text: textsIn(part['output']) } }];
      default:
        source.leave('other');
        return [];
    }
  });
}

const [DETAILS, END] = ['<details type="', '</details>'];

function shownPieces(content: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (;;) {
    const start = content.indexOf(DETAILS, at);
    const head = start === -1 ? -1 : content.indexOf('>', start);
    const end = head === -1 ? -1 : content.indexOf(END, head);
    pieces.push(...saidIn(content.slice(at, end === -1 ? undefined : start)));
    if (end === -1) return pieces;
    pieces.push(...detailsOf(content.slice(start, head), content.slice(head + 1, end)));
    at = end + END.length;
  }
}

/** Older ones have thoughts between `<think>` and `</think>`. */
function saidIn(content: string): Piece[] {
  const { text: said, reasoning } = thinkingIn(content.trim());
  return [
    { type: 'reasoning', text: reasoning },
    { type: 'text', text: said },
  ];
}

function detailsOf(head: string, body: string): Piece[] {
  const summaryEnd = body.indexOf('</summary>');
  const inner = plain(summaryEnd === -1 ? body : body.slice(summaryEnd + 10)).trim();
  const attribute = (name: string): string => {
    const start = head.indexOf(` ${name}="`);
    const from = start + name.length + 3;
    return start === -1 ? '' : plain(head.slice(from, head.indexOf('"', from)));
  };
  if (head.startsWith(`${DETAILS}reasoning"`))
    return [{ type: 'reasoning', text: inner.replaceAll(/^> ?/gm, '') }];
  if (!head.startsWith(`${DETAILS}tool_calls"`) && !head.startsWith(`${DETAILS}code_interpreter"`))
    return [{ type: 'text', text: inner }];
  const name = attribute('name') || 'code_interpreter';
  const json = unquoted(attribute('arguments')) || JSON.stringify({ code: inner });
  return [{ type: 'call', name, arguments: json, result: { text: unquoted(attribute('result')) || inner } }];
}

/** JSON in JSON: the text of it. */
function unquoted(json: string): string {
  const value = parseJson(json);
  return typeof value === 'string' ? value : json;
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'", amp: '&' };

const plain = (html: string): string =>
  html.replaceAll(/&(lt|gt|quot|#39|#x27|amp);/g, (_, entity: string) => ENTITIES[entity] ?? '');
