import { requireImporter } from '../../../lib/fleet/rules.ts';
import { AppError } from '../../../lib/errors.ts';
import { type FolderFile, skillFolders, skillOf } from '../../../lib/files/skill-folder.ts';
import { folderIn } from '../../../lib/mcp/calls/skills.ts';
import { skillName } from '../../../lib/mcp/names.ts';
import type { Request } from '../../../lib/protocol/commands.ts';
import { putSkill } from '../../../lib/storage/configuration/prompts.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import type { SavedPrompt } from '../../../lib/types/prompt.ts';
import type { Tool } from '../../../lib/types/tools/server-tool.ts';
import { skillSchema } from '../../../lib/types/tools/skill.ts';
import { t } from '../../../locales/texts/errors.ts';
import { sha256 } from '../../../lib/sha256.ts';

const MOST_FILES = 512;
/** Characters of all its files. */
const MOST_TEXT = 2_000_000;

/** Skills of the user's own, out of folders. */
export function createOwnSkills(db: Database, changed: () => Promise<void>) {
  /** One that has the name of another replaces it. @throws AppError `no_skill`, `invalid_input`, `name_taken`; none is added then */
  async function importAll({ files }: Request<'importSkills'>): Promise<{ names: string[] }> {
    requireImporter('Skills');
    const folders = skillFolders(files);
    if (folders.length === 0) throw new AppError({ code: 'no_skill', ...t(($) => $.errors.skills.none) });
    const skills = folders.map(requireSkill);
    for (const skill of skills) await putSkill(db, skill);
    await changed();
    return { names: skills.map(({ name }) => name) };
  }
  return { importAll };
}

/** @throws AppError `invalid_input` */
export function requireSkill(files: FolderFile[]): Omit<SavedPrompt, 'id'> {
  const skill = skillOf(files);
  if (!skill) throw new AppError({ code: 'invalid_input', ...t(($) => $.errors.skills.broken) });
  const size = files.reduce((sum, { text }) => sum + text.length, 0);
  if (files.length > MOST_FILES || size > MOST_TEXT)
    throw new AppError({ code: 'invalid_input', ...t(($) => $.errors.skills.large, { name: skill.name }) });
  return skill;
}

const rootOf = (name: string): string => `own://${name}/`;

/** All files of one of the user's own, by their addresses. */
const filesOf = ({ name, text, skill }: SavedPrompt): FolderFile[] =>
  [{ path: 'SKILL.md', text }, ...(skill?.files ?? [])].map(({ path, text: each }) => ({
    path: rootOf(name) + path,
    text: each,
  }));

export async function ownSkillTools(db: Database): Promise<OwnRow[]> {
  const prompts = await db.getAll('prompts');
  return Promise.all(prompts.flatMap((prompt) => (prompt.skill ? rowOf(prompt, prompt.skill) : [])));
}

type OwnRow = Pick<
  Tool,
  'name' | 'offeredName' | 'title' | 'description' | 'inputSchema' | 'annotations' | 'skill'
>;

async function rowOf(prompt: SavedPrompt, { description }: { description: string }): Promise<OwnRow> {
  const { name } = prompt;
  const uri = `${rootOf(name)}SKILL.md`;
  const offeredName = skillName('own', name, uri, true);
  const resources = filesOf(prompt).map(async ({ path, text }) => ({ uri: path, ...(await digestOf(text)) }));
  return {
    name: uri,
    offeredName,
    title: name,
    description,
    inputSchema: skillSchema(offeredName, uri),
    annotations: { title: name, readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    skill: { frontmatter: { name, description }, resources: await Promise.all(resources) },
  };
}

async function digestOf(text: string): Promise<{ digest: string; size: number }> {
  return { digest: `sha256:${await sha256(text)}`, size: new TextEncoder().encode(text).byteLength };
}

/** A file of one of the user's own skills, by default its SKILL.md, or what lies in a folder of it. @throws AppError `skill_no_file` */
export async function readOwnSkill(
  db: Database,
  { name: uri, title, skill }: Pick<Tool, 'name' | 'title' | 'skill'>,
  file = 'SKILL.md',
): Promise<string> {
  const path = file.replace(/^\.?\//, '');
  const inside = skill && folderIn({ ...skill, uri }, path);
  if (inside) return inside.join('\n');
  const prompt = (await db.getAll('prompts')).find(({ name }) => name === title);
  const found = prompt && filesOf(prompt).find((each) => each.path === rootOf(prompt.name) + path);
  if (!found) throw new AppError({ code: 'skill_no_file', ...t(($) => $.errors.skills.noFile) });
  return found.text;
}
