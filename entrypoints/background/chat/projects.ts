import { AppError } from '../../../lib/errors.ts';
import { withoutInvisible } from '../../../lib/invisible.ts';
import type { Request } from '../../../lib/protocol/commands.ts';
import { deleteProject } from '../../../lib/storage/configuration/projects.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import {
  LONGEST_PROJECT_NAME,
  MOST_FILE_TEXT,
  type Project,
  type ProjectFile,
} from '../../../lib/types/project.ts';
import { LONGEST_SYSTEM } from '../../../lib/types/settings.ts';
import { invalid, requireName } from '../input.ts';
import { requireChoice } from './chat-input.ts';
import { t } from '../../../locales/texts/errors.ts';

/** Chats that share instructions, files, tools and notes (docs/projects.md). */
export function createProjects(db: Database, changed: () => Promise<void>) {
  /** @throws AppError `invalid_input` */
  async function save({ id, ...input }: Request<'saveProject'>): Promise<{ id: number }> {
    const before = id === undefined ? undefined : await db.get('projects', id);
    const { tools } = requireChoice({ ...(input.tools && { tools: input.tools }) });
    const saved = await db.put('projects', {
      ...(before && { id: before.id }),
      key: before?.key ?? crypto.randomUUID(),
      ...requireWords(input),
      ...(tools && { tools }),
      files: before?.files ?? [],
    } as Project);
    await changed();
    return { id: saved };
  }

  async function remove({ id }: { id: number }): Promise<void> {
    await deleteProject(db, id);
    await changed();
  }

  /** @throws AppError `invalid_input`, `attachment_too_large` */
  async function addFile({ id, name, text }: Request<'addProjectFile'>): Promise<void> {
    await change(id, (files) => withFile(files, { name, text }));
  }

  const removeFile = ({ id, fileId }: Request<'removeProjectFile'>): Promise<void> =>
    change(id, (files) => files.filter((file) => file.id !== fileId));

  async function change(id: number, changeFiles: (files: ProjectFile[]) => ProjectFile[]): Promise<void> {
    const tx = db.transaction('projects', 'readwrite');
    const project = await tx.store.get(id);
    if (project) await tx.store.put({ ...project, files: changeFiles(project.files) });
    await tx.done;
    await changed();
  }

  async function readFile({ id, fileId }: Request<'readProjectFile'>): Promise<{ text: string }> {
    const project = await db.get('projects', id);
    return { text: project?.files.find((file) => file.id === fileId)?.text ?? '' };
  }

  return { save, remove, addFile, removeFile, readFile };
}

/** What the user could not see of it is not kept. @throws AppError `invalid_input` */
export function requireWords({
  name: given,
  instructions: said,
}: Partial<Record<'name' | 'instructions', unknown>>): Pick<Project, 'name' | 'instructions'> {
  const seen = (text: unknown): string => withoutInvisible(typeof text === 'string' ? text : '').text;
  const name = requireName(seen(given), LONGEST_PROJECT_NAME);
  const instructions = seen(said).trim();
  if (instructions.length > LONGEST_SYSTEM)
    throw invalid(t(($) => $.errors.input.longText, { most: LONGEST_SYSTEM }));
  return { name, instructions };
}

/** One of the same name makes way. @throws AppError `invalid_input`, `attachment_too_large` */
export function withFile(
  files: ProjectFile[],
  { name, text }: Partial<Record<'name' | 'text', unknown>>,
): ProjectFile[] {
  const title = requireName(name, LONGEST_PROJECT_NAME);
  if (typeof text !== 'string' || text.trim() === '') throw invalid(t(($) => $.errors.input.noText));
  const others = files.filter((file) => file.name !== title);
  const most = others.reduce((left, file) => left - file.text.length, MOST_FILE_TEXT);
  if (text.length > most) {
    const words = t(($) => $.errors.input.longAttachment, { title, length: text.length, most });
    throw new AppError({ code: 'attachment_too_large', ...words });
  }
  return [...others, { id: crypto.randomUUID(), name: title, text }];
}
