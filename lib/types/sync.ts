/** Where chats are kept for the user's other machines. `url`: of a folder; of S3 the endpoint with the bucket, and a folder in it. */
export type SyncPlace =
  | { type: 'webdav'; url: string; user: string }
  | { type: 's3'; url: string; user: string; region: string };

/** The same in every language. */
export const STORE_NAMES: Record<SyncPlace['type'], string> = { webdav: 'WebDAV', s3: 'S3' };
export const STORE_EXAMPLES: Record<SyncPlace['type'], string> = {
  webdav: 'https://cloud.example/remote.php/dav/files/ada/Portside',
  s3: 'https://s3.example.com/bucket/portside',
};

/** Why chats were not synced, or not all of them; the settings page says it in words. */
export type SyncFault = {
  code:
    | 'unreachable'
    | 'refused'
    | 'redirected'
    | 'not_found'
    | 'full'
    | 'wrong_passphrase'
    | 'other_key'
    | 'tampered'
    | 'unreadable'
    | 'locked'
    | 'unexpected';
  /** What the store said; how many files or chats. */
  detail?: string;
};

/** As it is set up; the password and the key are in `secrets`. */
export type Sync = {
  place: SyncPlace;
  /** Random: of this set-up, whose state no other one takes for its own. */
  machine: string;
  paused: boolean;
  /** ISO 8601, of when all was well last. */
  lastAt?: string;
  fault?: SyncFault;
};

/** Told while it works. Files of the log, or 0 where that is not known yet. */
export type SyncProgress = { doing: 'reading' | 'writing'; done: number; total: number } | null;

/** Characters. Whoever has the store can try out passphrases for as long as they like. */
export const SHORTEST_SYNC_PASSPHRASE = 12;

/** Where it stands in `settings` that settings and prompts go by the browser's own sync. */
export const BROWSER_SYNC = 'browserSync';
/** `left`: names of settings and prompts that are too large for it. */
export type BrowserSync = { left: string[] };
