import { isTyped } from '../../types/attachment.ts';
import type { UserMessage } from '../../types/message.ts';
import type { Database } from '../schema.ts';
import { everyMessage } from './messages.ts';

/** Of a host's name. Letters of other scripts may stand beside it without a space: its own are Punycode then. */
const LETTERS = String.raw`[\p{Script=Latin}\d_-]+`;
/** With the rest of its address, which names no host, whatever it holds. */
const HOST = new RegExp(String.raw`(\[[\da-f:.]+\]|${LETTERS}(?:\.${LETTERS})*)(?:(?::\d+)?[/?#]\S*)?`, 'gu');

/**
 * Whether the user named this host in one of the conversation's messages. In a chat that came from a file anyone may have:
 * nothing tells what was written there later.
 * @param host as `URL.hostname` writes it
 */
export async function hasUserNamed(db: Database, conversationId: string, host: string): Promise<boolean> {
  const [chat, all] = await Promise.all([
    db.get('conversations', conversationId),
    db.getAllFromIndex('messages', 'by-place', everyMessage(conversationId)),
  ]);
  return !chat?.imported && all.some((message) => message.role === 'user' && names(message, host));
}

/** What also stands in a server's prompt, which is a part of the message, may be the server's: also where it was edited. */
function names({ content, attachments = [] }: UserMessage, host: string): boolean {
  const isThere = [...content.toLowerCase().matchAll(HOST)].some(([, name]) => name === host);
  return isThere && !attachments.some((each) => isTyped(each) && each.text.toLowerCase().includes(host));
}
