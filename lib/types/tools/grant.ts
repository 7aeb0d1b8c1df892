import type { SiteUse } from '../site-rule.ts';

/** When something was allowed for longer than once, and how far it reaches. */
export type Reach = {
  /** ISO 8601. */
  at: string;
  /**
   * Of the web addresses in the calls that it was given for: it reaches no others. Where there were none, a chat's grant reaches
   * none, and an Allow for all chats is for any, as one that was chosen in the settings.
   */
  origins?: string[];
  /** Beside `origins`: it was given for a call without any, too. */
  withoutOrigin?: boolean;
};

/** With how many calls it has released since. */
export type Given = Reach & {
  used: number;
  /** ISO 8601, of the last of them. */
  usedAt?: string;
  /** ISO 8601, when a chat's grant was given once more: calls are covered from `at` on all the same. */
  again?: string;
  /** For each of `origins`: when it was last given, and how often; of an earlier Portside it is not known. */
  bySite?: Record<string, SiteUse>;
};

/** "Allow for this chat": releases a tool's calls in one conversation, as long as its definition stays the same. */
export type Grant = {
  conversationId: string;
  serverId: number;
  toolName: string;
  /** Of the definition it was given for (lib/trust/fingerprint.ts). */
  fingerprint: string;
  /** Absent for one of an earlier Portside. */
  given?: Given;
  /** It was given for the server's tools that only read, together. */
  byServer?: true;
  /**
   * The part of it that was given by cards that said what foreign text may be behind the call (`Taint`): that holds in spite of
   * such text. A `despiteTaint` of an earlier Portside counts for nothing: it does not tell for which origins.
   */
  despite?: Reach;
  /** An app offers the tool: what it is by now is not known until it is called. */
  ofApp?: true;
};
