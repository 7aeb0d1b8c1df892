/** An error as data: what crosses a port, what a row keeps. `lib/errors.ts` turns it into an AppError and back. */
export type WireError = {
  /** Stable, machine-readable: `model_unauthorized`, `server_unreachable`. Nothing is decided by the message. */
  code: string;
  /** What happened, in one sentence for a user. */
  message: string;
  /** The raw cause (HTTP status, the server's own words), for the second, subtle line. */
  cause?: string;
  /** What the user can do now, in one sentence. */
  fix?: string;
  /** True when the same request may work if it is made again unchanged. */
  retryable: boolean;
  /** How long the other side asked to wait before that, in milliseconds (Retry-After). */
  retryAfterMs?: number;
  /** Where a server says that it moved to: an http(s) address that the user has not agreed to yet. */
  redirectedTo?: string;
};

/** What a user is told of an error. */
export type ErrorWords = Pick<WireError, 'message' | 'cause' | 'fix'> & Partial<Pick<WireError, 'code'>>;
