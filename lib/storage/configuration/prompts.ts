import { isSameName } from '../../types/names.ts';
import type { SavedPrompt } from '../../types/prompt.ts';
import type { Database } from '../schema.ts';
import { AppError } from '../../errors.ts';
import { t } from '../../../locales/texts/errors.ts';

/** Adds or changes a prompt, whose name no other one may have. @returns its id; undefined when another one has the name */
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

/** The same for a skill, in the place of one of its name. @throws AppError `name_taken` when a prompt has it */
export async function putSkill(db: Database, skill: Omit<SavedPrompt, 'id'>): Promise<void> {
  const known = (await db.getAll('prompts')).find(({ name }) => isSameName(name, skill.name));
  const id = known?.skill && { id: known.id };
  if ((await putPrompt(db, { ...skill, ...id })) === undefined) throw nameTaken(skill.name);
}

export function nameTaken(name: string): AppError {
  return new AppError({ code: 'name_taken', ...t(($) => $.errors.input.nameTaken, { name }) });
}
