import { isTyped } from '../../types/attachment.ts';
import { QUOTATIONS, type UserMessage } from '../../types/message.ts';
import type { Database } from '../schema.ts';
import { everyMessage } from './messages.ts';

/** Of a host's name. Letters of other scripts may stand beside it without a space: its own are Punycode then. */
const LETTERS = String.raw`[\p{Script=Latin}\d_-]+`;
/** With what stands before and after it in its address, which names no host, whatever it holds. */
const HOST = new RegExp(
  String.raw`(https?://(?:[^\s/?#]*@)?)?(\[[\da-f:.]+\]|${LETTERS}(?:\.${LETTERS})*)((?::\d+)?(?:[/?#]\S*)?)`,
  'gu',
);
/** A port, or a slash that no other word follows, as one does in "router/modem". */
const ENDS_ADDRESS = /^(?::\d|\/[^\p{L}\d]*$)/u;

/**
 * Whether the user named this host in one of the conversation's messages. In a chat that came from a file anyone may have.
 * @param host as `URL.hostname` writes it
 */
export async function hasUserNamed(db: Database, conversationId: string, host: string): Promise<boolean> {
  const [chat, all] = await Promise.all([
    db.get('conversations', conversationId),
    db.getAllFromIndex('messages', 'by-place', everyMessage(conversationId)),
  ]);
  return !chat?.imported && all.some((message) => message.role === 'user' && names(message, host));
}

/**
 * What also stands in a server's prompt, which is a part of the message, may be the server's: also where it was edited. What
 * they quote is others'.
 */
function names({ content, attachments = [] }: UserMessage, host: string): boolean {
  const isThere = [...content.replaceAll(QUOTATIONS, '').toLowerCase().matchAll(HOST)].some(
    ([, start, name, end = '']) =>
      name === host && (!isWord(host) || start !== undefined || ENDS_ADDRESS.test(end)),
  );
  return isThere && !attachments.some((each) => isTyped(each) && each.text.toLowerCase().includes(host));
}

/** It may be said of anything, and names a host in an address alone. */
const isWord = (host: string): boolean => host !== 'localhost' && !/[.:]/.test(host);
