import type { ChatChoice, ToolOverrides } from './conversation.ts';

/** Chats with instructions, files, tools and notes (`Note.project`) of their own. */
export type Project = {
  id: number;
  /** By which its chats and notes refer to it, wherever it was imported. */
  key: string;
  name: string;
  instructions: string;
  /** What is off in its chats, unless a chat has it on. */
  tools?: ToolOverrides;
  files: ProjectFile[];
  /** It came from a file, and the user has not switched it on: nothing of it is used. */
  isOff?: true;
};

/** What a model reads of a file. */
export type ProjectFile = { id: string; name: string; text: string };

/** As pages get it: without the texts of its files, of which they are told the characters. */
export type ProjectSummary = Omit<Project, 'files'> & {
  files: (Omit<ProjectFile, 'text'> & { length: number })[];
};

/** Characters of a name, and of the text of all files of a project. */
export const LONGEST_PROJECT_NAME = 200;
export const MOST_FILE_TEXT = 100_000;

/** The project of a chat, also one that is off. */
export const projectIn = <P extends Pick<Project, 'key'>>(
  projects: P[],
  chat: { project?: ChatChoice['project'] | undefined } | null | undefined,
): P | undefined => projects.find(({ key }) => key === chat?.project);

/** The same, if anything of it is used. */
export function projectInUse<P extends Pick<Project, 'key' | 'isOff'>>(
  ...given: Parameters<typeof projectIn<P>>
): P | undefined {
  const project = projectIn(...given);
  return project?.isOff ? undefined : project;
}

/** What a chat has on or off: its own choice goes before its project's. */
export const withProjectTools = (
  project: Pick<Project, 'tools'> | undefined,
  own: ToolOverrides | undefined,
): ToolOverrides | undefined => (project?.tools ? { ...project.tools, ...own } : own);
