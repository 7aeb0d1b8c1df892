import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { AppError } from '../../errors.ts';
import type { Exit } from '../../types/native-host.ts';
import { createLineRedaction } from '../log/environment.ts';
import type { WireLog } from '../log/wire-log.ts';
import type { NativeLink, RunningProgram } from './native-link.ts';
import { givenTo, type StdioConfig } from '../settings.ts';
import { t } from '../../../locales/texts/errors.ts';

/** So long a program may have nothing to do before it is ended, in milliseconds. */
const IDLE = 10 * 60_000;

export type NativeTransport = Transport & {
  /** Why there is nothing to talk to any more, once `onclose` was called; undefined if Portside itself closed it. */
  fault(): AppError | undefined;
  /** It was ended for having nothing to do, and is to be started when there is something. */
  isIdle(): boolean;
};

/** A program on this computer, as a transport: `start` starts it, `close` ends it. What it prints to stderr is logged. */
export function createNativeTransport(
  config: StdioConfig,
  link: NativeLink,
  log: Pick<WireLog, 'logged'>,
): NativeTransport {
  let program: RunningProgram | undefined;
  let fault: AppError | undefined;
  let isIdle = false;
  let isClosed = false;
  const redact = createLineRedaction(givenTo(config));
  const ended = (exit: Exit | undefined): void => {
    isIdle = exit?.type === 'idle';
    fault = faultOf(config, exit, redact);
    program = undefined;
    transport.onclose?.();
  };
  const transport: NativeTransport & { pid: null; stderr: null } = {
    // By these the client knows a pipe to a process, whose negotiation differs.
    pid: null,
    stderr: null,
    fault: () => fault,
    isIdle: () => isIdle,
    async start() {
      const started = await link.start(config.launch, config.keepRunning ? null : IDLE, {
        message: (message) => program && transport.onmessage?.(message as JSONRPCMessage),
        stderr: (lines) => {
          for (const line of lines) log.logged('info', redact(line), 'stderr');
        },
        exit: (exit) => program && ended(exit),
      });
      if (isClosed) started.stop();
      else program = started;
    },
    async send(message) {
      program?.send(message);
    },
    async close() {
      const last = program;
      isClosed = true;
      program = undefined;
      last?.stop();
      transport.onclose?.();
    },
  };
  return transport;
}

function faultOf(config: StdioConfig, exit: Exit | undefined, redact: (line: string) => string): AppError {
  if (exit?.type === 'fault') {
    const { text, ...more } = exit.said;
    return new AppError({ code: 'server_not_started', message: `${config.name}: ${text}.`, ...more });
  }
  const { code, signal, stderr, unread } = exit?.type === 'ended' ? exit : NOTHING;
  const how = unread
    ? t(($) => $.errors.nativeHost.unread)
    : code === null
      ? (signal ?? (exit ? '' : t(($) => $.errors.nativeHost.hostEnded)))
      : t(($) => $.errors.nativeHost.exitCode, { code });
  const cause = stderr.map(redact).join('\n').slice(0, MOST_CAUSE);
  return new AppError({
    code: SERVER_ENDED,
    ...t(($) => $.errors.nativeHost.ended, { name: config.name, how: how || 'none' }),
    ...(cause !== '' && { cause }),
  });
}

/** The program was started and is not running any more. */
export const SERVER_ENDED = 'server_ended';

const MOST_CAUSE = 2000;
const NOTHING = { code: null, signal: null, stderr: [], unread: undefined };
