import { ReadBuffer } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** Bytes of one message. */
const MOST_MESSAGE = 256 * 1024 * 1024;
const NEWLINE = 10;

/**
 * The messages in a program's output, one a line. What comes before a line's end is only kept: the SDK's buffer would be
 * copied and searched from its start with every chunk, which takes seconds for a message of 20 MB.
 * @param refused gets why a line is no message; such lines are skipped, since many programs print other things too
 */
export function createMessageReader(
  received: (message: JSONRPCMessage) => void,
  refused: (why: string) => void,
): (chunk: Buffer) => void {
  const buffer = new ReadBuffer({ maxBufferSize: MOST_MESSAGE });
  let held: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    held.push(chunk);
    size += chunk.length;
    if (size > MOST_MESSAGE) {
      held = [];
      size = 0;
      return refused(`more than ${MOST_MESSAGE} bytes without the end of a line`);
    }
    if (!chunk.includes(NEWLINE)) return;
    buffer.append(Buffer.concat(held));
    held = [];
    size = 0;
    for (;;) {
      try {
        const message = buffer.readMessage();
        if (message === null) return;
        received(message);
      } catch (error) {
        refused(whyOf(error));
      }
    }
  };
}

/** What JSON.parse says, in one line; the SDK's own check of a message lists all that it is not, as JSON. */
function whyOf(error: unknown): string {
  if (error instanceof SyntaxError) return error.message.split('\n')[0] ?? '';
  return 'JSON, but no JSON-RPC message';
}
