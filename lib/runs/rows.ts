import { beginning } from '../agent/context/shorten.ts';
import type { QueuedMessage, Run } from '../types/run.ts';
import type { ChatChoice, Conversation } from '../types/conversation.ts';

/** A message as a panel sends it, under an id of its own making, with what was attached to the draft. */
export type Sent = Pick<QueuedMessage, 'id' | 'text' | 'attachments'>;

/** @param at ISO 8601 */
export function newConversation(
  id: string,
  { text, attachments = [] }: Omit<Sent, 'id'>,
  choice: ChatChoice,
  at: string,
): Conversation {
  const title = firstTitle(text.trim() === '' ? (attachments[0]?.title ?? '') : text);
  return { ...choice, id, title, createdAt: at, updatedAt: at, leafId: null };
}

/** @param at ISO 8601 */
export function newRun(
  id: string,
  { id: conversationId, leafId }: Pick<Conversation, 'id' | 'leafId'>,
  at: string,
): Run {
  const times = { progressAt: at, startedAt: at };
  return { id, conversationId, status: 'working', leafId, iteration: 0, resumes: 0, ...times };
}

/** The conversation as it stands while something goes on in it. */
export function withoutFailure(conversation: Conversation): Conversation {
  const { failed: _failed, ...rest } = conversation;
  return rest;
}

/** It is among the others again: something was written in it. */
export function withoutArchive(conversation: Conversation): Conversation {
  const { archivedAt: _archivedAt, ...rest } = conversation;
  return rest;
}

/** A title until the model makes a better one: the first 40 characters of the first message, on one line. */
function firstTitle(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > 40 ? `${beginning(line, 39).trimEnd()}…` : line;
}
