import { AppError } from '../../../lib/errors.ts';
import type { Commands } from '../../../lib/protocol/commands.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { deletePrompt, putPrompt } from '../../../lib/storage/configuration/prompts.ts';
import type { SavedPrompt } from '../../../lib/types/setup.ts';
import { invalid, requireName } from '../input.ts';
import { t } from '../../../locales/texts/errors.ts';

const LONGEST_NAME = 60;
const LONGEST_TEXT = 50_000;

/** The user's own texts for the `/` menu. */
export function createPrompts(db: Database, changed: () => Promise<void>) {
  /** @throws AppError `invalid_input`, `name_taken` */
  async function save(input: Parameters<Commands['savePrompt']>[0]): Promise<{ id: number }> {
    const prompt = requirePrompt(input);
    const id = await putPrompt(db, { ...prompt, ...(input.id !== undefined && { id: input.id }) });
    if (id === undefined) throw nameTaken(prompt.name);
    await changed();
    return { id };
  }

  async function remove({ id }: { id: number }): Promise<void> {
    await deletePrompt(db, id);
    await changed();
  }

  return { save, remove };
}

/** @throws AppError `invalid_input` */
export function requirePrompt(input: unknown): Omit<SavedPrompt, 'id'> {
  const fields = Object(input) as Record<string, unknown>;
  const name = requireName(fields['name'], LONGEST_NAME);
  const { text } = fields;
  if (typeof text !== 'string' || text.trim() === '') throw invalid(t(($) => $.errors.input.noText));
  if (text.length > LONGEST_TEXT) throw invalid(t(($) => $.errors.input.longText, { most: LONGEST_TEXT }));
  return { name, text };
}

function nameTaken(name: string): AppError {
  return new AppError({ code: 'name_taken', ...t(($) => $.errors.input.nameTaken, { name }) });
}
