import type { ChatSettings, PresetId, Traits } from '../../lib/types/model.ts';
import type { RunEndReason } from '../../lib/types/run.ts';
import type { EndStatus } from '../../lib/types/tool.ts';

/** One HTTP reply of a model server, byte by byte as given. */
export type WireReply = {
  /** 200 unless told. */
  status?: number;
  /** `text/event-stream` unless told. */
  headers?: Record<string, string>;
  /** Each piece is written and flushed on its own. */
  pieces: (string | Uint8Array)[];
  /** The connection is torn down after the last piece, without a proper end. */
  cut?: true;
};

/**
 * Something a model server was seen to do, and what must come of it. The same fixtures run through the loop in Node and
 * through the built extension in a browser. Two tools are offered, `mcp__1__add {a: number, b: number}` (required, its
 * result is the sum) and `mcp__1__echo {message: string}` (required, its result is the message); both are allowed.
 * Replies name tools by `{{add}}` and `{{echo}}`, which stand for the offered names.
 */
export type WireFixture = {
  /** The row of wire-quirks, or `unlisted`. */
  row: number | 'unlisted';
  /** A sentence about the behaviour. */
  name: string;
  /** `custom` unless told. */
  preset?: PresetId;
  traits?: Traits;
  settings?: ChatSettings;
  /** What is asked; `Go` unless told. */
  ask?: string;
  /** The replies to the requests, in order; the last one is given again to every later request. */
  replies: WireReply[];
  outcome: {
    reason: RunEndReason;
    /** The whole text of the last assistant message, or a pattern in it. */
    answer?: string | RegExp;
    reasoning?: string;
    /** The ledger, in order: which calls there were, with what arguments, and how they ended. */
    calls?: { tool: string; arguments?: unknown; status: EndStatus; result?: string | RegExp }[];
    /** The code of the run's error. */
    error?: string;
    /** How many requests the server got. */
    requests?: number;
  };
  /** Looks at the bodies of the requests, in order; throws when one is not as it must be. */
  check?: (bodies: Record<string, unknown>[]) => void;
};
