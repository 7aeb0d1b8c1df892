/** What a file holds: chats, one by one as they are to be imported, or settings as text, or neither. */
export type Export =
  | { type: 'chats'; chats: unknown[] }
  | { type: 'settings'; text: string }
  | { type: 'not_json' }
  | { type: 'unknown' };

const SETTINGS = ['settings', 'mcpServers', 'serverSettings', 'providers', 'assistants', 'prompts'];

/** Recognises one of Portside's own exports. Whether what is in it is as it should be is for the worker to say. */
export function readExport(text: string): Export {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { type: 'not_json' };
  }
  if (typeof value !== 'object' || value === null) return { type: 'unknown' };
  if ('chats' in value && Array.isArray(value.chats)) return { type: 'chats', chats: value.chats };
  const isOurs = 'portside' in value && SETTINGS.some((key) => key in value);
  return isOurs ? { type: 'settings', text } : { type: 'unknown' };
}

/** The title of a chat of an export, if it has one. */
export function titleIn(chat: unknown): string | undefined {
  const { conversation } = Object(chat) as { conversation?: unknown };
  const { title } = Object(conversation) as { title?: unknown };
  return typeof title === 'string' && title.trim() !== '' ? title : undefined;
}
