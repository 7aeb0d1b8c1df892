import { AppError } from '../../errors.ts';
import {
  ACK_EVERY,
  type FromNativeHost,
  type Launch,
  NATIVE_PROTOCOL,
  type NativeReply,
  type NativeRequest,
  type ToNativeHost,
} from '../../types/native-host.ts';
import { orderMessages, type ProgramEvents } from './program-messages.ts';
import { t } from '../../../locales/texts/errors.ts';

/** `runtime.Port`, as far as it is used. */
export type NativePort = {
  postMessage(message: unknown): void;
  disconnect(): void;
};

/**
 * Starts the native host, as `runtime.connectNative` does. `gone` is told why when it has ended, in the browser's words.
 * @throws Error when the browser does not let Portside
 */
export type ConnectNative = (on: {
  message: (message: unknown) => void;
  gone: (why: string | undefined) => void;
}) => NativePort;

export type NativeLink = {
  /** What it says of itself now, whichever protocol it speaks. @throws AppError native_host_missing, or why it is not allowed */
  about(): Promise<Hello>;
  /**
   * `signal`: aborting cancels the request, whose reply then comes soon.
   * @throws AppError native_host_missing, native_host_outdated, native_host_failed
   */
  ask(request: NativeRequest, signal?: AbortSignal): Promise<NativeReply>;
  /** Starts a program. @throws AppError native_host_missing, native_host_outdated */
  start(launch: Launch, idleMs: number | null, on: ProgramEvents): Promise<RunningProgram>;
};

type Hello = Extract<FromNativeHost, { type: 'hello' }>;

/** Milliseconds within which the native host has to say hello. */
const HELLO_TIME = 15_000;

/** What is said to one that has ended is dropped. */
export type RunningProgram = { send(message: unknown): void; stop(): void };

type Open = {
  port: NativePort;
  /** What it said of itself last, or is being asked. */
  hello: Promise<Hello>;
  /** Asks it anew, unless it is being asked. */
  greet: () => Promise<Hello>;
  /** Those that ask it something now. */
  users: number;
  programs: Map<number, ReturnType<typeof orderMessages>>;
  /** Undefined: the native host is gone. */
  replies: Map<number, (reply: NativeReply | undefined) => void>;
};

/**
 * The one native host of this worker: started when it is needed, and let go when nothing needs it any more.
 * @param allowed rejects as long as the browser lets Portside start none; asked each time
 */
export function createNativeLink(
  connect: ConnectNative,
  allowed: () => Promise<void> = async () => undefined,
): NativeLink {
  let open: Open | undefined;
  let last = 0;

  const begin = (): Open => {
    let greeting: PromiseWithResolvers<Hello> | undefined;
    let helloTimer: ReturnType<typeof setTimeout> | undefined;
    const lanes = new Map<number, string>();
    let taken = 0;
    let node: string | undefined;
    const handleFrame = (frame: FromNativeHost): void => {
      switch (frame.type) {
        case 'hello':
          clearTimeout(helloTimer);
          greeting?.resolve(frame);
          greeting = undefined;
          return;
        case 'no_node':
          node = frame.node;
          return;
        case 'message':
          return link.programs.get(frame.channel)?.message(frame.message);
        case 'piece':
          return link.programs.get(frame.channel)?.piece(frame);
        case 'stderr':
          return link.programs.get(frame.channel)?.stderr(frame.lines);
        case 'exit':
          link.programs.get(frame.channel)?.exit(frame.exit);
          link.programs.delete(frame.channel);
          return rest(link);
        case 'reply':
          return link.replies.get(frame.id)?.(frame.reply);
        case 'part': {
          const text = (lanes.get(frame.lane) ?? '') + frame.text;
          lanes.set(frame.lane, frame.last ? '' : text);
          if (frame.last) handleFrame(JSON.parse(text) as FromNativeHost);
        }
      }
    };
    const gone = (why: string | undefined): void => {
      if (open === link) open = undefined;
      clearTimeout(helloTimer);
      greeting?.reject(
        missing(node === undefined ? why : t(($) => $.errors.nativeHost.noNode, { path: node })),
      );
      greeting = undefined;
      for (const { exit } of link.programs.values()) exit(undefined);
      link.programs.clear();
      for (const reply of link.replies.values()) reply(undefined);
    };
    const port = portTo(connect, {
      message(frame) {
        handleFrame(frame as FromNativeHost);
        taken += 1;
        if (taken % ACK_EVERY === 0 && open === link) say(link, { type: 'ack', frames: ACK_EVERY });
      },
      gone,
    });
    const greet = (): Promise<Hello> => {
      if (greeting) return greeting.promise;
      greeting = Promise.withResolvers();
      helloTimer = setTimeout(() => {
        port.disconnect();
        gone(t(($) => $.errors.nativeHost.silent));
      }, HELLO_TIME);
      port.postMessage({ type: 'hello', protocol: NATIVE_PROTOCOL } satisfies ToNativeHost);
      return greeting.promise;
    };
    const link: Open = { port, greet, hello: greet(), users: 0, programs: new Map(), replies: new Map() };
    return link;
  };
  const rest = (link: Open): void => {
    if (open !== link || link.users > 0 || link.programs.size > 0) return;
    open = undefined;
    link.port.disconnect();
  };
  const use = async <T>(job: (link: Open, about: Hello) => T | Promise<T>, isAnew = false): Promise<T> => {
    await allowed();
    const link = (open ??= begin());
    if (isAnew) link.hello = link.greet();
    link.users += 1;
    try {
      return await job(link, await link.hello);
    } finally {
      link.users -= 1;
      rest(link);
    }
  };
  const understood = <T>(job: (link: Open) => T | Promise<T>): Promise<T> =>
    use((link, about) => {
      if (about.protocol !== NATIVE_PROTOCOL) throw outdated(about);
      return job(link);
    });

  return {
    about: () => use((_, about) => about, true),
    ask: (request, signal) =>
      understood(async (link) => {
        const id = (last += 1);
        const reply = await new Promise<NativeReply | undefined>((resolve) => {
          link.replies.set(id, resolve);
          say(link, { type: 'request', id, request });
          const cancel = (): void => say(link, { type: 'cancel', id });
          if (signal?.aborted) cancel();
          else signal?.addEventListener('abort', cancel);
        });
        link.replies.delete(id);
        if (reply && reply.type !== 'failed') return reply;
        throw new AppError({
          code: 'native_host_failed',
          message: t(($) => $.errors.nativeHost.failed),
          cause: reply?.why ?? t(($) => $.errors.nativeHost.itEnded),
        });
      }),
    start: (launch, idleMs, on) =>
      understood((link) => {
        const channel = (last += 1);
        const sayTo = (frame: ToNativeHost): void => {
          if (link.programs.has(channel)) say(link, frame);
        };
        link.programs.set(channel, orderMessages(on));
        sayTo({ type: 'start', channel, launch, idleMs });
        return {
          send: (message) => sayTo({ type: 'message', channel, message }),
          stop: () => sayTo({ type: 'stop', channel }),
        };
      }),
  };
}

function say({ port }: Open, frame: ToNativeHost): void {
  port.postMessage(frame);
}

function portTo(connect: ConnectNative, on: Parameters<ConnectNative>[0]): NativePort {
  try {
    return connect(on);
  } catch (error) {
    throw missing(String(error));
  }
}

function missing(cause: string | undefined): AppError {
  return new AppError({
    code: 'native_host_missing',
    ...t(($) => $.errors.nativeHost.missing),
    ...(cause !== undefined && { cause }),
    retryable: true,
  });
}

/** It, or Portside, has to be updated before they understand each other. */
export function outdated({ protocol, version }: Pick<Hello, 'protocol' | 'version'>): AppError {
  return new AppError({
    code: 'native_host_outdated',
    ...t(($) => $.errors.nativeHost.outdated, { version, isOld: protocol < NATIVE_PROTOCOL }),
  });
}
