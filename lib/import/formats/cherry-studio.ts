import { parseJson } from '../../json.ts';
import { argumentsOf, list, moment, pictureIn, record, text, textsIn } from '../fields.ts';
import type { Importer, Source } from '../importer.ts';
import type { Item } from '../json-items.ts';
import { chatOf, joined, type Piece, stepsOf, type ToldAttachment, type ToldMessage } from '../told-chat.ts';

const [BLOCKS, STATE] = ['indexedDB.message_blocks.*', 'localStorage'];

/**
 * `data.json` in a backup of Cherry Studio up to version 5 of the format, with the files beside it
 * (https://github.com/CherryHQ/cherry-studio/blob/v1/src/renderer/src/services/BackupService.ts). Later backups copy the
 * browser's own files, which nothing but a browser reads.
 */
export const cherryStudio: Importer = {
  name: 'Cherry Studio',
  at: ['indexedDB.topics.*'],
  knows: (value) => typeof record(value)['id'] === 'string' && Array.isArray(record(value)['messages']),
  prepare: async (items) => prepared(items([BLOCKS, STATE])),
  read: async (value, source) => {
    const topic = record(value);
    const { blocks, topics } = source.prepared as Prepared;
    const id = text(topic['id']);
    const about = topics.get(id);
    const messages = await messagesOf(list(topic['messages']).map(record), blocks, source);
    return chatOf(
      'cherry-studio',
      {
        id,
        title: about?.title ?? '',
        createdAt: moment(about?.createdAt) ?? messages[0]?.at,
        updatedAt: moment(about?.updatedAt) ?? messages.at(-1)?.at,
        system: about?.system ?? '',
        pinned: about?.pinned === true,
        messages,
      },
      source.now,
    );
  },
};

/** `blocks`: what messages are made of, by their ids. `topics`: what stands with the assistant that a chat is of. */
type Prepared = { blocks: Map<string, Record<string, unknown>>; topics: Map<string, About> };
type About = { title: string; createdAt: unknown; updatedAt: unknown; pinned: boolean; system: string };

async function prepared(items: AsyncIterable<Item>): Promise<Prepared> {
  const blocks: Prepared['blocks'] = new Map();
  const topics: Prepared['topics'] = new Map();
  for await (const item of items) {
    if (item.type !== 'value') continue;
    const value = record(item.value);
    if (item.path === BLOCKS) blocks.set(text(value['id']), value);
    else for (const [id, about] of topicsIn(value)) topics.set(id, about);
  }
  return { blocks, topics };
}

/** JSON in JSON in JSON, as redux-persist writes it. */
function topicsIn(storage: Record<string, unknown>): [string, About][] {
  const state = record(opened(storage['persist:cherry-studio']));
  const { defaultAssistant, assistants } = record(opened(state['assistants']));
  return [defaultAssistant, ...list(assistants)].map(record).flatMap((assistant) =>
    list(assistant['topics'])
      .map(record)
      .map((topic): [string, About] => [
        text(topic['id']),
        {
          title: text(topic['name']),
          createdAt: topic['createdAt'],
          updatedAt: topic['updatedAt'],
          pinned: topic['pinned'] === true,
          system: text(assistant['prompt']),
        },
      ]),
  );
}

const opened = (value: unknown): unknown => (typeof value === 'string' ? parseJson(value) : value);

/** Answers of several models to one question are its versions; the chat goes on from the one that was chosen. */
async function messagesOf(
  rows: Record<string, unknown>[],
  blocks: Prepared['blocks'],
  source: Source,
): Promise<ToldMessage[]> {
  const messages: ToldMessage[] = [];
  let last: string | null = null;
  let asked: string | null = null;
  for (const [place, row] of rows.entries()) {
    if (row['type'] === 'clear') continue;
    const id = text(row['id']) || String(place);
    const parts = list(row['blocks']).map((block) => record(blocks.get(text(block))));
    const at = moment(row['createdAt']);
    if (row['role'] === 'user') {
      const attachments = await filesOf(parts, source);
      const said = parts.length > 0 ? parts.map(wordsOf).reduce(joined, '') : text(row['content']);
      messages.push({ id, parent: last, at, role: 'user', text: said, attachments });
      last = asked = id;
    } else if (row['role'] === 'assistant') {
      const isVersion = asked !== null && text(row['askId']) === asked;
      const pieces = parts.length > 0 ? await piecesOf(parts, source) : [said(text(row['content']))];
      const model = text(row['modelId']) || text(record(row['model'])['id']);
      messages.push({
        id,
        parent: isVersion ? asked : last,
        at,
        role: 'assistant',
        model,
        steps: stepsOf(pieces),
      });
      const isFirst = last === asked;
      if (isFirst || row['foldSelected'] === true || row['useful'] === true) last = id;
    }
  }
  return messages;
}

const said = (words: string): Piece => ({ type: 'text', text: words });

const wordsOf = (block: Record<string, unknown>): string =>
  block['type'] === 'main_text' || block['type'] === 'code' ? text(block['content']) : '';

async function filesOf(blocks: Record<string, unknown>[], source: Source): Promise<ToldAttachment[]> {
  const files: ToldAttachment[] = [];
  for (const block of blocks) {
    if (block['type'] !== 'image' && block['type'] !== 'file') continue;
    const file = record(block['file']);
    const name = text(file['origin_name']) || text(file['name']) || '1';
    const picture = await pictureOf(block, source);
    const words = picture ? undefined : await source.text(isOf(file));
    if (!picture && words === undefined) source.leave(block['type']);
    files.push({ name, ...(picture ? { picture } : { text: words ?? '' }) });
  }
  return files;
}

const pictureOf = async (block: Record<string, unknown>, source: Source) =>
  pictureIn(block['url']) ?? (await source.picture(isOf(record(block['file']))));

/** `Data/Files/0a1b.png`, by its id. */
const isOf = (file: Record<string, unknown>) => {
  const id = text(file['id']);
  return (path: string): boolean => id !== '' && path.includes(`/Files/${id}`);
};

async function piecesOf(blocks: Record<string, unknown>[], source: Source): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for (const block of blocks) {
    switch (block['type']) {
      case 'main_text':
      case 'compact':
        pieces.push(said(text(block['content'])));
        break;
      case 'code':
        pieces.push(said(`\`\`\`${text(block['language'])}\n${text(block['content'])}\n\`\`\``));
        break;
      case 'thinking':
        pieces.push({ type: 'reasoning', text: text(block['content']) });
        break;
      case 'error':
        pieces.push(said(text(record(block['error'])['message'])));
        break;
      case 'tool':
        pieces.push(callOf(block));
        break;
      case 'image': {
        const picture = await pictureOf(block, source);
        if (!picture) source.leave('image');
        else
          pieces.push({
            type: 'call',
            name: 'image',
            arguments: '{}',
            result: { text: '', pictures: [picture] },
          });
        break;
      }
      case 'citation':
      case 'unknown':
        break;
      default:
        source.leave('other');
    }
  }
  return pieces;
}

/** What a server answered stands in the raw response, or is the content itself. */
function callOf(block: Record<string, unknown>): Piece {
  const raw = record(record(block['metadata'])['rawMcpToolResponse']);
  const name = text(block['toolName']) || text(record(raw['tool'])['name']) || text(block['toolId']);
  const content = block['content'] ?? raw['response'];
  const words =
    textsIn(content) || textsIn(record(content)['content']) || (content ? argumentsOf(content) : '');
  const isError = block['status'] === 'error' || record(content)['isError'] === true;
  const json = argumentsOf(block['arguments'] ?? raw['arguments']);
  return { type: 'call', name, arguments: json, result: { text: words, isError } };
}
