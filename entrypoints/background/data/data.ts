import { browser } from 'wxt/browser';
import type { Request } from '../../../lib/protocol/commands.ts';
import type { StorageUsed } from '../../../lib/protocol/data.ts';
import type { ChatListEvent } from '../../../lib/protocol/panel.ts';
import type { Runs } from '../../../lib/runs/runs.ts';
import { repairDamaged } from '../../../lib/storage/damaged.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { eraseChats, eraseEverything } from '../../../lib/storage/erase.ts';
import { unfinishedRuns } from '../../../lib/storage/chats/runs.ts';
import { eraseResults } from '../../../lib/storage/chats/tool-log.ts';
import { readUsage } from '../../../lib/storage/chats/usage.ts';
import { invalid } from '../input.ts';
import { t } from '../../../locales/texts/errors.ts';

/** Results of calls before then are old. */
const OLD_MS = 30 * 24 * 60 * 60 * 1000;

export type DataDeps = {
  runs: Pick<Runs, 'stop'>;
  /** Signs out at a server, forgets and disconnects it. */
  removeServer: (request: { id: number }) => Promise<void>;
  /** Deletes what is not in the database: the weights of the user's models, what is known of the store of chats. */
  removeElse: () => Promise<void>;
  /** The configuration that pages show is stale. */
  changed: () => Promise<void>;
  /** To every page. */
  send: (event: ChatListEvent) => void;
  /** What the browser says of its storage. */
  estimate: () => Promise<StorageEstimate>;
  now: () => number;
};

/** What Portside keeps on the disk: how much it is, and getting rid of it. */
export function createData(db: Database, deps: DataDeps) {
  const old = (): string => new Date(deps.now() - OLD_MS).toISOString();

  async function used(): Promise<StorageUsed> {
    const [{ usage = 0, quota = 0 }, shares] = await Promise.all([deps.estimate(), readUsage(db, old())]);
    return { ...shares, total: usage, quota };
  }

  async function erase({ what }: Request<'erase'>): Promise<{ count: number }> {
    switch (what) {
      case 'results':
        return { count: await eraseResults(db, old()) };
      case 'chats':
        return { count: await chats() };
      case 'everything':
        return { count: await everything() };
      case 'damaged':
        return { count: await damaged() };
      default:
        throw invalid(t(($) => $.errors.setup.notErasable));
    }
  }

  async function chats(): Promise<number> {
    // What is stopped writes its end, which must not come after everything is gone.
    const live = new Set((await unfinishedRuns(db)).map(({ conversationId }) => conversationId));
    await Promise.all([...live].map((conversationId) => deps.runs.stop({ conversationId })));
    const ids = await eraseChats(db);
    deps.send({ type: 'conversations_gone', ids });
    return ids.length;
  }

  async function everything(): Promise<number> {
    // A sync would delete on the user's other computers what goes here.
    await deps.removeElse();
    const count = await chats();
    const servers = await db.getAllKeys('servers');
    await Promise.all(servers.map((id) => deps.removeServer({ id })));
    await eraseEverything(db);
    await giveBack();
    await deps.changed();
    return count;
  }

  async function damaged(): Promise<number> {
    const count = await repairDamaged(db, new Date(deps.now()).toISOString());
    await deps.changed();
    return count;
  }

  return { used, erase };
}

/** What the user granted, one by one: what the manifest requires can't be given back. */
export async function giveBack(): Promise<void> {
  const { origins = [], permissions = [] } = await browser.permissions.getAll();
  const granted = [
    ...origins.map((origin) => ({ origins: [origin] })),
    ...permissions.map((permission) => ({ permissions: [permission] })),
  ];
  for (const each of granted) {
    await browser.permissions
      .remove(each)
      .catch((error: unknown) => console.info('It stays granted.', each, error));
  }
}
