import type { Snapshot } from '../protocol/panel.ts';
import type { Conversation } from '../types/setup.ts';
import type { Chat } from './chat.ts';

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

/** What was queued here before the worker ended, and is neither queued nor sent now: nobody could tell this page. */
export function takenBack({ runs }: Chat, snapshot: Snapshot): string[] {
  const kept = new Set([...snapshot.runs, ...snapshot.messages].map(({ id }) => id));
  return runs.flatMap(({ id, status, queued }) =>
    status === 'queued' && queued && !kept.has(id) && !kept.has(queued.id) ? [queued.text] : [],
  );
}
