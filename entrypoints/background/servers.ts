import { AppError, toWire } from '../../lib/errors.ts';
import { exportConfig } from '../../lib/mcp/config-file/export.ts';
import type { Commands, Outcome, ServerInput, ServerListing } from '../../lib/protocol.ts';
import type { Database } from '../../lib/storage/database.ts';
import {
  deleteServer,
  isSamePlace,
  putServer,
  serversWithSecrets,
  setServerEnabled,
} from '../../lib/storage/servers.ts';
import { setTool, setTools } from '../../lib/storage/tools.ts';
import type { RemoteServer, Server } from '../../lib/types/setup.ts';
import { finalUrl } from './final-url.ts';
import { invalid, requireOwnSecret } from './input.ts';
import { hostOf, type OriginRule } from './origin-rule.ts';
import { noServer, outcomeOf, type ServerConnections } from './server-connections.ts';
import { requireServer } from './server-input.ts';

export type ServersDeps = {
  connections: Pick<ServerConnections, 'status' | 'connect' | 'disconnect'>;
  /** What pages know of the set-up is not so any more. */
  changed: () => Promise<void>;
  /** A server was saved: calls that wait may be allowed now. */
  saved: () => Promise<void>;
  whileAsking: OriginRule['whileAsking'];
};

/** The person's servers: saving them and switching them on and off. */
export function createServers(db: Database, { connections, changed, saved, whileAsking }: ServersDeps) {
  async function list(): Promise<ServerListing[]> {
    const [servers, tools] = await Promise.all([db.getAll('servers'), db.getAll('tools')]);
    return servers.map((server) => {
      const own = tools.filter(({ serverId, present }) => serverId === server.id && present);
      return { server, status: connections.status(server.id), toolCount: own.length };
    });
  }

  /** Saves a server and connects it if it is on. What is wrong with it is the outcome; nothing is thrown for it. */
  async function add(input: ServerInput): Promise<Outcome & { id?: number }> {
    let id: number | undefined;
    try {
      const before = input.id === undefined ? undefined : await db.get('servers', input.id);
      id = await save(input);
      if (input.enabled === true) await connectSaved(id, before);
      return { ok: true, id };
    } catch (error) {
      return { ok: false, error: toWire(error), ...(id !== undefined && { id }) };
    }
  }

  async function save(input: ServerInput): Promise<number> {
    const checked = requireServer(input);
    const before = checked.id === undefined ? undefined : await db.get('servers', checked.id);
    if (checked.id !== undefined && !before) throw noServer();
    if (before) requireOwnSecrets(before, checked);
    const id = await putServer(db, checked);
    await connections.disconnect(id);
    await changed();
    await saved();
    return id;
  }

  /** Connects; an address that is new and turns out to redirect is followed, once, to where it leads. */
  async function connectSaved(id: number, before: Server | undefined): Promise<void> {
    try {
      await connections.connect({ id });
    } catch (error) {
      const server = await db.get('servers', id);
      const isRedirect = error instanceof AppError && error.code === 'server_redirect';
      if (!isRedirect || !server || server.transport === 'stdio' || isSameAddress(before, server))
        throw error;
      const url = await whileAsking([hostOf(server.url)], () => finalUrl(server));
      if (url === undefined) throw error;
      const { headerNames: _names, oauthClient: _client, signedIn: _issuer, ...input } = server;
      await save({ ...input, url });
      await connections.connect({ id });
    }
  }

  /** Adds servers without asking any of them anything: each is switched on by the person. */
  async function importAll({ servers }: { servers: ServerInput[] }): Promise<{ ids: number[] }> {
    if (!Array.isArray(servers)) throw invalid('The servers are malformed.');
    const inputs = servers.map((server) => withoutId(requireServer({ ...server, enabled: false })));
    const ids: number[] = [];
    for (const input of inputs) ids.push(await putServer(db, input));
    await changed();
    return { ids };
  }

  async function exportAll({ withSecrets }: { withSecrets: boolean }): Promise<{ text: string }> {
    const { servers, secrets } = await serversWithSecrets(db);
    return { text: withSecrets === true ? exportConfig(servers, secrets) : exportConfig(servers) };
  }

  async function remove({ id }: { id: number }): Promise<void> {
    await deleteServer(db, id);
    await connections.disconnect(id);
    await changed();
  }

  async function switchOn({ id }: { id: number }): Promise<Outcome> {
    await setServerEnabled(db, id, true);
    await changed();
    return outcomeOf(connections.connect({ id }));
  }

  async function switchOff({ id }: { id: number }): Promise<void> {
    await setServerEnabled(db, id, false);
    await connections.disconnect(id);
    await changed();
  }

  async function reconnect({ id }: { id: number }): Promise<Outcome> {
    await connections.disconnect(id);
    return outcomeOf(connections.connect({ id }));
  }

  async function choose({ serverId, name, ...choices }: Parameters<Commands['setTool']>[0]): Promise<void> {
    await setTool(db, serverId, name, choices);
    await changed();
  }

  async function chooseAll({ serverId, enabled }: Parameters<Commands['setTools']>[0]): Promise<void> {
    await setTools(db, serverId, enabled === true);
    await changed();
  }

  return { list, add, importAll, exportAll, remove, switchOn, switchOff, reconnect, choose, chooseAll };
}

function isSameAddress(before: Server | undefined, { url, transport }: RemoteServer): boolean {
  return before?.transport === transport && before.url === url;
}

function withoutId({ id: _id, ...input }: ServerInput): ServerInput {
  return input;
}

/** @throws AppError `secret_for_other_address` when what is stored was given for another place than it would go to */
function requireOwnSecrets(before: Server, input: ServerInput): void {
  if (before.transport === 'stdio' || input.transport === 'stdio' || isSamePlace(before, input)) return;
  if (before.headerNames.length > 0 && !input.headers) requireOwnSecret(before.url, input.url, 'headers');
  const client = input.oauthClient;
  if (before.oauthClient?.hasSecret && client !== null && client?.secret === undefined)
    requireOwnSecret(before.url, input.url, 'client secret');
}
