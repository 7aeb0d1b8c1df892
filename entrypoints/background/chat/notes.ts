import { withoutInvisible } from '../../../lib/invisible.ts';
import type { Request } from '../../../lib/protocol/commands.ts';
import { putNote } from '../../../lib/storage/configuration/notes.ts';
import { projectOf } from '../../../lib/storage/configuration/projects.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { inOneLine } from '../../../lib/types/names.ts';
import { LONGEST_NOTE, type Note } from '../../../lib/types/note.ts';
import { invalid } from '../input.ts';
import { t } from '../../../locales/texts/errors.ts';

/** Names that are kept of those whose text may be behind a note, and characters of each. */
const MOST_NAMES = 20;
const LONGEST_NAME = 200;

/** What models are to know of the user. */
export function createNotes(db: Database, changed: () => Promise<void>) {
  /** What the user writes is theirs, whoever wrote it before. @throws AppError `invalid_input` */
  async function save({ id, project, ...input }: Request<'saveNote'>): Promise<{ id: number }> {
    const { text } = requireNote(input);
    const saved = await putNote(db, {
      text,
      ...(id !== undefined && { id }),
      ...(project !== undefined && { project }),
    });
    await changed();
    return { id: saved };
  }

  async function remove({ id }: { id: number }): Promise<void> {
    await db.delete('notes', id);
    await changed();
  }

  /** Keeps what a model proposed, after the user chose to. `from`: whose text may be behind it. */
  async function remember(
    text: string,
    { conversationId, from }: { conversationId: string; from?: string[] },
  ): Promise<void> {
    const project = await projectOf(db, await db.get('conversations', conversationId));
    const note = requireNote({ text: inOneLine(text), from });
    await putNote(db, { ...note, ...(project && { project: project.key }) });
    await changed();
  }

  return { save, remove, remember };
}

/** What the user could not see of it is not kept. @throws AppError `invalid_input` */
export function requireNote(input: unknown): Omit<Note, 'id'> {
  const { text: given, from } = Object(input) as Record<string, unknown>;
  const text = typeof given === 'string' ? withoutInvisible(given).text.trim() : '';
  if (text === '') throw invalid(t(($) => $.errors.input.noText));
  if (text.length > LONGEST_NOTE) throw invalid(t(($) => $.errors.input.longText, { most: LONGEST_NOTE }));
  // They go into the row of each answer to which the note is sent.
  const names = (Array.isArray(from) ? from : [])
    .filter((each) => typeof each === 'string')
    .slice(0, MOST_NAMES)
    .map((each) => inOneLine(withoutInvisible(each.slice(0, LONGEST_NAME)).text));
  return { text, ...(names.length > 0 && { from: names }) };
}
