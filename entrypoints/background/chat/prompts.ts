import { withoutControlTokens } from '../../../lib/control-tokens.ts';
import type { Request } from '../../../lib/protocol/commands.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { nameTaken, putPrompt } from '../../../lib/storage/configuration/prompts.ts';
import { requireOwn } from '../../../lib/fleet/rules.ts';
import type { FolderFile } from '../../../lib/files/skill-folder.ts';
import type { SavedPrompt } from '../../../lib/types/prompt.ts';
import { requireSkill } from './own-skills.ts';
import { invalid, requireName } from '../input.ts';
import { t } from '../../../locales/texts/errors.ts';

const LONGEST_NAME = 60;
const LONGEST_TEXT = 50_000;

/** The user's own texts for the `/` menu. */
export function createPrompts(db: Database, changed: () => Promise<void>) {
  /** Without control tokens, which a server's prompt may have put into it. @throws AppError `invalid_input`, `name_taken`, `set_by_organisation` */
  async function save(input: Request<'savePrompt'>): Promise<{ id: number }> {
    const { text, ...prompt } = requirePrompt(input);
    if (input.id !== undefined) requireOwn(await db.get('prompts', input.id));
    const said = { ...prompt, text: withoutControlTokens(text) };
    const id = await putPrompt(db, { ...said, ...(input.id !== undefined && { id: input.id }) });
    if (id === undefined) throw nameTaken(prompt.name);
    await changed();
    return { id };
  }

  async function remove({ id }: { id: number }): Promise<void> {
    requireOwn(await db.get('prompts', id));
    await db.delete('prompts', id);
    await changed();
  }

  return { save, remove };
}

/** The files of a skill's folder as a file of settings has them. @throws AppError `invalid_input` */
function folderOf({ text, skill }: Record<string, unknown>): FolderFile[] {
  const { files } = Object(skill) as { files?: unknown };
  const others = Array.isArray(files) ? files : [];
  return [{ path: 'SKILL.md', text }, ...others].map((each: unknown) => {
    const { path, text: content } = Object(each) as Partial<FolderFile>;
    if (typeof path !== 'string' || typeof content !== 'string')
      throw invalid(t(($) => $.errors.skills.broken));
    return { path, text: content };
  });
}

/** @throws AppError `invalid_input` */
export function requirePrompt(input: unknown): Omit<SavedPrompt, 'id'> {
  const fields = Object(input) as Record<string, unknown>;
  if (fields['skill'] !== undefined) return requireSkill(folderOf(fields));
  const name = requireName(fields['name'], LONGEST_NAME);
  const { text } = fields;
  if (typeof text !== 'string' || text.trim() === '') throw invalid(t(($) => $.errors.input.noText));
  if (text.length > LONGEST_TEXT) throw invalid(t(($) => $.errors.input.longText, { most: LONGEST_TEXT }));
  return { name, text };
}
