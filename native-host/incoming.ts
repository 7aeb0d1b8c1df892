import type { Launch, ToNativeHost } from '../lib/types/native-host.ts';
import { FrameError } from './frames.ts';

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
    Array.isArray(args) &&
    args.every(isText) &&
    (cwd === undefined || isText(cwd)) &&
    isRecord(env) &&
    Object.values(env).every(isText)
  );
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isSafeInteger(value);

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
