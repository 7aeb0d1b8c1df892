import { parseJson } from '../../json.ts';
import { argumentsOf, list, moment, record, text, textsIn } from '../fields.ts';
import type { Importer, Source } from '../importer.ts';
import {
  chatOf,
  inOrder,
  joined,
  type ToldAttachment,
  type ToldCall,
  type ToldMessage,
} from '../told-chat.ts';

/**
 * `conversations.json`, or `conversations-000.json` and on, in the archive that ChatGPT sends. No specification says what
 * it is; who takes it apart agrees on this: https://github.com/mohamed-chs/convoviz/blob/main/docs/dev/chatgpt-spec.md
 */
export const chatgpt: Importer = {
  name: 'ChatGPT',
  at: ['*', 'conversations.*'],
  knows: (value) => Object.keys(record(record(value)['mapping'])).length > 0,
  read: async (value, source) => {
    const chat = record(value);
    const { messages, endOf } = await messagesOf(record(chat['mapping']), source);
    return chatOf(
      'chatgpt',
      {
        id: text(chat['conversation_id']) || text(chat['id']),
        title: text(chat['title']),
        createdAt: moment(chat['create_time']),
        updatedAt: moment(chat['update_time']),
        leaf: endOf(text(chat['current_node'])),
        pinned: typeof chat['pinned_time'] === 'number' || chat['is_starred'] === true,
        archived: chat['is_archived'] === true,
        messages,
      },
      source.now,
    );
  },
};

/** What a node leaves to those after it: the message that they follow, a call without its result, and thoughts. */
type Here = { parent: string | null; call?: ToldCall; thoughts: string };

/** What ChatGPT itself does not show of a chat. */
const HIDDEN = new Set([
  'user_editable_context',
  'model_editable_context',
  'reasoning_recap',
  'app_pairing_content',
]);

async function messagesOf(mapping: Record<string, unknown>, source: Source) {
  const messages: ToldMessage[] = [];
  const here = new Map<string, Here>();
  const nodes = Object.entries(mapping).map(([id, value]) => {
    const { parent, message } = record(value);
    return { id, parent: text(parent), message: record(message) };
  });
  for (const { id, parent, message } of inOrder(nodes)) {
    const before = here.get(parent) ?? { parent: null, thoughts: '' };
    here.set(id, await readNode(id, message, before));
  }
  return { messages, endOf: (node: string) => here.get(node)?.parent };

  async function readNode(id: string, message: Record<string, unknown>, before: Here): Promise<Here> {
    const content = record(message['content']);
    const type = text(content['content_type']);
    const role = text(record(message['author'])['role']);
    const isHidden = record(message['metadata'])['is_visually_hidden_from_conversation'] === true;
    if (isHidden || type === '' || HIDDEN.has(type)) return before;
    if (role === 'user') return readQuestion(id, message, before);
    if (role === 'tool') return readResult(id, message, before);
    if (role !== 'assistant') return before;
    if (type === 'thoughts') return { ...before, thoughts: joined(before.thoughts, thoughtsIn(content)) };
    return readAnswer(id, message, before);
  }

  async function readQuestion(id: string, message: Record<string, unknown>, before: Here): Promise<Here> {
    const { said, attachments } = await partsOf(record(message['content']), source);
    const files = await filesOf(message, source);
    if (said === '' && attachments.length + files.length === 0) return before;
    const at = moment(message['create_time']);
    messages.push({
      id,
      parent: before.parent,
      at,
      role: 'user',
      text: said,
      attachments: [...attachments, ...files],
    });
    return { parent: id, thoughts: '' };
  }

  async function readAnswer(id: string, message: Record<string, unknown>, before: Here): Promise<Here> {
    const content = record(message['content']);
    const { said, attachments } = await partsOf(content, source);
    const tool = text(message['recipient']) || 'all';
    const call: ToldCall | undefined =
      tool === 'all'
        ? undefined
        : { name: tool, arguments: isFilled(said) ? said : argumentsOf({ code: said }) };
    // A model's own pictures come as the results of calls; those that don't are shown as one.
    const pictures = attachments.flatMap(({ picture }) => picture ?? []);
    if (said === '' && pictures.length === 0) return before;
    const shown: ToldCall | undefined =
      pictures.length > 0 ? { name: 'image', arguments: '{}', result: { text: '', pictures } } : undefined;
    const calls = [call, shown].filter((each) => each !== undefined);
    messages.push({
      id,
      parent: before.parent,
      at: moment(message['create_time']),
      role: 'assistant',
      model: text(record(message['metadata'])['model_slug']),
      steps: [
        {
          text: call ? '' : content['content_type'] === 'code' ? `\`\`\`\n${said}\n\`\`\`` : said,
          reasoning: before.thoughts,
          ...(calls.length > 0 && { calls }),
        },
      ],
    });
    return { parent: id, thoughts: '', ...(call && { call }) };
  }

  /** Adds it to the result of the call before it; without one it is shown as a call of its own. */
  async function readResult(id: string, message: Record<string, unknown>, before: Here): Promise<Here> {
    const content = record(message['content']);
    const { said, attachments } = await partsOf(content, source);
    const pictures = attachments.flatMap(({ picture }) => picture ?? []);
    if (said === '' && pictures.length === 0) return before;
    const isError = content['content_type'] === 'system_error';
    const call = before.call ?? { name: text(record(message['author'])['name']), arguments: '{}' };
    const { text: earlier, isError: hadError, pictures: others = [] } = call.result ?? { text: '' };
    for (const picture of pictures) others.push(picture);
    call.result = { text: joined(earlier, said), isError: isError || hadError === true, pictures: others };
    if (before.call) return before;
    const at = moment(message['create_time']);
    const steps = [{ text: '', reasoning: before.thoughts, calls: [call] }];
    messages.push({ id, parent: before.parent, at, role: 'assistant', steps });
    return { parent: id, thoughts: '', call };
  }
}

/** Marks of quotations, which ChatGPT draws as links: from one private character to another. */
const CITATIONS = /\uE200[^\uE200\uE201]{0,1000}\uE201/g;

async function partsOf(content: Record<string, unknown>, source: Source) {
  const said: string[] = [];
  const attachments: ToldAttachment[] = [];
  for (const part of list(content['parts'])) {
    const { content_type: type, asset_pointer: pointer } = record(part);
    if (typeof part === 'string') said.push(part);
    else if (type === 'image_asset_pointer') {
      const name = idIn(text(pointer));
      const picture = await source.picture((path) => isOf(path, name));
      if (picture) attachments.push({ name, picture });
      else leave('image', name);
    } else if (type === 'audio_transcription') said.push(text(record(part)['text']));
    else if (text(type).includes('audio')) source.leave('audio');
    else source.leave('other');
  }
  // Those without parts: code, its output, errors, quotations of pages.
  if (!Array.isArray(content['parts'])) {
    const words = text(content['text']) || textsIn(content['result']);
    said.push([text(content['title']), text(content['url']), words].filter(Boolean).join('\n'));
  }
  const shown = said.map((each) => each.replaceAll(CITATIONS, '')).filter((each) => each.trim() !== '');
  return { said: shown.join('\n\n'), attachments };

  function leave(kind: 'image', name: string): void {
    source.leave(kind);
    said.push(`[${name}]`);
  }
}

/** What was attached besides the pictures: the text of those that are text. */
async function filesOf(message: Record<string, unknown>, source: Source): Promise<ToldAttachment[]> {
  const { content, metadata } = message;
  const shown = new Set(
    list(record(content)['parts']).map((part) => idIn(text(record(part)['asset_pointer']))),
  );
  const files: ToldAttachment[] = [];
  for (const file of list(record(metadata)['attachments']).map(record)) {
    const [id, name] = [text(file['id']), text(file['name'])];
    if (shown.has(id)) continue;
    const words = id === '' ? undefined : await source.text((path) => isOf(path, id));
    if (words === undefined) source.leave('file');
    files.push({ name, text: words ?? '' });
  }
  return files;
}

/** `file-service://file-AbC` and `sediment://file_0012`, where a query may follow. */
const idIn = (pointer: string): string => /^[\w-]+:\/\/([\w-]+)/.exec(pointer)?.[1] ?? pointer;

/** `file-AbC-holiday.png`, `file_0012-sanitized.png`, `dalle-generations/file-AbC-1b2c.webp`. */
function isOf(path: string, id: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return id !== '' && name.startsWith(id) && !/^\w/.test(name.slice(id.length));
}

const thoughtsIn = (content: Record<string, unknown>): string =>
  list(content['thoughts'])
    .map(record)
    .map(({ summary, content: thought }) => joined(text(summary) && `**${text(summary)}**`, text(thought)))
    .reduce(joined, '');

/** A JSON object with something in it. */
const isFilled = (json: string): boolean => Object.keys(record(parseJson(json))).length > 0;
