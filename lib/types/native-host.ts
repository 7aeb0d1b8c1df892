/** The name under which browsers know the native host: of its manifest file, and of the registry key on Windows. */
export const NATIVE_HOST = 'app.portside.native_host';

/** Who may speak to it. Ids of the builds that Portside is given out as; unpacked ones have the first. */
export const CHROMIUM_IDS: readonly string[] = ['ephgklnhdognomfbgjpabjaceaipchgc'];
export const FIREFOX_ID = 'portside@portside.dev';

/** The native host and its installer in one file, which the extension brings along: `node portside-native-host.mjs install`. */
export const INSTALLER = 'portside-native-host.mjs';

/** Both sides have to speak the same. Raised when a frame changes in a way that an older side would misread. */
export const NATIVE_PROTOCOL = 2;

/** How a program is started: without a shell, each argument as it is. */
export type Launch = {
  command: string;
  args: string[];
  /** An absolute path; absent: the user's home. */
  cwd?: string;
  /** Beyond what every program gets (PATH, HOME, ...). Secret. */
  env: Record<string, string>;
};

/**
 * What the worker sends. Each server is a channel, whose number the worker chooses and never uses again on this port.
 * Frames go both ways as native messages: a length in four bytes, then JSON.
 */
export type ToNativeHost =
  /** First of all; nothing else is done before. */
  | { type: 'hello'; protocol: number }
  /** `idleMs`: it is ended when nothing was said for so long, in either direction; null: it keeps running. */
  | { type: 'start'; channel: number; launch: Launch; idleMs: number | null }
  /** A JSON-RPC message for the program. */
  | { type: 'message'; channel: number; message: unknown }
  | { type: 'stop'; channel: number }
  /** So many frames, other than `hello`, were taken in: as many more may come. */
  | { type: 'ack'; frames: number }
  | { type: 'request'; id: number; request: NativeRequest }
  /** That reply is not wanted any more, and comes all the same: what was started for it is ended. */
  | { type: 'cancel'; id: number };

/** What the native host is asked besides. */
export type NativeRequest =
  /** Starts a program, shakes hands with it and ends it. Answered with `steps`. */
  | { type: 'check'; launch: Launch }
  /** Looks for the configuration files of other applications. Answered with `configs`. */
  | { type: 'find_configs' }
  /** Looks at its own installation. Answered with `doctor`. */
  | { type: 'doctor' };

/** At most `WINDOW` of these, other than `hello`, are on their way until the worker acknowledges some. */
export type FromNativeHost =
  /** The answer to `hello`, whichever protocol that named. */
  | ({ type: 'hello'; protocol: number } & NativeHostAbout)
  /** Instead of `hello`, from the launcher, which ends then: Node is gone from where it was (`node`), and there is no other. */
  | { type: 'no_node'; node: string }
  | { type: 'message'; channel: number; message: unknown }
  /**
   * A piece of what a program says at length, passed on as it comes: joined up to the one that is `last` they are a
   * JSON-RPC message, or nothing that could be read, of which its stderr tells. All of them are text, or (`isPacked`) the
   * base64 of a piece of deflated UTF-8.
   */
  | { type: 'piece'; channel: number; isPacked: boolean; data: string; last: boolean }
  /** Lines that the program wrote to its stderr, each cut at `LONGEST_STDERR_LINE`; some may have been left out. */
  | { type: 'stderr'; channel: number; lines: string[] }
  /** The program is not running any more, or never was. The last frame of its channel. */
  | { type: 'exit'; channel: number; exit: Exit }
  | { type: 'reply'; id: number; reply: NativeReply }
  /**
   * A piece of a frame that is too long for one native message (1 MB): the texts of a lane, joined up to the one that is
   * `last`, are its JSON. Pieces of different lanes mix.
   */
  | { type: 'part'; lane: number; text: string; last: boolean };

/** Characters of a line of stderr that are told; the rest is cut. */
export const LONGEST_STDERR_LINE = 1000;

/** Frames that may be on their way to the worker, which acknowledges every `ACK_EVERY`. */
export const WINDOW = 64;
export const ACK_EVERY = 16;

export type NativeHostAbout = {
  /** Of the native host. */
  version: string;
  /** Of Node, as in `24.21.0`. */
  node: string;
  policy: Policy | null;
};

/** What the file beside the native host restricts. One that cannot be read allows nothing, and `problem` says why. */
export type Policy = {
  file: string;
  /** As they may stand in a server's settings, or where they were found: `npx`, `/usr/bin/docker`. */
  commands: string[];
  problem?: string;
};

/** Why a program could not be started. */
export type LaunchFault =
  /**
   * `path`: the folders that were searched; empty for a command that is a path itself. `isLine`: the command holds
   * arguments too. `isSlow`: the login shell did not tell its PATH in time, so that `path` is not all.
   */
  | { type: 'not_found'; command: string; path: string[]; isLine?: true; isSlow?: true }
  /** The command is a path to something that can't be run. */
  | { type: 'no_program'; command: string; why: 'folder' | 'not_executable' }
  | { type: 'not_allowed'; command: string; policy: Policy }
  | { type: 'no_folder'; cwd: string; isRelative?: true }
  /** On Windows: a batch file, which only a shell could run. */
  | { type: 'batch_file'; command: string }
  | { type: 'failed'; command: string; why: string };

export type Exit =
  /** `said`: the same for a user, so that not every worker has to bring the words. */
  | { type: 'fault'; fault: LaunchFault; said: { text: string; cause?: string; fix?: string } }
  /** The worker asked for it, or nothing was said for `idleMs`. */
  | { type: 'stopped' }
  | { type: 'idle' }
  /** It ended by itself, or did not read what it was sent. `stderr`: its last lines. */
  | { type: 'ended'; code: number | null; signal: string | null; stderr: string[]; unread?: true };

export type NativeReply =
  | { type: 'steps'; steps: CheckStep[] }
  | { type: 'configs'; configs: FoundConfig[] }
  | { type: 'doctor'; steps: DoctorStep[] }
  /** The native host's own fault. */
  | { type: 'failed'; why: string };

/**
 * The steps of a check, in order, up to the first that is not ok: the command is found and allowed (`path`: where), the
 * program runs, it answers `initialize` (`name`, `version`: of the server).
 */
export type CheckStep =
  | { step: 'command'; ok: true; path: string }
  | { step: 'command'; ok: false; fault: LaunchFault }
  | { step: 'start'; ok: true }
  | { step: 'start'; ok: false; exit: Exit }
  | { step: 'answer'; ok: true; name: string; version: string; protocolVersion: string }
  | { step: 'answer'; ok: false; why: string; stderr: string[] };

/** One thing that was looked at, in words for the user: that it is right, or what is wrong and how to mend it. */
export type DoctorStep = { ok: boolean; text: string; fix?: string };

/** A configuration file of another application, as it stands there. It may hold secrets. */
export type FoundConfig = { application: string; path: string; text: string };
