import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import {
  type FromNativeHost,
  type Launch,
  NATIVE_PROTOCOL,
  type ToNativeHost,
} from '../../lib/types/native-host.ts';
import { frameOf, readFrames } from '../../native-host/frames.ts';

type Frame = Exclude<FromNativeHost, { type: 'part' | 'piece' }>;
type Of<T extends Frame['type']> = Extract<Frame, { type: T }>;

/** The native host in a process of its own, spoken to as a browser does. */
export type Host = {
  pid: number;
  folder: string;
  send(frame: ToNativeHost): void;
  /** Whatever bytes, in place of frames. */
  write(bytes: Uint8Array): void;
  /** The next frame of a type that was not taken yet. @throws Error when the native host ends without one */
  next<T extends Frame['type']>(type: T, channel?: number): Promise<Of<T>>;
  /** Frames as they came, in pieces or not. */
  received: FromNativeHost[];
  /** Sends a request to a server and waits for its answer. */
  ask(channel: number, method: string, params?: object): Promise<Record<string, unknown>>;
  /** Closes its stdin. */
  hangUp(): void;
  /** Its stderr has no reader any more, as when the browser is gone. */
  closeStderr(): void;
  kill(signal: NodeJS.Signals): void;
  /** With its exit code, when it has ended. */
  ended: Promise<number | null>;
  stderr: () => string;
};

const entry = join(import.meta.dirname, 'fixtures/host.ts');
const server = join(import.meta.dirname, 'fixtures/server.ts');

/** How the fixture server is started. */
export function fixture(...habits: string[]): Launch {
  return { command: process.execPath, args: [server, ...habits], env: {} };
}

type HostOptions = {
  /** False: what comes is never taken in. */
  acknowledges?: boolean;
  /** False: the test itself says hello, or does not. */
  greets?: boolean;
  env?: Record<string, string>;
};

export function startHost(
  folder: string,
  { acknowledges = true, greets = true, env = {} }: HostOptions = {},
): Host {
  const child = spawn(process.execPath, [entry, folder], {
    env: { ...process.env, SHELL: '/bin/sh', ...env },
    stdio: 'pipe',
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stdin.on('error', () => undefined);
  const received: FromNativeHost[] = [];
  const waiting: Frame[] = [];
  const parts = new Map<number, string>();
  const texts = new Map<number, string[]>();
  let wake = Promise.withResolvers<void>();
  const ended = once(child, 'close').then(([code]) => {
    wake.resolve();
    return code as number | null;
  });
  let isOver = false;
  void ended.then(() => (isOver = true));
  const send = (frame: ToNativeHost): void => void child.stdin.write(frameOf(JSON.stringify(frame)));
  const read = (frame: FromNativeHost): void => {
    if (frame.type === 'part') {
      const json = (parts.get(frame.lane) ?? '') + frame.text;
      parts.set(frame.lane, frame.last ? '' : json);
      if (frame.last) read(JSON.parse(json) as FromNativeHost);
    } else if (frame.type === 'piece') {
      const { channel, isPacked, last, data } = frame;
      const pieces = [...(texts.get(channel) ?? []), data];
      texts.set(channel, last ? [] : pieces);
      if (!last) return;
      const json = isPacked
        ? inflateRawSync(Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64'))))
        : pieces.join('');
      const message: unknown = JSON.parse(json.toString());
      waiting.push({ type: 'message', channel, message });
    } else waiting.push(frame);
  };
  const take = (frame: FromNativeHost): void => {
    received.push(frame);
    if (acknowledges && frame.type !== 'hello') send({ type: 'ack', frames: 1 });
    read(frame);
    wake.resolve();
    wake = Promise.withResolvers();
  };
  const reading = async (): Promise<void> => {
    for await (const frame of readFrames(child.stdout)) take(frame as FromNativeHost);
  };
  if (greets) send({ type: 'hello', protocol: NATIVE_PROTOCOL });
  // One that is killed may end inside a frame.
  void reading().catch(() => undefined);
  let lastId = 0;
  const host: Host = {
    pid: child.pid ?? 0,
    folder,
    send,
    write: (bytes) => void child.stdin.write(bytes),
    received,
    async next(type, channel) {
      for (;;) {
        const isIt = (frame: Frame): boolean =>
          frame.type === type && (channel === undefined || ('channel' in frame && frame.channel === channel));
        const index = waiting.findIndex(isIt);
        if (index >= 0) return waiting.splice(index, 1)[0] as never;
        if (isOver) throw new Error(`The native host ended without ${type}. ${said}`);
        await Promise.race([wake.promise, ended]);
      }
    },
    async ask(channel, method, params = {}) {
      lastId += 1;
      send({ type: 'message', channel, message: { jsonrpc: '2.0', id: lastId, method, params } });
      const { message } = await host.next('message', channel);
      return (message as { result: Record<string, unknown> }).result;
    },
    hangUp: () => void child.stdin.end(),
    closeStderr: () => void child.stderr.destroy(),
    kill: (signal) => void child.kill(signal),
    ended,
    stderr: () => said,
  };
  return host;
}
