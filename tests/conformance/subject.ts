import type { ServerStatus } from '../../lib/types/server.ts';
import type { SkillEntry } from '../../lib/types/tools/skill.ts';

/** Where the suite's authorization servers expect Portside's metadata document. */
export const CLIENT_METADATA_URL = 'https://conformance-test.local/client-metadata.json';

/** A client registered by hand, as a scenario hands it out. */
export type GivenClient = { id: string; secret: string };

/** Portside as the official suites drive it: in Node, or inside the built extension. */
export type Subject = {
  /** Saves a server and connects it. @returns its id */
  add(url: string, client: GivenClient | undefined): Promise<number>;
  status(id: number): Promise<ServerStatus>;
  /** What the user's press on Sign in does. @throws Error when it comes to nothing */
  signIn(id: number): Promise<void>;
  /** Its tools that a model would be offered. */
  tools(id: number): Promise<{ name: string; inputSchema: Record<string, unknown> }[]>;
  /** The addresses of its skills, each with the files of it that are listed. */
  skills(id: number): Promise<{ uri: string; files: string[] }[]>;
  /** Loads a skill's SKILL.md, or reads another file of it, as the user allowed it. @throws Error what is wrong with it */
  loadSkill(id: number, uri: string, file?: string): Promise<void>;
  /** Makes a call; forms that the server asks for meanwhile are accepted as they stand, empty. */
  call(id: number, name: string, args: Record<string, unknown>): Promise<void>;
  /** The names of its prompts and the addresses of its resources. */
  offer(id: number): Promise<{ prompts: string[]; resources: string[] }>;
  getPrompt(id: number, name: string): Promise<void>;
  readResource(id: number, uri: string): Promise<void>;
  remove(id: number): Promise<void>;
  close(): Promise<void>;
};

export const filesOf = ({ resources }: SkillEntry): string[] =>
  resources === 'dynamic' ? [] : resources.map(({ uri }) => uri);
