import type { Message, Usage } from '../../lib/types/message.ts';
import type { ChatSettings, PresetId, Traits } from '../../lib/types/model.ts';
import type { RunEndReason } from '../../lib/types/run.ts';
import type { EndStatus } from '../../lib/types/tools/tool-call.ts';

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

/** One question of a conversation. */
export type WireAsk = {
  /** `Go` unless told. */
  text?: string;
  /** Which of wire-tools.ts are offered; `add` and `echo` unless told. All are allowed. */
  tools?: string[];
};

/**
 * Something a model server was seen to do, and what must come of it. The same fixtures run through the loop in Node and
 * through the built extension in a browser. Tools are those of wire-tools.ts, offered as `mcp__1__add`. Replies name
 * them by `{{add}}`, which stands for the offered name.
 */
export type WireFixture = {
  /** The row of wire-quirks, or `unlisted`. */
  row: number | 'unlisted';
  /** A sentence about the behaviour. */
  name: string;
  /** What only chat completions have; others run over responses too. */
  api?: 'chat';
  /** `custom` unless told. */
  preset?: PresetId;
  traits?: Traits;
  settings?: ChatSettings;
  /** What the conversation holds already, each message after the one before; `conversationId` is the driver's. */
  history?: Message[];
  /** The questions, each asked when the run of the one before has ended; one `Go` unless told. */
  asks?: WireAsk[];
  /** The replies to the requests, in order; the last one is given again to every later request. */
  replies: WireReply[];
  outcome: {
    /** How the last run ended. */
    reason: RunEndReason;
    /** The whole text of the last assistant message, or a pattern in it. */
    answer?: string | RegExp;
    reasoning?: string;
    /** What the last assistant message says it used. */
    usage?: Usage;
    /** What is to be found in the notes of the whole conversation, one for one. */
    notes?: RegExp[];
    /** The ledger, in order: which calls there were, with what arguments, and how they ended. */
    calls?: { tool: string; arguments?: unknown; status: EndStatus; result?: string | RegExp }[];
    /** The code of the last run's error. */
    error?: string;
    /** What is to be found in its sentence or its fix. */
    errorText?: RegExp;
    /** The tools that the user is told were left out. */
    unfit?: string[];
    /** How many requests the server got. */
    requests?: number;
    /** The second request comes no sooner after the first, by the server's clock. */
    minWaitMs?: number;
  };
  /** Looks at the bodies of the requests, in order; throws when one is not as it must be. */
  check?: (bodies: Record<string, unknown>[]) => void;
};
