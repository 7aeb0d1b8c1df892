import { ReadBuffer } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** Bytes of one message. */
const MOST_MESSAGE = 256 * 1024 * 1024;
/** Bytes of a message that is passed on while it comes. */
const LONG = 1_000_000;
const NEWLINE = 10;
const BRACE = 123;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

export type MessageEvents = {
  /** `isPassedOn`: `piece` had it already. */
  message: (message: JSONRPCMessage, isPassedOn: boolean) => void;
  /** Why a line is no message; such lines are skipped, since many programs print other things too. */
  refused: (why: string) => void;
  /**
   * A piece of a long line that looks like a message, before it is known to be one; after its last piece comes `message`
   * or `refused`. Without it long messages come whole, like all others.
   */
  piece?: (piece: Buffer, last: boolean) => void;
};

/**
 * Reads the messages in a program's output, one a line. What comes before a line's end is only kept: the SDK's buffer would
 * be copied and searched from its start with every chunk, which takes seconds for a message of 20 MB.
 */
export function createMessageReader(on: MessageEvents): (chunk: Buffer) => void {
  const buffer = new ReadBuffer({ maxBufferSize: MOST_MESSAGE });
  /** Of the line that comes, from its start. */
  let held: Buffer[] = [];
  let size = 0;
  let isPassedOn = false;
  /** The rest of a line that was given up. */
  let isSkipping = false;

  const passOn = (piece: Buffer, last = false): void => {
    if (isPassedOn) on.piece?.(piece, last);
  };
  const taken = (): Buffer[] => {
    const line = held;
    held = [];
    size = 0;
    isPassedOn = false;
    return line;
  };
  const giveUp = (): void => {
    passOn(Buffer.of(), true);
    taken();
    isSkipping = true;
    on.refused(`more than ${MOST_MESSAGE} bytes without the end of a line`);
  };
  const hold = (chunk: Buffer): void => {
    held.push(chunk);
    size += chunk.length;
    if (size > MOST_MESSAGE) {
      giveUp();
    } else if (isPassedOn) {
      passOn(chunk);
    } else if (on.piece && size > LONG && held[0]?.[0] === BRACE) {
      isPassedOn = true;
      for (const piece of held) passOn(piece);
    }
  };
  return function read(chunk): void {
    if (isSkipping) {
      const rest = chunk.indexOf(NEWLINE) + 1;
      isSkipping = rest === 0;
      if (!isSkipping) read(chunk.subarray(rest));
      return;
    }
    const end = 1 + (isPassedOn ? chunk.indexOf(NEWLINE) : chunk.lastIndexOf(NEWLINE));
    if (end === 0) return hold(chunk);
    const lines = chunk.subarray(0, end);
    if (size + lines.length > MOST_MESSAGE) {
      giveUp();
      return read(chunk);
    }
    const wasPassedOn = isPassedOn;
    passOn(lines, true);
    buffer.append(unmarked(Buffer.concat([...taken(), lines])));
    tell(buffer, on, wasPassedOn);
    if (end < chunk.length) read(chunk.subarray(end));
  };
}

/** Some runtimes, .NET's on Windows for one, begin what they print with a byte order mark. */
function unmarked(lines: Buffer): Buffer {
  const { length } = BYTE_ORDER_MARK;
  return lines.subarray(0, length).equals(BYTE_ORDER_MARK) ? lines.subarray(length) : lines;
}

function tell(buffer: ReadBuffer, on: MessageEvents, isPassedOn: boolean): void {
  for (;;) {
    try {
      const message = buffer.readMessage();
      if (message === null) return;
      on.message(message, isPassedOn);
    } catch (error) {
      on.refused(whyOf(error));
    }
  }
}

/** What JSON.parse says, in one line; the SDK's own check of a message lists all that it is not, as JSON. */
function whyOf(error: unknown): string {
  if (error instanceof SyntaxError) return error.message.split('\n')[0] ?? '';
  if (error instanceof RangeError) return 'JSON that nests too deep to be passed on';
  return 'JSON, but no JSON-RPC message';
}
