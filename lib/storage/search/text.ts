import type { Message } from '../../types/message.ts';
import type { Conversation } from '../../types/setup.ts';
import type { SearchedText } from '../database.ts';
import { placesOf } from './place.ts';
import { distinctWords } from './words.ts';

/** What is searched of a message: what was said and attached, or what a tool answered; nothing while it is written. */
export function textOf(message: Message): string {
  if (message.status === 'streaming' || message.role === 'summary') return ''; // a summary repeats other messages
  if (message.role !== 'user') return message.content;
  const attached = (message.attachments ?? []).flatMap(({ title, text }) => [title, text]);
  return [message.content, ...attached].join('\n');
}

/** Its place is the first of its time: whoever puts it takes a free one. */
export function messageRow(message: Message): SearchedText {
  const { id, conversationId, timestamp, role } = message;
  const kind = role === 'tool' ? 'result' : 'message';
  return {
    id,
    place: placesOf(timestamp).first,
    conversationId,
    kind,
    words: distinctWords(textOf(message)),
  };
}

/** The same of a title. */
export function titleRow({ id, title, updatedAt }: Conversation): SearchedText {
  return {
    id,
    place: placesOf(updatedAt).first,
    conversationId: id,
    kind: 'title',
    words: distinctWords(title),
  };
}
