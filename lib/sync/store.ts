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

/** The same of a list of names. */
export const MOST_LIST = 4 * 1024 * 1024;

/**
 * What a store answers. Its body breaks off with a SyncError `tampered` where it is longer than any that Portside wrote. Asked
 * with `redirect: 'manual'`, it leads nowhere else: whoever has the store would aim requests at this computer's own servers.
 * @throws SyncError `redirected`
 */
export function fromStore(response: Response, most = MOST): Response {
  const isRedirect = response.status >= 300 && response.status < 400;
  if (isRedirect || response.type === 'opaqueredirect') throw new SyncError({ code: 'redirected' });
  return limitedBody(response, most, () => new SyncError({ code: 'tampered' }));
}

/** What a sync asks of the worker, which alone writes chats. */
export type Asked =
  | 'importChats'
  | 'deleteConversations'
  | 'deleteMessage'
  | 'restoreMessage'
  | 'setConversation';
export type Ask = <K extends Asked>(command: K, request: Request<K>) => Promise<Reply<K>>;
