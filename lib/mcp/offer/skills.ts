import type { Client } from '@modelcontextprotocol/client';
import { type Skill, SKILL_LIMITS, SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { excess } from '../content/excess.ts';
import { cut, type Raw } from '../content/raw.ts';
import type { ListOptions } from './pages.ts';
import type { RemoteTool } from './read-tools.ts';
import { t } from '../../../locales/texts/errors.ts';

/** More are left out: each is a line of the tool that every request brings along. */
const MOST_SKILLS = 500;
/** Of what is listed of one: 512 files with addresses of usual length, and as much of frontmatter. */
const MOST_OF_ONE = { parts: 5_000, characters: 250_000 };
/** More pages are those of a server that counts without end. */
const MOST_PAGES = 100;

type Schema<T> = { parse: (value: unknown) => T };
type Page = { nextCursor?: string };
type FetchPage = (cursor: string | undefined) => Promise<Page>;

/**
 * The official client of the Skills extension (SEP-2640) over requests of our own, which keep their clock, their place in the
 * queue and the results as they came. Besides the public methods it asks for `_readResource` and `_walkPages` (client 2.4.0,
 * ext/skills and `clientInternals`): look there at an upgrade.
 * @param send one request @returns its result as the server sent it
 */
export function skillsOver(
  client: Pick<Client, 'getServerCapabilities' | 'getNegotiatedProtocolVersion'>,
  send: (method: string, params: Raw) => Promise<Raw>,
): SkillsClient {
  const asked = {
    getServerCapabilities: () => client.getServerCapabilities(),
    getNegotiatedProtocolVersion: () => client.getNegotiatedProtocolVersion(),
    request: async <T>({ method, params }: { method: string; params: Raw }, schema: Schema<T>) =>
      schema.parse(await send(method, params)),
    _readResource: async (params: Raw) => ({ result: await send('resources/read', params), cached: false }),
    async _walkPages(_method: string, fetchPage: FetchPage, items: (page: Page) => unknown[]): Promise<Page> {
      const all = await fetchPage(undefined);
      const cursors = new Set<string>();
      for (let cursor = all.nextCursor; cursor !== undefined && cursors.size < MOST_PAGES;) {
        if (cursors.has(cursor) || items(all).length > MOST_SKILLS) break;
        cursors.add(cursor);
        const page = await fetchPage(cursor);
        items(all).push(...items(page));
        cursor = page.nextCursor;
      }
      return all;
    },
  };
  return new SkillsClient(asked as unknown as Client, { skipInvalid: true });
}

/**
 * The skills of a connected server, in the shape of its tools: their names are their addresses. None where it declares none.
 * No file is read.
 * @param before as they were listed last: those that the server does not list are asked for again
 * @throws what the request rejects with
 */
export async function listSkills(
  skills: SkillsClient,
  before: RemoteTool[],
  { onProblem }: Pick<ListOptions, 'onProblem'>,
): Promise<RemoteTool[]> {
  if (!skills.supported) return [];
  const { skills: listed, invalid } = await skills.list();
  for (const { index, uri, reason } of invalid)
    onProblem?.(
      t(($) => $.errors.skills.invalid, { place: index + 1, uri: cut(uri, 200), reason: cut(reason, 500) }),
    );
  if (listed.length > MOST_SKILLS)
    onProblem?.(t(($) => $.errors.skills.many, { count: listed.length, most: MOST_SKILLS }));
  const known = new Set(listed.map(({ uri }) => uri));
  const unlisted = before.filter(({ name, isUnlisted }) => isUnlisted && !known.has(name));
  const asked = await Promise.all(
    unlisted.map(({ name }) =>
      skills.get(name).then(
        ({ skill }) => [{ ...skillTool(skill), isUnlisted: true as const }],
        () => [], // the server has it no more
      ),
    ),
  );
  return [...listed.slice(0, MOST_SKILLS).map(skillTool), ...asked.flat()];
}

/** One skill in the shape of a tool. Its `problem` is why it is too much to be loaded; of such a one no files are kept. */
export function skillTool({ uri, frontmatter, resources }: Skill): RemoteTool {
  const { name, description } = frontmatter;
  const weight = excess({ frontmatter, resources }, MOST_OF_ONE);
  const problem = excessOf(resources) ?? (weight && t(($) => $.errors.skills.heavy, { weight }));
  const skill =
    problem === undefined
      ? { frontmatter, resources }
      : { frontmatter: { name, description }, resources: [] };
  return {
    name: uri,
    title: name,
    description,
    inputSchema: {},
    annotations: { title: name, readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    skill,
    ...(problem !== undefined && { problem }),
  };
}

/** The limits that every host has to keep to; from the entry alone, before anything is read. */
function excessOf(resources: Skill['resources']): string | undefined {
  if (resources === 'dynamic') return undefined;
  const bytes = resources.reduce((sum, { size }) => sum + size, 0);
  if (resources.length <= SKILL_LIMITS.files && bytes <= SKILL_LIMITS.bytes) return undefined;
  return t(($) => $.errors.skills.tooLarge, { count: resources.length, bytes });
}
