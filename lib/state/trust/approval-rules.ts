import { askedHosts } from './address-warnings.ts';
import type { CallAnswer } from '../chat/answering.ts';
import { ownTitle } from '../settings/own-server.ts';
import { actsOnPage, allowedTogether } from '../../types/tools/own-tool-rules.ts';
import { tierOf } from '../../types/tools/tier.ts';
import type { ToolCall } from '../../types/tools/tool-call.ts';
import { OWN_TOOLS } from '../../types/tools/tool-source.ts';
import { SANDBOXED } from '../../types/page.ts';
import { isAddressed, type SiteKind, siteKindsOf } from '../../types/site-rule.ts';

export type Scope = 'once' | 'chat' | 'always';

/** How far an Allow reaches. `readTools`: for this chat, and those other tools of the server. */
export type Allowing = Scope | { readTools: string[] };

/** As the worker is told it. */
export const reachOf = (to: Allowing): Pick<CallAnswer, 'scope' | 'readTools'> =>
  typeof to === 'string' ? { scope: to } : { scope: 'chat', readTools: to.readTools };

/** Of the page that it would act on, else of the addresses among its arguments, and of the page that gives way to one. */
export const hostsOf = (call: ToolCall, args = call.edited ?? call.arguments): string[] => {
  const sites = sitesOf(call);
  if (isAddressed(call)) return [...new Set([...askedHosts(args), ...sites])];
  return sites.length > 0 ? sites : askedHosts(args);
};

/** A page's own tools are none of a plan: others' words may be behind each of them. */
export const isInPage = ({ serverId, toolName }: ToolCall): boolean =>
  serverId === OWN_TOOLS && actsOnPage(serverId, toolName);

/** In a tab whose site the browser hides, or in a sandbox: by the next call it may show any site. */
export const isInUntold = (call: ToolCall): boolean =>
  isInPage(call) && (call.reads === undefined || call.targetSites?.includes(SANDBOXED) === true);

/** Of whichever site: what is allowed for longer than once holds for all of them. */
export const readsPage = ({ annotations, reads }: ToolCall): boolean =>
  reads !== undefined && tierOf(annotations) === 'reads';

/** The hosts of the page that a call would act on, and of the frames there. */
const sitesOf = ({ annotations, reads = '', targetSites = [] }: ToolCall): string[] =>
  tierOf(annotations) === 'reads'
    ? []
    : [reads, ...targetSites].map((site) => URL.parse(site)?.host ?? '').filter(Boolean);

/** What its site may never get again, where it is known. */
export const forbiddable = (call: ToolCall): SiteKind[] =>
  call.reads !== undefined || isAddressed(call) ? siteKindsOf(call) : [];

/** Of several, those of other kinds are only denied. */
export const denied = (call: ToolCall, never: SiteKind): CallAnswer => ({
  decision: 'deny',
  ...(forbiddable(call).includes(never) && { never }),
});

/** The titles of the other tools that an Allow for longer than once holds for. */
export const alsoAllowed = (calls: ToolCall[]): string[] => {
  const asked = new Set(calls.map(({ toolName }) => toolName));
  const all = new Set(calls.flatMap(({ serverId, toolName }) => allowedTogether(serverId, toolName)));
  return [...all.difference(asked)].map((name) => ownTitle(name) ?? name);
};
