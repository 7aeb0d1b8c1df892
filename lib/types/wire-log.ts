/** One line of a server's log: a message on the wire, redacted, or what the server had logged (MCP logging). */
export type WireEntry = {
  /** Counts up; gapless per server. */
  seq: number;
  /** ISO 8601. */
  at: string;
  kind: 'sent' | 'received' | 'log' | 'note';
  /** E.g. `tools/call search_issues`, `result, 40 tools`, `error -32602: …`, or the logged text. */
  summary: string;
  /** The JSON-RPC id that ties a reply to its request. */
  id?: string;
  /** Of a reply: milliseconds since its request. */
  tookMs?: number;
  /** Bytes of the whole message. */
  size: number;
  /** JSON, without secrets, cut to 8,000 characters. */
  body?: string;
  level?: LogLevel;
  isError?: true;
};

/** RFC 5424, least severe first. */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
