import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import {
  type FromNativeHost,
  NATIVE_PROTOCOL,
  type NativeRequest,
  type ToNativeHost,
  type NativeReply,
} from '../lib/types/native-host.ts';
import { createChannels } from './channels.ts';
import { HASTE, settled } from './ending.ts';
import { frameOf, readFrames, requireFrame } from './frames.ts';
import { faultExit } from './prepare.ts';
import { createOutgoing } from './outgoing.ts';
import { createLoginPath, type LoginPath } from './path.ts';
import { readPolicy } from './policy.ts';
import { createPrograms } from './programs.ts';
import { createRunning, reap } from './running-notes.ts';
import { check, type CheckDeps } from './check.ts';
import { findConfigs } from './configs.ts';
import { checkInstallation } from './doctor/installation.ts';
import { thisMachine } from './install/machine.ts';
import { VERSION } from './version.ts';
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';

export type HostOptions = {
  /** Frames from the browser; when they end, so does everything. */
  input: Readable;
  output: Writable;
  /** Where the policy is, and what runs is written down. */
  folder: string;
  /** Of the native host. */
  version: string;
};

/** Replies to requests share a lane; channels are counted from 1. */
const REPLIES = 0;

/**
 * Serves one browser profile: runs its servers and carries their messages, until the browser closes `input`, or
 * `signal` is aborted. Resolves when no program is left. @throws FrameError when what comes is not native messages
 */
export async function runHost(options: HostOptions, signal?: AbortSignal): Promise<void> {
  const { input, output, folder, version } = options;
  const over = new AbortController();
  const path = reapedFirst(folder, createLoginPath(over.signal));
  const programs = createPrograms(createRunning(folder));
  const outgoing = createOutgoing(output, (lane) => channels.resume(lane));
  const send = outgoing.send;
  const channels = createChannels({ path, folder, programs, send });
  const hello = async (): Promise<void> => {
    const about = { version, node: process.versions.node, policy: await readPolicy(folder) };
    const frame: FromNativeHost = { type: 'hello', protocol: NATIVE_PROTOCOL, ...about };
    output.write(frameOf(JSON.stringify(frame)));
  };
  const asked = new Map<number, AbortController>();
  const answer = async (id: number, request: NativeRequest): Promise<void> => {
    const cancel = new AbortController();
    asked.set(id, cancel);
    const said = await reply(request, { path, folder, programs, signal: cancel.signal });
    asked.delete(id);
    send(REPLIES, { type: 'reply', id, reply: said });
  };
  let isGreeted = false;
  const handleFrame = (frame: ToNativeHost): void => {
    isGreeted ||= frame.type === 'hello' && frame.protocol === NATIVE_PROTOCOL;
    const refused = isGreeted ? undefined : tooSoon(frame);
    if (refused) return void send(REPLIES, refused);
    switch (frame.type) {
      case 'hello':
        return void hello();
      case 'start':
        return channels.start(frame.channel, frame.launch, frame.idleMs);
      case 'message':
        // The worker's own client made it.
        return channels.message(frame.channel, frame.message as JSONRPCMessage);
      case 'stop':
        return channels.stop(frame.channel);
      case 'ack':
        return outgoing.acknowledged(frame.frames);
      case 'request':
        return void answer(frame.id, frame.request);
      case 'cancel':
        return asked.get(frame.id)?.abort();
    }
  };
  // A browser that is gone reads nothing more; its end comes on `input` too.
  output.on('error', () => input.destroy());
  signal?.addEventListener('abort', () => input.destroy());
  try {
    for await (const frame of readFrames(input)) handleFrame(requireFrame(frame));
  } catch (error) {
    if (!input.destroyed || !isPrematureClose(error)) throw error;
  } finally {
    over.abort();
    await settled([channels.endAll(HASTE), programs.endAll(HASTE)]);
  }
}

/** What answers a frame that came before a `hello` which both sides understand, if it would start something. */
function tooSoon(frame: ToNativeHost): FromNativeHost | undefined {
  const why = `Nothing is done before a hello of protocol ${NATIVE_PROTOCOL}.`;
  if (frame.type === 'request') return { type: 'reply', id: frame.id, reply: { type: 'failed', why } };
  if (frame.type !== 'start') return undefined;
  const { channel, launch } = frame;
  return { type: 'exit', channel, exit: faultExit({ type: 'failed', command: launch.command, why }) };
}

function isPrematureClose(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}

/** Longer than Chromium lets a native host end before it kills it, in milliseconds; on a busy computer, too. */
const LOOK_AGAIN = [3000, 15_000];

/** The user's PATH, once nothing of an earlier native host runs any more. */
function reapedFirst(folder: string, path: LoginPath): LoginPath {
  let reaping: Promise<void> | undefined;
  const reapAll = (): Promise<void> =>
    reap(folder).catch((error: unknown) => {
      process.stderr.write(`portside-native-host: what was left could not be ended: ${String(error)}\n`);
    });
  return async (isAnew) => {
    // The one before may be ending still, and be killed before it is done.
    if (!reaping) for (const ms of LOOK_AGAIN) setTimeout(() => void reapAll(), ms).unref();
    reaping ??= reapAll();
    const [found] = await Promise.all([path(isAnew), reaping]);
    return found;
  };
}

/** Answers what the worker asks besides running servers. Never throws. */
async function reply(request: NativeRequest, deps: CheckDeps): Promise<NativeReply> {
  try {
    switch (request.type) {
      case 'check':
        return { type: 'steps', steps: await check(request.launch, deps) };
      case 'find_configs':
        return { type: 'configs', configs: findConfigs() };
      case 'doctor':
        return { type: 'doctor', steps: checkInstallation(thisMachine(), VERSION, deps.folder) };
    }
  } catch (error) {
    return { type: 'failed', why: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Is the native host of the browser that started this process, whose stdout belongs to frames alone. Resolves when
 * nothing is left to do; the process is to exit then, with `process.exitCode`.
 * @param folder of the policy, and of the notes on what runs: the program's own
 */
export async function serve(folder = dirname(realpathSync(process.argv[1] ?? '.'))): Promise<void> {
  const stop = new AbortController();
  const fail = (error: unknown): void => {
    process.stderr.write(`portside-native-host: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
    stop.abort();
  };
  // Without a browser nothing reads stderr: a write to it fails, and telling of that would fail again, for ever.
  process.stderr.on('error', () => undefined);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  for (const fault of ['uncaughtException', 'unhandledRejection'] as const) process.on(fault, fail);
  const { stdin: input, stdout: output } = process;
  await runHost({ input, output, folder, version: VERSION }, stop.signal).catch(fail);
}
