import type { Reply, Request } from '../../protocol/commands.ts';
import { createChatMarkdown } from '../chat/chat-markdown.ts';

export type ChatFormat = 'markdown' | 'json' | 'openai';
type Page = Reply<'exportChats'>;

/**
 * The parts of a file of chats, page after page. For Markdown the worker gives what is in it, and the page writes it.
 * @param ask for a page; undefined: there is none to be had
 * @param told the characters so far, before each page and at the end; false ends it
 * @returns undefined when it was ended before its end
 */
export async function exportParts(
  format: ChatFormat,
  ask: (request: Pick<Request<'exportChats'>, 'format' | 'after'>) => Promise<Page | undefined>,
  told: (size: number) => boolean = () => true,
): Promise<string[] | undefined> {
  const toText = format === 'markdown' ? createChatMarkdown() : (text: string) => text;
  const parts: string[] = [];
  let size = 0;
  let next: string | undefined;
  do {
    if (!told(size)) return undefined;
    const asked = format === 'markdown' ? 'lines' : format;
    const page = await ask({ format: asked, ...(next !== undefined && { after: next }) });
    if (!page) return undefined;
    const text = toText(page.text);
    parts.push(text);
    size += text.length;
    next = page.next;
  } while (next !== undefined);
  return told(size) ? parts : undefined;
}
