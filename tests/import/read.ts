import type { Left } from '../../lib/import/importer.ts';
import { type Found, readChats } from '../../lib/import/read-chats.ts';
import { type ImportedChat, readChat } from '../../lib/storage/import-export/import-chat.ts';
import { zip } from '../files/made.ts';

const NOW = '2026-11-22T10:00:00.000Z';

/** Everything that is found in a file, and what came of it. */
export async function readAll(file: Blob): Promise<{ found: Found[]; outcome: unknown }> {
  const found: Found[] = [];
  const chats = readChats(file, NOW);
  for (;;) {
    const { value, done } = await chats.next();
    if (done) return { found, outcome: value };
    found.push(value);
  }
}

/** The chats of a file, as the worker takes them, and what of them was left. */
export async function chatsOf(
  file: Blob,
): Promise<{ chats: ImportedChat[]; left: Left[]; unread: unknown[] }> {
  const { found } = await readAll(file);
  const chats = found.filter((each) => each.type === 'chat');
  return {
    chats: chats.map(({ chat }) => readChat(JSON.parse(JSON.stringify(chat)))),
    left: chats.map(({ left }) => left),
    unread: found.filter((each) => each.type === 'unread').map(({ title, why }) => [title, why]),
  };
}

/** A chat as it reads: each branch to its end, a line for what is said, called and answered. */
export function told({ conversation, messages, toolCalls = [] }: ImportedChat): string[][] {
  const turns = messages.filter(({ role }) => role !== 'tool');
  const parents = new Set(turns.map(({ parentId }) => parentId));
  const lineOf = (message: (typeof turns)[number]): string[] => [
    ...(message.role === 'assistant' && message.reasoning ? [`thinks: ${message.reasoning}`] : []),
    ...(message.content === '' ? [] : [`${message.role}: ${message.content}`]),
    ...(message.role === 'user'
      ? (message.attachments ?? []).map(({ title, text, pictures = [] }) =>
          `attached: ${title} ${text}${pictures.map(({ mimeType }) => `<${mimeType}>`).join('')}`.trim(),
        )
      : []),
    ...toolCalls
      .filter(({ messageId }) => messageId === message.id)
      .map(({ toolName, arguments: json, status, result }) => {
        const pictures = (result?.blocks ?? []).filter(({ type }) => type === 'image').map(() => '<image>');
        return `${toolName} ${json} ${status}: ${result?.text ?? ''}${pictures.join('')}`;
      }),
  ];
  return turns
    .filter(({ id }) => !parents.has(id))
    .toSorted((a, b) => Number(b.id === conversation.leafId) - Number(a.id === conversation.leafId))
    .map((leaf) => {
      const branch: string[] = [];
      for (let at: (typeof turns)[number] | undefined = leaf; at;) {
        branch.unshift(...lineOf(at));
        const { parentId }: { parentId: string | null } = at;
        at = turns.find(({ id }) => id === parentId);
      }
      return branch;
    });
}

/** A file of JSON. */
export const json = (value: unknown): Blob => new Blob([JSON.stringify(value)]);

/** An archive of these files. */
export const archive = (files: Record<string, string | Uint8Array>): Blob =>
  new Blob([zip(Object.entries(files), { packed: true })]);

/** A picture of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
