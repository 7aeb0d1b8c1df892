import type { WireError } from '../types/error.ts';
import type { Icon } from '../types/picture.ts';
import type { Permission } from '../types/tools/approval.ts';
import type { Given } from '../types/tools/grant.ts';
import type { Definition } from '../types/tools/server-tool.ts';
import type { SkillEntry } from '../types/tools/skill.ts';
import type { CallStatus, ToolCall } from '../types/tools/tool-call.ts';
import type { ToolResult } from '../types/tools/tool-result.ts';
import type { SiteKind, SiteRuling, SiteUse } from '../types/site-rule.ts';

/** Tools, what may be done with them, and what was done. */
export type ToolCommands = {
  /**
   * The tools of connected servers and Portside's own, or those of one server, or one of these, each with its schema.
   * `all`: also those that servers listed which are not connected now.
   */
  listTools(request: { serverId?: number; name?: string; all?: boolean }): ListedTool[];
  /** Makes one call outside any chat; it is in the tool log as a call of the user's own. Never rejects. */
  callTool(request: CallToolRequest): { result: ToolResult } | { error: WireError };
  /** Stops a call of `callTool`. */
  cancelTool(request: { callId: string }): void;
  /**
   * @param request `fingerprint`: of what the page showed, whatever is chosen of it
   * @throws AppError `definition_changed` when it is another one by now
   */
  setTool(request: {
    serverId: number;
    name: string;
    enabled?: boolean;
    permission?: Permission;
    fingerprint?: string;
  }): void;
  /**
   * Accepts tools that are new or changed: as they were shown they ask for no reason of that kind any more.
   * @throws AppError `definition_changed` when some are others by now; the rest is accepted
   */
  acceptTools(request: { serverId: number; tools: { name: string; fingerprint: string }[] }): void;
  /** Switches all of a server's tools on or off. */
  setTools(request: { serverId: number; enabled: boolean }): void;
  /** The grants of tools, newest first, but for what is allowed on a site (`listSiteRules`). */
  listGrants(): ListedGrant[];
  /** Takes them back; without `grants` all there are. What holds for such a tool then is what holds for its tier. */
  revokeGrants(request: { grants?: GrantKey[] }): void;
  /** What the user decided for kinds of actions on sites, newest first. */
  listSiteRules(): ListedSiteRule[];
  /**
   * Decides for all chats; `null` takes back what was decided for them, or with `conversationId` what its chat was allowed.
   * What chats were allowed before ends with an Ask and a Never.
   */
  setSiteRule(request: {
    site: string;
    kind: SiteKind;
    rule: SiteRuling | null;
    conversationId?: string;
  }): void;
  /** The hosts that the browser lets Portside reach. */
  listSites(): GrantedSite[];
  /** Gives the access to them back to the browser. @throws AppError `not_revoked` */
  revokeSite(request: { origin: string }): void;
  /** The tool log, newest first, 50 at a time. `before`: the last call of the page before. */
  toolLog(request: ToolLogQuery): { calls: LoggedCall[]; hasMore: boolean };
  /** One call of the log, whole as far as a page can show it. */
  loggedCall(request: { callId: string }): ToolCall | null;
};

export type ListedTool = {
  /** The offered name, e.g. `mcp__3__echo`. */
  fullName: string;
  toolName: string;
  description: string;
  inputSchema: Record<string, unknown>;
  icons?: Icon[];
  serverId: number;
  /** Of its definition (lib/trust/fingerprint.ts). */
  fingerprint: string;
  /** A skill, whose address is its name. */
  skill?: SkillEntry;
  /** Why no model is offered it. */
  problem?: string;
  review?: ToolReview;
};

/** What the user has to look at: the definition now, and what they saw `before`; absent for a new tool. */
export type ToolReview = { before?: Definition; now: Definition };

/** `callId` is the page's, so that it can cancel. */
export type CallToolRequest = { callId: string; fullName: string; arguments: Record<string, unknown> };

/** A grant of one tool: in one chat, or without `conversationId` always. */
export type GrantKey = { serverId: number; toolName: string; conversationId?: string };

export type ListedGrant = GrantKey & {
  serverName: string;
  /** Of the chat that it is for. */
  chatTitle?: string;
  /** Absent for one of an earlier Portside. */
  given?: Given;
  byServer?: true;
  /** Of one that was given for a server's tools that only read: which they are; `toolName` is one of them. */
  readTools?: string[];
  /** Its tool is another one by now: it allows nothing. */
  isVoid: boolean;
};

export type ListedSiteRule = {
  /** An origin. */
  site: string;
  kind: SiteKind;
  /** `chat`: it is allowed in one. */
  holds: SiteRuling | 'chat';
  conversationId?: string;
  chatTitle?: string;
  given: SiteUse;
};

/** `origin`: a match pattern, e.g. `https://example.com/*`, or another permission, such as `tabs`. */
export type GrantedSite = {
  origin: string;
  /** Names of what is reached there, by what it is. */
  servers: string[];
  providers: string[];
  /** The build itself brings it along: it can't be given back. */
  isFixed: boolean;
};

export type ToolLogQuery = {
  /** Words that tool, server, arguments or result must hold. */
  text?: string;
  serverId?: number;
  status?: CallStatus;
  before?: string;
  /** This call alone, whatever else is asked for. */
  callId?: string;
};

/** A line of the tool log: a call without its result's blocks, and the title of its chat, if that is there. */
export type LoggedCall = Pick<
  ToolCall,
  | 'callId'
  | 'conversationId'
  | 'toolName'
  | 'serverId'
  | 'serverName'
  | 'status'
  | 'createdAt'
  | 'startedAt'
  | 'durationMs'
> & { chatTitle?: string };
