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
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  let size = 0;
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      const boundary = isStream ? lastBlankLine(chunk) : -1;
      size = boundary < 0 ? size + chunk.length : chunk.length - boundary;
      if (size <= most) return controller.enqueue(chunk);
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

/** Where the last event of a chunk ends. A blank line that two chunks share goes unseen; the next one is not. */
function lastBlankLine(chunk: Uint8Array): number {
  for (let at = chunk.length - 1; at > 0; at--) {
    const [before, here] = [chunk[at - 1], chunk[at]];
    const bothEnd = (here === LF || here === CR) && (before === LF || before === CR);
    if (bothEnd && !(before === CR && here === LF)) return at;
  }
  return -1;
}
