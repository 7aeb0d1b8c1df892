import { wait } from '../../../lib/async.ts';
import { RESPONSE_DEADLINE } from '../../../lib/mcp/transport/origin-limits.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { markSilent } from '../../../lib/storage/configuration/servers.ts';
import type { Server, ServerStatus } from '../../../lib/types/server.ts';

/** Milliseconds for which a run waits for what it can do without. */
export const GLANCE_MS = 300;

/** Servers whose handshake timed out are marked in their rows, until they are connected: runs hardly wait for them. */
export function createUnresponsiveServers(db: Database) {
  /** As far as this worker knows. */
  const marked = new Set<number>();
  /** Servers that a run of this worker has waited for. */
  const awaited = new Set<number>();

  function mark(id: number, isUnresponsive: boolean): void {
    if (isUnresponsive) marked.add(id);
    else marked.delete(id);
    // The same is found out again if that is not kept.
    markSilent(db, id, isUnresponsive ? Date.now() : null).catch((error: unknown) =>
      console.warn('Whether a server is unresponsive was not kept.', error),
    );
  }

  return {
    onConnecting({ id, silentAt }: Server): void {
      if (silentAt !== undefined) marked.add(id);
    },
    onTimeout(id: number): void {
      if (!marked.has(id)) mark(id, true);
    },
    /** One that failed is marked anew: it was the last to be tried. */
    onSettled(id: number, state: ServerStatus['state']): void {
      if (state !== 'connecting' && marked.has(id)) mark(id, state === 'error');
    },
    /** The outcome of connecting the server, or `otherwise` once a run need not wait for it any longer. */
    async whileResponsive<T>({ id, silentAt }: Server, outcome: Promise<T>, otherwise: T): Promise<T> {
      const isMarked = silentAt !== undefined;
      if (isMarked && awaited.has(id)) return otherwise;
      awaited.add(id);
      const ms = isMarked ? GLANCE_MS : RESPONSE_DEADLINE;
      return Promise.race([outcome, wait(ms).then(() => otherwise)]);
    },
  };
}
