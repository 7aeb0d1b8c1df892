import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Exit, FromNativeHost, Launch } from '../lib/types/native-host.ts';
import { GRACE, settled } from './ending.ts';
import { faultExit, prepare } from './prepare.ts';
import type { LoginPath } from './path.ts';
import type { Program } from './start-program.ts';
import type { Programs } from './programs.ts';
import { StringDecoder } from 'node:string_decoder';
import { constants, deflateRawSync } from 'node:zlib';

export type ChannelsDeps = {
  /** The user's PATH, and where the policy is; resolves when what was left is gone. */
  path: LoginPath;
  folder: string;
  programs: Programs;
  /** False: no more of this channel until `resume`. */
  send: (channel: number, frame: FromNativeHost) => boolean;
};

type Channel = {
  /** Messages for it until it has been started, for which its command has to be found first. */
  waiting: JSONRPCMessage[];
  program: Program | undefined;
  /** It is to be stopped, perhaps before it was started. */
  isStopped: boolean;
  gone: Promise<void>;
};

/** The programs that run, by the worker's numbers for them. What is said to one that is gone is dropped. */
export function createChannels({ path, folder, programs, send }: ChannelsDeps) {
  const channels = new Map<number, Channel>();

  const runChannel = async (
    id: number,
    channel: Channel,
    launch: Launch,
    idleMs: number | null,
  ): Promise<Exit> => {
    const prepared = await prepare(launch, path, folder);
    if ('fault' in prepared) return faultExit(prepared.fault);
    if (channel.isStopped) return { type: 'stopped' };
    return new Promise((resolve) => {
      const framed = createLongMessages(id);
      const activity = watchActivity(idleMs, () => void program.end({ type: 'idle' }, GRACE));
      const started = programs.start(prepared, {
        message(message, isPassedOn) {
          activity.received(message);
          return isPassedOn || send(id, { type: 'message', channel: id, message });
        },
        piece(piece, last) {
          activity.touched();
          return send(id, framed(piece, last));
        },
        stderr: (lines) => void send(id, { type: 'stderr', channel: id, lines }),
        exit(exit) {
          activity.stop();
          resolve(exit);
        },
      });
      const program: Program = {
        ...started,
        send(message) {
          activity.sent(message);
          started.send(message);
        },
      };
      channel.program = program;
      for (const message of channel.waiting.splice(0)) program.send(message);
    });
  };
  const stop = async (channel: Channel, grace: number): Promise<void> => {
    channel.isStopped = true;
    await channel.program?.end({ type: 'stopped' }, grace);
    await channel.gone;
  };

  const leave = (id: number, exit: Exit): void => {
    channels.delete(id);
    send(id, { type: 'exit', channel: id, exit });
  };

  return {
    start(id: number, launch: Launch, idleMs: number | null): void {
      if (channels.has(id)) return; // two programs of one number could not be told apart, nor be stopped
      const channel: Channel = {
        waiting: [],
        program: undefined,
        isStopped: false,
        gone: Promise.resolve(),
      };
      channels.set(id, channel);
      channel.gone = runChannel(id, channel, launch, idleMs)
        .catch((error: unknown): Exit => {
          const why = error instanceof Error ? error.message : String(error);
          return faultExit({ type: 'failed', command: launch.command, why });
        })
        .then((exit) => leave(id, exit));
    },
    message(id: number, message: JSONRPCMessage): void {
      const channel = channels.get(id);
      if (channel?.program) channel.program.send(message);
      else channel?.waiting.push(message);
    },
    resume: (id: number): void => channels.get(id)?.program?.resume(),
    stop(id: number): void {
      const channel = channels.get(id);
      if (channel) void stop(channel, GRACE);
    },
    /** Resolves when all programs are gone. */
    async endAll(grace: number): Promise<void> {
      await settled([...channels.values()].map((channel) => stop(channel, grace)));
    },
  };
}

/** Never answered: it stays open for as long as the client subscribes (MCP 2026-07-28). */
const LISTEN = 'subscriptions/listen';

/** Tells when nothing was said for `idleMs`, in either direction, while no request waits for its answer. */
function watchActivity(idleMs: number | null, idle: () => void) {
  const open = new Set<unknown>();
  let timer: NodeJS.Timeout | undefined;
  const touched = (): void => {
    clearTimeout(timer);
    if (idleMs !== null && open.size === 0) timer = setTimeout(idle, idleMs);
  };
  touched();
  return {
    sent(message: JSONRPCMessage): void {
      if ('method' in message && 'id' in message && message.method !== LISTEN) open.add(message.id);
      if ('method' in message && message.method === 'notifications/cancelled') {
        open.delete(message.params?.['requestId']);
      }
      touched();
    },
    received(message: JSONRPCMessage): void {
      if (!('method' in message)) open.delete(message.id);
      touched();
    },
    /** A piece of a long message came. */
    touched,
    stop: (): void => clearTimeout(timer),
  };
}

/** What packing has to leave of a message at most, so that it pays: in JSON what is packed takes a third more. */
const WORTH = 0.6;

const { Z_FINISH, Z_SYNC_FLUSH } = constants;
const pack = (bytes: Buffer, isLast: boolean): Buffer =>
  // The fastest level; each piece can be read once it is there, and all of them are one stream.
  deflateRawSync(bytes, { level: 1, finishFlush: isLast ? Z_FINISH : Z_SYNC_FLUSH });

/**
 * Puts long messages into frames piece by piece. Chromium takes some 60 MB a second from a native host: what can be packed
 * fast to much less gets there sooner, which shows in the first piece.
 */
export function createLongMessages(channel: number): (piece: Buffer, last: boolean) => FromNativeHost {
  let decoder: StringDecoder | undefined;
  let isPacked: boolean | undefined;
  return (piece, last) => {
    isPacked ??= pack(piece, true).length < WORTH * piece.length;
    decoder ??= new StringDecoder('utf8');
    const data = isPacked
      ? pack(piece, last).toString('base64')
      : decoder.write(piece) + (last ? decoder.end() : '');
    const frame: FromNativeHost = { type: 'piece', channel, isPacked, data, last };
    if (last) isPacked = decoder = undefined;
    return frame;
  };
}
