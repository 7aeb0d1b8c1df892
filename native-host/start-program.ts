import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { type Exit, LONGEST_STDERR_LINE } from '../lib/types/native-host.ts';
import { endLeft, endTree } from './ending.ts';
import { faultExit, type Prepared } from './prepare.ts';
import { createMessageReader } from './message-reader.ts';
import { MARK } from './processes.ts';

export type ProgramEvents = {
  /** False: no more until `resume`. `isPassedOn`: `piece` was given it already. */
  message: (message: JSONRPCMessage, isPassedOn: boolean) => boolean;
  /** A piece of a long message while it comes, which may turn out to be none. False: no more until `resume`. */
  piece?: (piece: Buffer, last: boolean) => boolean;
  stderr: (lines: string[]) => void;
  /** Once, after everything else: it is gone, with all that it started. */
  exit: (exit: Exit) => void;
};

/** A server that runs. */
export type Program = {
  pid: number | undefined;
  /** In its environment, and so in that of all that it starts. */
  mark: string;
  send(message: JSONRPCMessage): void;
  resume(): void;
  /** Ends it; `exit` comes with this for a reason. Resolves when it is gone. */
  end(exit: Exit, grace: number): Promise<void>;
};

/** Bytes that a program may leave unread before it counts as stuck. */
const MOST_UNREAD = 64 * 1024 * 1024;
/** What it wrote last may still be in the pipes when it has ended, in milliseconds; what it started may keep them open. */
const LAST_WORDS = 200;

/** Starts it in a process group of its own, without a shell. */
export function startProgram(prepared: Prepared, grace: number, on: ProgramEvents): Program {
  const { file, args, cwd } = prepared;
  const mark = randomUUID();
  const env = { ...prepared.env, [MARK]: mark };
  const isWindows = process.platform === 'win32';
  const child = spawn(file, args, { cwd, env, detached: !isWindows, windowsHide: true });
  const stderr = createStderrLines(on.stderr);
  let ending: Promise<void> | undefined;
  const ended = watchEnd(child, (code, signal) => {
    stderr.flush();
    return { type: 'ended', code, signal, stderr: stderr.last() };
  });
  const finish = (exit: Exit): void => {
    stderr.flush();
    on.exit(exit);
  };
  const end = (exit: Exit, within: number): Promise<void> => {
    if (child.pid !== undefined) {
      ending ??= endTree({ pid: child.pid, mark }, within, () => child.stdin.end()).then(() => finish(exit));
    }
    return ending ?? Promise.resolve();
  };

  const fail = async ({ message }: Error): Promise<void> =>
    finish(faultExit({ type: 'failed', command: prepared.command, why: message }));
  const clear = async (pid: number): Promise<void> => {
    const exit = await ended;
    await (ending ??= endLeft({ pid, mark }).then(() => finish(exit)));
  };

  // With a pid it is about a signal or a pipe: its end comes by itself.
  child.on('error', (error) => {
    if (child.pid === undefined) ending ??= fail(error);
  });
  if (child.pid !== undefined) void clear(child.pid);
  // A pipe that breaks says nothing that its end does not.
  child.stdin.on('error', () => undefined);
  const { piece } = on;
  const read = createMessageReader({
    message: (message, isPassedOn) => on.message(message, isPassedOn) || child.stdout.pause(),
    refused: (why) => stderr.add(`(on stdout, where only messages belong: ${why})\n`),
    ...(piece && { piece: (bytes, last) => void (piece(bytes, last) || child.stdout.pause()) }),
  });
  child.stdout.on('data', read);
  child.stderr.setEncoding('utf8').on('data', stderr.add);
  return {
    pid: child.pid,
    mark,
    end,
    resume: () => child.stdout.resume(),
    send(message) {
      if (child.stdin.writable) child.stdin.write(serializeMessage(message));
      if (child.stdin.writableLength <= MOST_UNREAD) return;
      void end({ type: 'ended', code: null, signal: null, stderr: stderr.last(), unread: true }, grace);
    },
  };
}

/** Resolves when it has ended and what it wrote was read. */
function watchEnd(
  child: ChildProcessWithoutNullStreams,
  exitOf: (code: number | null, signal: string | null) => Exit,
): Promise<Exit> {
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => {
      const done = (): void => resolve(exitOf(code, signal));
      child.on('close', done);
      // A pause of its output would keep it from ever closing.
      child.stdout.resume();
      setTimeout(done, LAST_WORDS).unref();
    });
  });
}

/** Lines that wait to be told, and those that an exit repeats. */
const MOST_LINES = 200;
const LAST = 20;
/** Milliseconds: what is printed together is told together. */
const TOGETHER = 30;

/** Cuts what a program prints into lines, each of a bounded length; of a flood only the last lines are told. */
export function createStderrLines(tell: (lines: string[]) => void) {
  let rest = '';
  let waiting: string[] = [];
  let last: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const put = (lines: string[]): void => {
    const kept = lines
      .map((line) => line.trimEnd().slice(0, LONGEST_STDERR_LINE))
      .filter((line) => line !== '');
    waiting = [...waiting, ...kept].slice(-MOST_LINES);
    last = [...last, ...kept].slice(-LAST);
  };
  const tellAll = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const lines = waiting;
    waiting = [];
    if (lines.length > 0) tell(lines);
  };
  return {
    add(chunk: string): void {
      const lines = (rest + chunk).split(/\r?\n/);
      // The rest of a line that is too long already is dropped as it comes.
      rest = (lines.pop() ?? '').slice(0, LONGEST_STDERR_LINE);
      put(lines);
      if (waiting.length > 0) timer ??= setTimeout(tellAll, TOGETHER);
    },
    /** Tells what waits, also of a line that has not ended. */
    flush(): void {
      put([rest]);
      rest = '';
      tellAll();
    },
    /** The last lines, oldest first. */
    last: (): string[] => last,
  };
}
