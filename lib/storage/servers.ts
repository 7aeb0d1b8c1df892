import type { ServerInput } from '../protocol.ts';
import type { Server } from '../types/setup.ts';
import type { Database } from './database.ts';
import { deleteGrants } from './grants.ts';
import { toolsOf, withoutPermission } from './tools.ts';

const headersKey = (id: number) => `server:${id}:headers`;

/**
 * Adds or changes a server with its headers in one transaction. What the person allowed, they allowed on one machine:
 * at another origin every Allow and every grant is void.
 * @returns its id, which never changes
 */
export async function putServer(db: Database, input: ServerInput): Promise<number> {
  const { headers, id, ...fields } = input;
  const tx = db.transaction(['servers', 'secrets', 'tools', 'grants'], 'readwrite');
  const servers = tx.objectStore('servers');
  const before = id === undefined ? undefined : await servers.get(id);
  const headerNames = headers ? Object.keys(headers) : (before?.headerNames ?? []);
  const row = { ...fields, headerNames, ...(id !== undefined && { id }) };
  const key = await servers.put(row as Server);
  if (headers) await tx.objectStore('secrets').put(headers, headersKey(key));
  if (before && new URL(before.url).origin !== new URL(input.url).origin) {
    await deleteGrants(tx.objectStore('grants'), key);
    const tools = tx.objectStore('tools');
    const allowed = (await tools.getAll(toolsOf(key))).filter(({ permission }) => permission === 'allow');
    await Promise.all(allowed.map((tool) => tools.put(withoutPermission(tool))));
  }
  await tx.done;
  return key;
}

/** @returns the server as it is now; undefined when it is not there */
export async function setServerEnabled(
  db: Database,
  id: number,
  enabled: boolean,
): Promise<Server | undefined> {
  const tx = db.transaction('servers', 'readwrite');
  const before = await tx.store.get(id);
  const server = before && { ...before, enabled };
  if (server) await tx.store.put(server);
  await tx.done;
  return server;
}

/** Removes the server with its tools, secrets and grants. What the tool log says of it stays. */
export async function deleteServer(db: Database, id: number): Promise<void> {
  const tx = db.transaction(['servers', 'secrets', 'tools', 'grants'], 'readwrite');
  await Promise.all([
    tx.objectStore('servers').delete(id),
    tx.objectStore('secrets').delete(headersKey(id)),
    tx.objectStore('tools').delete(toolsOf(id)),
    deleteGrants(tx.objectStore('grants'), id),
    tx.done,
  ]);
}

export async function serverHeaders(db: Database, id: number): Promise<Record<string, string>> {
  return ((await db.get('secrets', headersKey(id))) ?? {}) as Record<string, string>;
}
