import { t } from '../../../locales/texts/errors.ts';
/** Bytes; the worker would die of more before the user saw any of it. */
export const MAX_BODY = 64 * 1024 * 1024;

/** A server sent more than is read of it. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
}

/**
 * The response, whose body breaks off with a TooLargeError, told to `onExceeded` too, when it is larger than `most`
 * bytes. Of an event stream, which may go on for days, one event may be that large.
 */
export function limitBody(
  response: Response,
  onExceeded: (error: TooLargeError) => void,
  most = MAX_BODY,
): Response {
  if (!response.body) return response;
  const isStream = /^\s*text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
  const asLines = createLineFeeds();
  let size = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      const lines = asLines(chunk);
      const boundary = isStream ? lastBlankLine(lines) : -1;
      size = boundary < 0 ? size + lines.length : lines.length - boundary;
      if (size <= most) return controller.enqueue(lines);
      const error = new TooLargeError(
        t(($) => $.errors.mcp.sentTooMuch, { megabytes: Math.floor(most / 1024 / 1024) }),
      );
      onExceeded(error);
      controller.error(error);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
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
