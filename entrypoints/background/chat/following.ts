import { coalesced, createRefresher } from '../../../lib/async.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import type { ServerConnections } from '../servers/server-connections.ts';

type Address = { serverId: number; uri: string };

export type FollowingDeps = {
  servers: Pick<ServerConnections, 'offer' | 'subscribeResources'>;
  /** Reads a resource again, wherever it is attached. */
  reread: (serverId: number, uri: string) => Promise<void>;
};

/** Resources that drafts hold follow their servers' updates: one read at a time of each, and one more for what came meanwhile. */
export function createFollowing(db: Database, { servers, reread }: FollowingDeps) {
  const followed = new Map<string, Address & { refresher: ReturnType<typeof createRefresher> }>();

  async function attached(): Promise<Map<string, Address>> {
    const sources = (await db.getAll('attachments')).map(({ source }) => source);
    const resources = sources.filter((source) => source.type === 'resource');
    return new Map(resources.map(({ serverId, uri }) => [keyOf(serverId, uri), { serverId, uri }]));
  }

  const refresherOf = ({ serverId, uri }: Address) =>
    createRefresher(() =>
      reread(serverId, uri).catch((error: unknown) => console.warn('A resource was not read again.', error)),
    );

  /** Has servers tell of changes in what drafts hold, and of nothing else. */
  const watch = coalesced(async () => {
    const wanted = await attached();
    const involved = new Set([...followed.values(), ...wanted.values()].map(({ serverId }) => serverId));
    for (const [key, { refresher }] of followed) {
      if (wanted.has(key)) continue;
      refresher.stop();
      followed.delete(key);
    }
    for (const [key, address] of wanted) {
      if (!followed.has(key)) followed.set(key, { ...address, refresher: refresherOf(address) });
    }
    for (const serverId of involved) {
      const own = [...followed.values()].filter((each) => each.serverId === serverId);
      servers.subscribeResources(
        serverId,
        own.map(({ uri }) => uri),
      );
    }
  });

  /** A connection is new: what changed while there was none was not told. */
  async function connected(serverId: number): Promise<void> {
    await watch();
    if (!servers.offer(serverId)?.info.can.includes('subscribe')) return;
    for (const each of followed.values()) if (each.serverId === serverId) each.refresher.poke();
  }

  /** A server says that a resource changed; without an attachment of it that is ignored. */
  function updated(serverId: number, uri: string): void {
    followed.get(keyOf(serverId, uri))?.refresher.poke();
  }

  return { watch, connected, updated };
}

const keyOf = (serverId: number, uri: string): string => `${serverId} ${uri}`;
