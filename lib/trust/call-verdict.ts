import type { Server } from '../types/server.ts';
import type { Basis, Permission } from '../types/tools/approval.ts';
import type { Grant } from '../types/tools/grant.ts';
import { isByScript } from '../types/tools/own-tool-rules.ts';
import type { Tool } from '../types/tools/server-tool.ts';
import { saysItReads, tierOf, type TierPermissions } from '../types/tools/tier.ts';
import type { ToolCall } from '../types/tools/tool-call.ts';
import type { SiteRule } from '../types/site-rule.ts';
import { basisOf, isExempt, isForChat, permissionFor } from './tool-permission.ts';
import { givenOn } from './site-rules.ts';

/** All that decides whether a call may be made but what its model has read. */
export type CallFacts = {
  call: Pick<ToolCall, 'createdAt'> & { [K in 'submits' | 'downloads']?: ToolCall[K] | undefined };
  tool: Tool;
  /** Of the tool's definition, as it is now. */
  fingerprint: string;
  server: Pick<Server, 'trusted'>;
  tiers: TierPermissions;
  /** The chat's, for this tool. */
  grant: Grant | undefined;
  /** Whose page it reads or acts on. */
  reads: string | undefined;
  /** The sites that it needs to be allowed for. */
  origins: string[];
  /** The organisation does not allow it, or the user's list has a site that it acts on. */
  isForbidden: boolean;
  /** It acts in a sandboxed document, which has no site. */
  isSandboxed: boolean;
  /** It is a question to the user. */
  alwaysAsks: boolean;
  /** What the user decided of its sites: their Never alone, or their Ask. */
  siteRules: SiteRule[];
  /** Of the click that a pressed key is. */
  press: Verdict | undefined;
  /** Its chat is one of a schedule that may only read by itself. */
  readsOnly: boolean;
};

/** `basis`: by what it is allowed. `never`: what the user decided of its sites that blocks it. */
export type Verdict = {
  permission: Permission;
  basis?: Basis;
  never?: SiteRule[];
  /** It is allowed only where nothing that its model has read asks again (`asksAgain`). */
  unlessTainted?: true;
};

type Judged = CallFacts & { permission: Permission; made: Parameters<typeof permissionFor>[3] & object };

const ASK: Verdict = { permission: 'ask' };

const allowed = ({ tool, made }: Judged): Verdict => ({ permission: 'allow', basis: basisOf(tool, made) });

/** The first that applies holds. */
const RULES: { applies: (facts: Judged) => boolean; verdict: (facts: Judged) => Verdict }[] = [
  { applies: ({ isForbidden }) => isForbidden, verdict: () => ({ permission: 'block' }) },
  {
    applies: ({ siteRules }) => siteRules.some(({ rule }) => rule === 'never'),
    verdict: ({ siteRules }) => ({ permission: 'block', never: siteRules }),
  },
  { applies: ({ press }) => press?.permission === 'block', verdict: ({ press }) => press ?? ASK },
  // Nothing is done where the browser lets no script in, as the call says: the user is asked nothing.
  {
    applies: ({ permission, reads, tool }) =>
      permission === 'ask' && reads === undefined && isByScript(tool.serverId, tool.name),
    verdict: () => ({ permission: 'allow' }),
  },
  { applies: ({ permission }) => permission !== 'allow', verdict: ({ permission }) => ({ permission }) },
  { applies: ({ press }) => press?.permission === 'ask', verdict: () => ASK },
  { applies: ({ alwaysAsks }) => alwaysAsks, verdict: () => ASK },
  { applies: ({ call, isSandboxed }) => call.downloads === true || isSandboxed, verdict: () => ASK },
  // A schedule's run may have no user watching; a grant of this chat was given by a user who was.
  {
    applies: ({ readsOnly, made, tool, server }) =>
      readsOnly && !isForChat(made) && !(server.trusted && saysItReads(tool.annotations)),
    verdict: () => ASK,
  },
  // The user's Ask holds for what was allowed before it.
  {
    applies: ({ siteRules, grant, tool, made }) => {
      const given = basisOf(tool, made) === 'chat' ? grant?.given : undefined;
      return siteRules.some(({ site, at }) => givenOn(given, site) < at);
    },
    verdict: () => ASK,
  },
  { applies: ({ call, made }) => isExempt(made) && !call.submits, verdict: allowed },
  // Of a trusted server alone, also where it is a skill's: which of its files are read could spell what the chat holds.
  {
    applies: ({ tool, server, reads }) =>
      server.trusted && tierOf(tool.annotations) === 'reads' && reads === undefined,
    verdict: allowed,
  },
];

/** Whether a call may be made, by the rules in their order. */
export function verdictOn(facts: CallFacts): Verdict {
  const { tool, server, tiers, grant, fingerprint, origins, call } = facts;
  const made = { grant, fingerprint, createdAt: call.createdAt, origins };
  const judged = { ...facts, made, permission: permissionFor(tool, server, tiers, made) };
  const rule = RULES.find(({ applies }) => applies(judged));
  return rule ? rule.verdict(judged) : { ...allowed(judged), unlessTainted: true };
}
