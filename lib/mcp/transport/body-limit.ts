import { nextTask } from '../../async.ts';
import { t } from '../../../locales/texts/errors.ts';
/** Bytes; the worker would die of more before the user saw any of it. */
export const MAX_BODY = 64 * 1024 * 1024;

/** Lines of events that are read in a while: each event takes the worker some 50 µs, and gzip makes nothing of a million. */
const MOST_LINES = 50_000;
const WHILE_MS = 10_000;

/** Bytes of events after which others get the thread: what reads them waits for nothing in between. */
const PIECE = 16_384;

/** A server sent more than is read of it. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

/**
 * The response, whose body breaks off with a TooLargeError, told to `onExceeded` too, when it is larger than `most`
 * bytes. Of an event stream, which may go on for days, one event may be that large, and the same goes for it when it has
 * more lines in a while than anyone reads.
 */
export function limitBody(
  response: Response,
  onExceeded: (error: TooLargeError) => void,
  most = MAX_BODY,
): Response {
  if (!response.body) return response;
  const type = response.headers.get('content-type') ?? '';
  const isStream = /^\s*text\/event-stream\b/i.test(type);
  // The client reads what it asked for by GET as a stream, whatever its type says.
  const mayBeStream = !/^\s*application\/json\b/i.test(type);
  const asLines = createLineFeeds();
  const isFlood = createMeter();
  let size = 0;
  let unrested = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    async transform(chunk, controller) {
      const lines = asLines(chunk);
      const boundary = isStream ? lastBlankLine(lines) : -1;
      size = boundary < 0 ? size + lines.length : lines.length - boundary;
      for (let at = 0; at < lines.length; at += PIECE) {
        const piece = mayBeStream ? lines.subarray(at, at + PIECE) : lines;
        if (size > most || (mayBeStream && isFlood(piece))) return breakOff(controller);
        controller.enqueue(piece);
        if (!mayBeStream) return;
        unrested += piece.length;
        if (unrested < PIECE) continue;
        unrested = 0;
        await nextTask();
      }
    },
  });
  function breakOff(controller: TransformStreamDefaultController): void {
    const error = new TooLargeError(
      t(($) => $.errors.mcp.sentTooMuch, { megabytes: Math.floor(most / 1024 / 1024) }),
    );
    onExceeded(error);
    controller.error(error);
  }
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
}

/** Whether there were too many lines, or more bytes than one body may have, in a while. */
function createMeter() {
  let since = 0;
  let lines = 0;
  let bytes = 0;
  return (piece: Uint8Array): boolean => {
    const now = performance.now();
    if (now - since > WHILE_MS) [since, lines, bytes] = [now, 0, 0];
    bytes += piece.length;
    for (const byte of piece) if (byte === LF) lines += 1;
    return lines > MOST_LINES || bytes > MAX_BODY;
  };
}

const LF = 10;
const CR = 13;

/**
 * LF in place of each CR and CRLF: at every line, eventsource-parser looks for the next CR and the next LF through all that
 * it has, so that a megabyte of CRs takes it 18 s. Whatever the type says: the client reads what it asked for by GET as a
 * stream, and to JSON the three are one.
 */
function createLineFeeds() {
  let isAfterCr = false;
  return (chunk: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> => {
    if (!isAfterCr && !chunk.includes(CR)) return chunk;
    const lines = new Uint8Array(chunk.length);
    let length = 0;
    for (const byte of chunk) {
      if (byte !== LF || !isAfterCr) lines[length++] = byte === CR ? LF : byte;
      isAfterCr = byte === CR;
    }
    return lines.subarray(0, length);
  };
}

/** Where the last event of a chunk ends. A blank line that two chunks share goes unseen; the next one is not. */
function lastBlankLine(chunk: Uint8Array): number {
  for (let at = chunk.length - 1; at > 0; at--) if (chunk[at - 1] === LF && chunk[at] === LF) return at;
  return -1;
}
