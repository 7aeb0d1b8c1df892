import {
  type Skill,
  type SkillFile,
  type SkillsClient,
  SkillVerificationError,
} from '@modelcontextprotocol/client/ext/skills';
import { type Queue, untilAborted } from '../../async.ts';
import { AppError } from '../../errors.ts';
import { decoded } from '../../types/answers.ts';
import type { SkillEntry } from '../../types/tools/skill.ts';
import type { ServerConnection } from '../connection/server-connection.ts';
import type { Session } from '../connection/session.ts';
import type { RequestOptions } from './request-sender.ts';
import { causeOf } from '../failures/failures.ts';
import { fetchFrom, type FetchOptions } from './prompts-and-resources.ts';
import { t } from '../../../locales/texts/errors.ts';

const MANIFEST = 'SKILL.md';

/** A skill as it was listed, which is what its files are held against. */
export type HeldSkill = SkillEntry & { uri: string };

/**
 * Reads one file of a skill, by default its SKILL.md, and checks its size and digest, of SKILL.md its frontmatter too; or lists
 * a folder in it, where `file` names one. What does not fit is not given out; the server's skills are listed anew then, so that
 * the user is asked about what they are now.
 * @param file a path from the skill's root; a folder's of a `dynamic` skill ends in `/`
 * @returns the text that a model reads
 * @throws AppError `skill_unverified`, and as `readResource`; `signal.reason` when aborted
 */
export async function readSkill(
  connection: ServerConnection,
  queue: Queue,
  skill: HeldSkill,
  file: string | undefined,
  options: FetchOptions,
): Promise<string> {
  const path = file?.replace(/^\.?\//, '') ?? MANIFEST;
  const children = folderIn(skill, path);
  if (children) return children.join('\n');
  const request = {
    what: t(($) => $.errors.mcp.resource, { uri: path }),
    send: (on: Session, sent: RequestOptions) =>
      textOf(on.skills(sent), skill as Skill, path).catch((error: unknown) => {
        throw told(connection, skill, error);
      }),
  };
  try {
    return await fetchFrom(connection, queue, request, options);
  } catch (error) {
    const isStale = error instanceof AppError && error.code === UNVERIFIED;
    if (isStale) await untilAborted(connection.current()?.relist() ?? Promise.resolve(), options.signal);
    throw error;
  }
}

/** Has a server tell of a skill that it may not list, which is among its skills from then on. @throws AppError */
export async function addSkill(
  connection: ServerConnection,
  queue: Queue,
  uri: string,
  options: FetchOptions,
): Promise<void> {
  const what = t(($) => $.errors.mcp.resource, { uri });
  await fetchFrom(connection, queue, { what, send: (on, sent) => on.addSkill(uri, sent) }, options);
}

const UNVERIFIED = 'skill_unverified';

async function textOf(skills: SkillsClient, skill: Skill, path: string): Promise<string> {
  if (skill.resources !== 'dynamic' || !path.endsWith('/')) return shown(await skills.read(skill, path));
  const { resources } = await skills.readDirectory(new URL(path, skill.uri).href.replace(/\/$/, ''));
  const root = rootOf(skill);
  return resources
    .filter(({ uri }) => uri.startsWith(root))
    .map(({ uri, mimeType }) => pathOf(root, uri) + (mimeType === 'inode/directory' ? '/' : ''))
    .join('\n');
}

/** What lies in a folder, by what was listed, which alone may be read; undefined where the path names none. */
export function folderIn(skill: HeldSkill, path: string): string[] | undefined {
  if (skill.resources === 'dynamic') return undefined;
  const folder = path === '' || path === '.' || path.endsWith('/') ? path.replace(/^\.$/, '') : `${path}/`;
  const root = rootOf(skill);
  const inside = skill.resources
    .map(({ uri }) => pathOf(root, uri))
    .filter((each) => each.startsWith(folder));
  if (inside.length === 0) return undefined;
  const names = inside.map((each) => {
    const end = each.indexOf('/', folder.length);
    return end < 0 ? each : each.slice(0, end + 1);
  });
  return [...new Set(names)];
}

const rootOf = ({ uri }: { uri: string }): string => uri.slice(0, -MANIFEST.length);

const pathOf = (root: string, uri: string): string =>
  decoded(uri.startsWith(root) ? uri.slice(root.length) : uri);

function shown({ uri, bytes, text, mimeType }: SkillFile): string {
  if (text !== undefined) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return `[${uri} is no text: ${bytes.byteLength} bytes${mimeType === undefined ? '' : ` of ${mimeType}`}.]`;
  }
}

/** Errors of the extension's own client, in words. The others are the connection's. */
function told({ config }: ServerConnection, { uri }: HeldSkill, error: unknown): unknown {
  if (!(error instanceof SkillVerificationError)) return error;
  const isUnlisted = error.reason === 'unlisted';
  return new AppError({
    code: isUnlisted ? 'skill_no_file' : UNVERIFIED,
    ...t(($) => (isUnlisted ? $.errors.skills.noFile : $.errors.skills.unverified), {
      name: config.name,
      uri,
    }),
    cause: causeOf(config, error),
  });
}
