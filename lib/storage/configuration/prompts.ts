import { isSameName } from '../../types/names.ts';
import type { SavedPrompt } from '../../types/setup.ts';
import type { Database } from '../schema.ts';

/**
 * Adds or changes a prompt, whose name no other one may have.
 * @returns its id; undefined when another one has the name
 */
export async function putPrompt(
  db: Database,
  prompt: Omit<SavedPrompt, 'id'> & { id?: number },
): Promise<number | undefined> {
  const tx = db.transaction('prompts', 'readwrite');
  const others = (await tx.store.getAll()).filter(({ id }) => id !== prompt.id);
  const isTaken = others.some(({ name }) => isSameName(name, prompt.name));
  const id = isTaken ? undefined : await tx.store.put(prompt as SavedPrompt);
  await tx.done;
  return id;
}

export async function deletePrompt(db: Database, id: number): Promise<void> {
  await db.delete('prompts', id);
}
