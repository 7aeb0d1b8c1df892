import * as z from 'zod/mini';
import { offeredName } from '../../../lib/mcp/names.ts';
import type { ProjectOutcome } from '../../../lib/protocol/data.ts';
import {
  badImport,
  checked,
  fields,
  list,
  readShape,
  text,
} from '../../../lib/storage/import-export/shapes.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { OWN_NAME, OWN_TOOLS } from '../../../lib/types/tools/tool-source.ts';
import { isSameName } from '../../../lib/types/names.ts';
import type { Project, ProjectFile } from '../../../lib/types/project.ts';
import { requireNote } from '../chat/notes.ts';
import { requireWords, withFile } from '../chat/projects.ts';
import { t } from '../../../locales/texts/errors.ts';

/** That came from files: each page is told of all of them at once. */
const MOST_PROJECTS = 50;
/** Characters of what pages are told of one. */
const MOST_TOLD = 200_000;

const name = text(200, 1);
/** Of a server's (lib/mcp/offer/read-tools.ts), or a skill's address. */
const toolName = text(2_000, 1);
const projectShape = fields(
  { key: text(100, 1), words: checked((value) => requireWords(Object(value) as object)) },
  {
    files: list(fields({ name, text: z.string() }), 100),
    notes: list(checked(requireNote), 100),
    off: list(fields({ server: name }, { tool: toolName }), 1_000),
  },
);

/** A project as a file has it; servers and tools go by their names. @throws AppError `bad_import` when it is gone */
export async function projectInFile(db: Database, key: string): Promise<object> {
  const [projects, notes, servers, tools] = await Promise.all([
    db.getAll('projects'),
    db.getAll('notes'),
    db.getAll('servers'),
    db.getAll('tools'),
  ]);
  const project = projects.find((each) => each.key === key);
  if (!project) throw badImport(t(($) => $.errors.import.exportChanged).message);
  const sources = [...servers, { id: OWN_TOOLS, name: OWN_NAME }];
  const isOff = (offered: string): boolean => project.tools?.[offered] === false;
  return {
    key,
    words: { name: project.name, instructions: project.instructions },
    files: project.files.map((file) => ({ name: file.name, text: file.text })),
    notes: notes.flatMap(({ id: _id, project: its, ...note }) => (its === key ? [note] : [])),
    off: sources.flatMap(({ id, name: server }) => [
      ...(isOff(`mcp__${id}`) ? [{ server }] : []),
      ...tools.flatMap((tool) =>
        tool.serverId === id && isOff(tool.offeredName) ? [{ server, tool: tool.name }] : [],
      ),
    ]),
  };
}

/**
 * Adds the project of a file, switched off, unless it is here: what is here stays as it is. No server comes with it; of its
 * choice of tools what it has off counts, on servers of the same name.
 * @throws AppError `bad_import`
 */
export async function importProject(db: Database, value: unknown): Promise<ProjectOutcome> {
  const read = readShape(
    projectShape,
    value,
    t(($) => $.errors.import.theFile),
  );
  const { key, words, notes = [], off = [] } = read;
  const files = readShape(
    checked((given) => (given as typeof read.files & {}).reduce<ProjectFile[]>(withFile, [])),
    read.files ?? [],
    'files',
  );
  const servers = [...(await db.getAll('servers')), { id: OWN_TOOLS, name: OWN_NAME }];
  const own = new Map(
    (await db.getAll('tools')).map((tool) => [JSON.stringify([tool.serverId, tool.name]), tool.offeredName]),
  );
  const tools = off.flatMap(({ server, tool }) =>
    servers
      .filter((each) => isSameName(each.name, server))
      .map(({ id }): [string, boolean] => [
        tool === undefined ? `mcp__${id}` : (own.get(JSON.stringify([id, tool])) ?? offeredName(id, tool)),
        false,
      ]),
  );
  const project = {
    key,
    name: words.name,
    instructions: withoutGaps(words.instructions),
    tools: Object.fromEntries(tools),
    files,
    isOff: true as const,
  };
  readShape(
    text(MOST_TOLD),
    JSON.stringify([words, project.tools, notes, files.map((file) => file.name)]),
    t(($) => $.errors.import.theFile),
  );
  const tx = db.transaction(['projects', 'notes'], 'readwrite');
  const projects = tx.objectStore('projects');
  const all = await projects.getAll();
  const known = all.find((each) => each.key === key);
  if (!known && all.length >= MOST_PROJECTS)
    throw badImport(t(($) => $.errors.import.manyProjects, { most: MOST_PROJECTS }));
  const projectId = known?.id ?? (await projects.add(project as Project));
  if (!known)
    for (const note of notes)
      await tx.objectStore('notes').add({ ...note, text: withoutGaps(note.text), project: key } as never);
  await tx.done;
  return { projectId, outcome: known ? 'known' : 'new' };
}

/** Blank lines would keep what follows them out of the sight of a user who switches it on. */
const withoutGaps = (said: string): string => said.replaceAll(/\n[^\S\n]*(?:\n[^\S\n]*){2,}/g, '\n\n');
