import type { ChatMessage } from './answer.ts';

/**
 * What the demo model calls a chat, where it is asked for a title: the first words of the user's message. Undefined for
 * any other question. Pure.
 */
export function titleAskedFor(messages: ChatMessage[]): string | undefined {
  const [system, user] = messages.map(({ content }) => (typeof content === 'string' ? content : ''));
  if (!system?.startsWith('Write a title for the chat')) return undefined;
  const question = /<(external-\w+) from="user">\n([^]*?)\n<\/\1>/.exec(user ?? '')?.[2] ?? '';
  return question
    .replace(/[“”"]/g, '')
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 8)
    .join(' ')
    .replace(/[.?!]$/, '');
}
