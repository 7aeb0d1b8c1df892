import { isRecord, isTexts } from '../lib/json.ts';
import type { Launch, ToNativeHost } from '../lib/types/native-host.ts';

/** What a browser sends is at most this long, in bytes; Chromium allows itself 64 MiB. */
const MOST_INCOMING = 64 * 1024 * 1024;
const HEADER = 4;

/** The stream is not one of native messages, or ended inside one. There is no way to go on in it. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/**
 * The native messages of a stream, parsed, however it is cut into chunks
 * (https://developer.chrome.com/docs/extensions/develop/concepts/native-messaging#native-messaging-host-protocol).
 * Returns at its end. @throws FrameError
 */
export async function* readFrames(
  input: AsyncIterable<Buffer>,
  most = MOST_INCOMING,
): AsyncGenerator<unknown> {
  let chunks: Buffer[] = [];
  let size = 0;
  /** Of the frame that comes, once its header is there. */
  let length: number | undefined;
  for await (const chunk of input) {
    chunks.push(chunk);
    size += chunk.length;
    for (;;) {
      const needed = length ?? HEADER;
      if (size < needed) break;
      const held = Buffer.concat(chunks);
      chunks = [held.subarray(needed)];
      size -= needed;
      if (length === undefined) length = lengthIn(held, most);
      else {
        length = undefined;
        yield parsed(held.subarray(0, needed));
      }
    }
  }
  if (size > 0 || length !== undefined) throw new FrameError('The stream ended inside a frame.');
}

/** All architectures that browsers and Node run on are little-endian. */
function lengthIn(header: Buffer, most: number): number {
  const length = header.readUInt32LE(0);
  if (length <= most) return length;
  throw new FrameError(`A frame of ${length} bytes was announced; ${most} are allowed.`);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new FrameError('A frame is not JSON.', { cause });
  }
}

/** One native message of a text that is JSON. */
export function frameOf(json: string): Buffer {
  const length = Buffer.byteLength(json);
  const frame = Buffer.allocUnsafe(HEADER + length);
  frame.writeUInt32LE(length, 0);
  frame.write(json, HEADER);
  return frame;
}

/**
 * What the worker sends, whichever its version: a frame of an unknown type passes, and its receiver ignores it.
 * @throws FrameError when it lacks what its type has. What it holds may be secret, and is not repeated
 */
export function requireFrame(value: unknown): ToNativeHost {
  if (!isRecord(value)) throw new FrameError('A frame is no object.');
  const { type } = value;
  const isWhole =
    typeof type === 'string' && (Object.hasOwn(SHAPES, type) ? SHAPES[type as Known](value) : true);
  if (isWhole) return value as ToNativeHost;
  throw new FrameError(
    typeof type === 'string' ? `A frame of type “${type}” is not as it should be.` : 'A frame has no type.',
  );
}

type Fields = Record<string, unknown>;
type Known = ToNativeHost['type'];

const SHAPES: Record<Known, (fields: Fields) => boolean> = {
  hello: ({ protocol }) => typeof protocol === 'number',
  start: ({ channel, launch, idleMs }) =>
    isNumber(channel) && isLaunch(launch) && (idleMs === null || isNumber(idleMs)),
  message: ({ channel, message }) => isNumber(channel) && isRecord(message),
  stop: ({ channel }) => isNumber(channel),
  ack: ({ frames }) => isNumber(frames),
  request: ({ id, request }) =>
    isNumber(id) && isRecord(request) && (request['type'] !== 'check' || isLaunch(request['launch'])),
  cancel: ({ id }) => isNumber(id),
};

function isLaunch(value: unknown): value is Launch {
  if (!isRecord(value)) return false;
  const { command, args, cwd, env } = value;
  return (
    typeof command === 'string' &&
    isTexts(args) &&
    (cwd === undefined || typeof cwd === 'string') &&
    isRecord(env) &&
    isTexts(Object.values(env))
  );
}

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isSafeInteger(value);
