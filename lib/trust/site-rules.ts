import {
  BY_PAGE,
  isAddressed,
  isSameSite,
  type Kinded,
  type SiteKind,
  type SiteRule,
  siteKindsOf,
} from '../types/site-rule.ts';
import type { Given } from '../types/tools/grant.ts';
import { actsOnPage } from '../types/tools/own-tool-rules.ts';
import type { ToolCall } from '../types/tools/tool-call.ts';
import { PAGE_TOOLS } from '../types/tools/tool-source.ts';

type Judged = Kinded & { [K in 'reads' | 'targetSites']?: ToolCall[K] | undefined };

/** The origins that a call is for, of one of Portside's own tools or a page's. @param addressed those of the addresses among its arguments */
export const sitesOf = (call: Judged, addressed: string[]): string[] =>
  isAddressed(call) ? addressed : [call.reads ?? [], call.targetSites ?? []].flat();

/** What the user decided of these sites for such a call: Never goes before Ask. */
export function rulesFor(rules: SiteRule[], call: Judged, sites: string[]): SiteRule[] {
  const kinds = call.serverId === PAGE_TOOLS ? BY_PAGE : siteKindsOf(call);
  const here = rules.filter(({ site }) => sites.some((each) => isSameSite(each, site)));
  const never = here.filter(
    ({ rule, kind }) => rule === 'never' && [...kinds, ...alsoDone(call)].includes(kind),
  );
  return never.length > 0 ? never : here.filter(({ rule, kind }) => rule === 'ask' && kinds.includes(kind));
}

/** When the user last allowed a tool on a site: on that one, where it is allowed for sites. Empty where they did not. */
export const givenOn = (given: Given | undefined, site: string): string =>
  Object.entries(given?.bySite ?? {}).find(([each]) => isSameSite(each, site))?.[1].at ??
  given?.again ??
  given?.at ??
  '';

/** Whether the user wants nothing of a site to be read. */
export const isNeverRead = (rules: SiteRule[], origin: string): boolean =>
  rules.some(({ site, kind, rule }) => kind === 'read' && rule === 'never' && isSameSite(site, origin));

/** What came of an action is read of the page: where nothing may be read, none is done. */
const alsoDone = ({ serverId, toolName, ...call }: Judged): SiteKind[] => {
  const [kind] = siteKindsOf({ serverId, toolName, ...call });
  return actsOnPage(serverId, toolName) && kind !== undefined && kind !== 'navigate' ? ['read'] : [];
};
