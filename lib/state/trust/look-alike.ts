import type { Setup, ToolSummary } from '../../protocol/setup.ts';
import type { ServerRequest } from '../../types/request.ts';
import type { Server } from '../../types/server.ts';
import { OWN_NAME, OWN_TOOLS } from '../../types/tools/tool-source.ts';

/**
 * Letters that look like Latin ones in most fonts: Cyrillic, Greek, and a few of Latin's own. Those that matter, out of the
 * thousands of https://www.unicode.org/reports/tr39/#Confusable_Detection.
 */
const LETTERS = new Map<string, string>(
  (
    [
      ['АВЕЅІЈКМНОРСТУХԌԚԜаеѕіјорсухһԁԛԝѵӏ', 'ABESIJKMHOPCTYXGQWaesijopcyxhdqwvl'],
      ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορτυχωγ', 'ABEZHIKMNOPTYXaikvoptuxwy'],
      ['ıɑɡɩʟ', 'iagil'],
    ] as const
  ).flatMap(([from, to]) => [...from].map((letter, at): [string, string] => [letter, to[at] ?? ''])),
);

/**
 * What a name looks like: the same for names that a reader may take for one another. Without case, accents, separators and
 * what is invisible; `i`, `I`, `1` and `l` are one, so are `0` and `o`, `rn` and `m`, `vv` and `w`.
 */
export function skeleton(name: string): string {
  const letters = [...name.normalize('NFKD')].map((letter) => LETTERS.get(letter) ?? letter).join('');
  return letters
    .toLowerCase()
    .replace(/[\p{M}\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\s_\-.·|/]/gu, '')
    .replaceAll(/[i1]/g, 'l')
    .replaceAll('0', 'o')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/**
 * Finds the other enabled server's tool, or Portside's own, that a server's tool may be taken for. One that has the very same
 * name does not count: many servers have a `search`, and whose it is stands beside it.
 */
export function findToolAlike({
  servers,
  tools,
}: Pick<Setup, 'servers' | 'tools'>): (
  tool: Pick<ToolSummary, 'serverId' | 'name'>,
) => { name: string; server: string } | undefined {
  const names = new Map(servers.filter(({ enabled }) => enabled).map(({ id, name }) => [id, name]));
  names.set(OWN_TOOLS, OWN_NAME);
  const there = tools.filter(({ serverId, present }) => present && names.has(serverId));
  const bySkeleton = Map.groupBy(there, ({ name }) => skeleton(name));
  return ({ serverId, name }) => {
    if (serverId === OWN_TOOLS) return undefined;
    const alike = bySkeleton.get(skeleton(name)) ?? [];
    const found = alike.find((other) => other.serverId !== serverId && other.name !== name);
    return found && { name: found.name, server: names.get(found.serverId) ?? '' };
  };
}

/** Another enabled server, or Portside itself, that a server may be taken for. */
export function serverAlike(
  { id, name }: Pick<Server, 'id' | 'name'>,
  { servers }: Pick<Setup, 'servers'>,
): string | undefined {
  const looks = skeleton(name);
  const others = servers.filter((other) => other.id !== id && other.enabled).map((other) => other.name);
  return [OWN_NAME, ...others].find((other) => skeleton(other) === looks);
}

/** The same for one that asks the user something. */
export const requesterAlike = (
  { serverId, serverName }: Pick<ServerRequest, 'serverId' | 'serverName'>,
  setup: Pick<Setup, 'servers'> | null,
): string | undefined => (setup ? serverAlike({ id: serverId, name: serverName }, setup) : undefined);
