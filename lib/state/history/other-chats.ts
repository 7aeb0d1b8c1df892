import type { Conversation } from '../../types/conversation.ts';

/** A chat of which nothing but its id is known, until its snapshot comes. */
export const unread = (id: string, title = ''): Conversation => ({
  id,
  title,
  createdAt: '',
  updatedAt: '',
  leafId: null,
  providerId: null,
  model: null,
  settings: {},
});
