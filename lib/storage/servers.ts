import type { ServerInput } from '../protocol.ts';
import type { Server } from '../types/setup.ts';
import type { Database } from './database.ts';

const headersKey = (id: number) => `server:${id}:headers`;

/** Adds or changes a server with its headers in one transaction. @returns its id, which never changes */
export async function putServer(db: Database, input: ServerInput): Promise<number> {
  const { headers, id, ...fields } = input;
  const tx = db.transaction(['servers', 'secrets'], 'readwrite');
  const servers = tx.objectStore('servers');
  const before = id === undefined ? undefined : await servers.get(id);
  const headerNames = headers ? Object.keys(headers) : (before?.headerNames ?? []);
  const row = { ...fields, headerNames, ...(id !== undefined && { id }) };
  const key = await servers.put(row as Server);
  if (headers) await tx.objectStore('secrets').put(headers, headersKey(key));
  await tx.done;
  return key;
}

/** Removes the server with its tools, secrets and grants. What the tool log says of it stays. */
export async function deleteServer(db: Database, id: number): Promise<void> {
  const tx = db.transaction(['servers', 'secrets', 'tools', 'grants'], 'readwrite');
  const grants = tx.objectStore('grants');
  const given = (await grants.getAllKeys()).filter(([, serverId]) => serverId === id);
  await Promise.all([
    tx.objectStore('servers').delete(id),
    tx.objectStore('secrets').delete(headersKey(id)),
    tx.objectStore('tools').delete(IDBKeyRange.bound([id], [id, []])),
    ...given.map((key) => grants.delete(key)),
    tx.done,
  ]);
}

export async function serverHeaders(db: Database, id: number): Promise<Record<string, string>> {
  return ((await db.get('secrets', headersKey(id))) ?? {}) as Record<string, string>;
}
