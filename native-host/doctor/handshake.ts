import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  CHROMIUM_IDS,
  NATIVE_PROTOCOL,
  type FromNativeHost,
  type NativeHostAbout,
  type NativeReply,
  type NativeRequest,
  type ToNativeHost,
} from '../../lib/types/native-host.ts';
import { endLeft } from '../ending.ts';
import { frameOf, readFrames } from '../frames.ts';
import { MARK, taskkill } from '../processes.ts';
import { t } from '../../locales/texts/terminal.ts';

/** How long the native host has for `hello`, in milliseconds. */
const TIMEOUT_MS = 15_000;

export type Answering = {
  about: NativeHostAbout;
  /** @throws Error in words when the native host ends before it replies */
  ask: (request: NativeRequest) => Promise<NativeReply>;
  close: () => void;
};

/** Starts the launcher as a browser does and shakes hands. @throws Error in words for a user */
export async function shakeHands(launcher: string, timeoutMs = TIMEOUT_MS): Promise<Answering> {
  const mark = randomUUID();
  const child = startLauncher(launcher, { ...process.env, [MARK]: mark });
  let reject: (why: Error) => void = () => undefined;
  const ended = new Promise<never>((_, refuse) => (reject = refuse));
  ended.catch(() => undefined); // it may end when nothing awaits it
  child.on('error', ({ message }) => reject(new Error(message)));
  child.on('close', (code) =>
    reject(new Error(t(($) => $.doctor.ended, { code: code === null ? 'none' : String(code) }))),
  );
  child.stdin?.on('error', () => undefined); // it ended: `close` says so
  const send = (frame: ToNativeHost): void => void child.stdin?.write(frameOf(JSON.stringify(frame)));
  const frames = readFrames(child.stdout as AsyncIterable<Buffer>) as AsyncGenerator<FromNativeHost>;
  const next = async (): Promise<FromNativeHost> => {
    const { value, done } = await Promise.race([frames.next(), ended]);
    return done ? ended : value;
  };
  const timer = setTimeout(
    () => reject(new Error(t(($) => $.doctor.silent, { seconds: timeoutMs / 1000 }))),
    timeoutMs,
  );
  let last = 0;
  try {
    send({ type: 'hello', protocol: NATIVE_PROTOCOL });
    const about = aboutIn(await next());
    return {
      about,
      async ask(request) {
        last += 1;
        send({ type: 'request', id: last, request });
        for (;;) {
          const frame = await next();
          if (frame.type === 'reply' && frame.id === last) return frame.reply;
        }
      },
      close: () => void child.stdin?.end(),
    };
  } catch (error) {
    await abandon(child, mark);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** With all that it started. What is left all the same may still hold the pipes, which are not waited for. */
async function abandon(child: ChildProcess, mark: string): Promise<void> {
  const { pid } = child;
  const ending = pid !== undefined && (process.platform === 'win32' ? taskkill(pid) : endLeft({ pid, mark }));
  await Promise.allSettled([ending]);
  child.stdin?.destroy();
  child.stdout?.destroy();
  child.unref();
}

function aboutIn(frame: FromNativeHost): NativeHostAbout {
  if (frame.type === 'no_node') throw new Error(t(($) => $.noNode, { node: frame.node }));
  if (frame.type !== 'hello') throw new Error(t(($) => $.doctor.noHello, { type: frame.type }));
  if (frame.protocol === NATIVE_PROTOCOL) return frame;
  throw new Error(t(($) => $.doctor.otherProtocol, { theirs: frame.protocol, ours: NATIVE_PROTOCOL }));
}

/**
 * With the argument that a Chromium browser gives, in a group of its own. Windows runs a batch file only through its
 * command interpreter.
 */
function startLauncher(launcher: string, env: NodeJS.ProcessEnv): ChildProcess {
  const origin = `chrome-extension://${CHROMIUM_IDS[0]}/`;
  const stdio: ['pipe', 'pipe', 'inherit'] = ['pipe', 'pipe', 'inherit'];
  if (process.platform !== 'win32') return spawn(launcher, [origin], { stdio, env, detached: true });
  return spawn(process.env['ComSpec'] ?? 'cmd.exe', ['/d', '/s', '/c', `""${launcher}" ${origin}"`], {
    stdio,
    env,
    windowsVerbatimArguments: true,
    windowsHide: true,
  });
}
