import { type Project, projectInUse, withProjectTools } from '../../types/project.ts';
import type { ChatChoice, ToolOverrides } from '../../types/conversation.ts';
import type { Database } from '../schema.ts';

type Chat = Pick<ChatChoice, 'project' | 'tools'> | undefined;

/** The project of a chat, if it is switched on. */
export async function projectOf(db: Database, chat: Chat): Promise<Project | undefined> {
  return chat?.project ? projectInUse(await db.getAll('projects'), chat) : undefined;
}

/** What a chat has on or off, by itself or by its project. */
export async function overridesOf(db: Database, chat: Chat): Promise<ToolOverrides | undefined> {
  return withProjectTools(await projectOf(db, chat), chat?.tools);
}

/** Removes it with its notes; its chats stay. */
export async function deleteProject(db: Database, id: number): Promise<void> {
  const tx = db.transaction(['projects', 'notes'], 'readwrite');
  const [projects, notes] = [tx.objectStore('projects'), tx.objectStore('notes')];
  const project = await projects.get(id);
  const own = (await notes.getAll()).filter((note) => note.project === project?.key && project);
  await Promise.all([projects.delete(id), ...own.map((note) => notes.delete(note.id)), tx.done]);
}
