import { argumentsOf, list, moment, pictureIn, record, text, thinkingIn } from '../fields.ts';
import type { Importer, Source } from '../importer.ts';
import { chatOf, joined, type ToldCall, type ToldMessage } from '../told-chat.ts';

/** The backup of Page Assist: https://github.com/n4ze3m/page-assist/blob/main/src/libs/export-import.ts */
export const pageAssist: Importer = {
  name: 'Page Assist',
  at: ['chat.*'],
  knows: (value) => {
    const { history, messages } = record(value);
    return typeof record(history)['id'] === 'string' && Array.isArray(messages);
  },
  read: (value, source) => {
    const history = record(record(value)['history']);
    const rows = list(record(value)['messages'])
      .map(record)
      .toSorted((a, b) => Number(a['createdAt']) - Number(b['createdAt']));
    const chosen = text(record(history['last_used_prompt'])['prompt_content']);
    const said = rows.filter(({ role }) => role === 'system').map((row) => text(row['content']));
    return chatOf(
      'page-assist',
      {
        id: text(history['id']),
        title: text(history['title']),
        createdAt: moment(history['createdAt']),
        updatedAt: moment(rows.at(-1)?.['createdAt']),
        system: [chosen, ...said].reduce(joined, ''),
        pinned: history['is_pinned'] === true,
        messages: messagesOf(rows, source),
      },
      source.now,
    );
  },
};

/** One after the other: it keeps no branches. */
function messagesOf(rows: Record<string, unknown>[], source: Source): ToldMessage[] {
  const messages: ToldMessage[] = [];
  const calls = new Map<string, ToldCall>();
  for (const [place, row] of rows.entries()) {
    const base = {
      id: text(row['id']) || String(place),
      parent: messages.at(-1)?.id ?? null,
      at: moment(row['createdAt']),
    };
    if (row['messageKind'] === 'tool_result' || row['role'] === 'tool') {
      const call = calls.get(text(row['toolCallId']));
      if (call) call.result = { text: text(row['content']), isError: row['toolError'] === true };
      else source.leave('other');
    } else if (row['role'] === 'user') {
      messages.push({ ...base, role: 'user', ...questionOf(row, source) });
    } else if (row['role'] === 'assistant') {
      const asked = list(row['toolCalls']).map(record).map(callOf);
      for (const call of asked) calls.set(call.id, call);
      const step = { ...thinkingIn(text(row['content'])), ...(asked.length > 0 && { calls: asked }) };
      messages.push({ ...base, role: 'assistant', model: text(row['modelName']), steps: [step] });
    }
  }
  return messages;
}

const callOf = ({ id, name, args }: Record<string, unknown>) => ({
  id: text(id),
  name: text(name),
  arguments: argumentsOf(args),
});

function questionOf(row: Record<string, unknown>, source: Source) {
  const images = list(row['images']).filter((image) => text(image) !== '');
  const pictures = images.flatMap((image) => pictureIn(image) ?? []);
  for (let at = pictures.length; at < images.length; at++) source.leave('image');
  const documents = list(row['documents']).map(record);
  documents.forEach(() => source.leave('file'));
  const names = documents.map(
    ({ filename, title, url }) => `[${text(filename) || text(title) || text(url)}]`,
  );
  return {
    text: [text(row['content']), ...names].reduce(joined, ''),
    attachments: pictures.map((picture, index) => ({ name: `${index + 1}`, picture })),
  };
}
