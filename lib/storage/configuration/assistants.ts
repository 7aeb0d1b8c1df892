import type { Assistant } from '../../types/conversation.ts';
import type { Database } from '../schema.ts';

/** Adds or changes an assistant. @returns its id */
export function putAssistant(
  db: Database,
  assistant: Omit<Assistant, 'id'> & { id?: number },
): Promise<number> {
  return db.put('assistants', assistant as Assistant);
}

export async function deleteAssistant(db: Database, id: number): Promise<void> {
  await db.delete('assistants', id);
}
