import { limitedBody } from '../limited-body.ts';
import type { Reply, Request } from '../protocol/commands.ts';
import type { SyncFault } from '../types/sync.ts';

/** A folder of files. Names have letters, digits, `-` and `.` alone. */
export type Store = {
  /** Makes the folder where there is none. */
  list: () => Promise<string[]>;
  get: (name: string) => Promise<Uint8Array<ArrayBuffer> | undefined>;
  put: (name: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** Replaces nothing, where the store can do that. */
  putNew: (name: string, bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** One that is not there is left alone. */
  remove: (name: string) => Promise<void>;
};

/** Why there is no going on. */
export class SyncError extends Error {
  readonly fault: SyncFault;

  constructor(fault: SyncFault) {
    super(`${fault.code} ${fault.detail ?? ''}`);
    this.fault = fault;
  }
}

/** Bytes that are read of an answer: a file of the log has about a million characters, or one message with its results. */
const MOST = 64 * 1024 * 1024;

/** What a store answers, whose body breaks off with a SyncError `tampered` where it is longer than any that Portside wrote. */
export const fromStore = (response: Response): Response =>
  limitedBody(response, MOST, () => new SyncError({ code: 'tampered' }));

/** What a sync asks of the worker, which alone writes chats. */
export type Asked =
  | 'importChats'
  | 'deleteConversations'
  | 'deleteMessage'
  | 'restoreMessage'
  | 'setConversation';
export type Ask = <K extends Asked>(command: K, request: Request<K>) => Promise<Reply<K>>;
