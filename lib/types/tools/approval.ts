/** Asks the user, runs at once, or refuses. */
export type Permission = 'ask' | 'allow' | 'block';

/**
 * Why a call waits for the user: it needs permission, whether it was executed is unknown, or it asks them to do something
 * themselves.
 */
export type WaitKind = 'permission' | 'unknown' | 'hand_over';

/** By what a call was allowed to run: when the user was asked, or `before`, without asking. */
export type Allowed = 'once' | 'chat' | 'always' | 'before';

/** By what a call needs no question: its chat's grant, an Allow for all chats, or the default of its tier. */
export type Basis = 'chat' | 'always' | 'tier';

/** Foreign text that may be behind a call (lib/trust/taint.ts). */
export type Taint = {
  /** Whose it is but the tool's own server's, each once, the latest first. */
  from: string[];
  /** The hosts of web pages among these, and those of the quotes: all else may only be called like one. */
  hosts?: string[];
  /** The call was allowed before, and is asked about again because of it. */
  again?: true;
  /** More was read, or is in the arguments, than was compared for the quotes. */
  isPart?: true;
  quotes: Quote[];
};

/** A piece of the arguments, as they hold it, and whose words it is. */
export type Quote = { text: string; from: string };
