import { AppError, toWire } from '../../lib/errors.ts';
import type { Commands } from '../../lib/protocol/commands.ts';
import type { Outcome, ServerInput, ServerListing } from '../../lib/protocol/servers.ts';
import type { Database } from '../../lib/storage/database.ts';
import {
  deleteServer,
  isSamePlace,
  moveServer,
  putServer,
  serverWithSecrets,
  type ServerWithSecrets,
  setServerEnabled,
  setServerLogLevel,
  renameServer,
} from '../../lib/storage/servers.ts';
import { setTool, setTools } from '../../lib/storage/tools.ts';
import { needsAnswer } from '../../lib/types/answers.ts';
import { LONGEST_SERVER_NAME, type Server } from '../../lib/types/setup.ts';
import { LOG_LEVELS } from '../../lib/types/wire-log.ts';
import { finalUrl } from './final-url.ts';
import { invalid, requireOwnSecret } from './input.ts';
import { hostOf, type OriginRule } from './origin-rule.ts';
import { noServer, outcomeOf, type ServerConnections } from './server-connections.ts';
import { requireServer } from './server-input.ts';
import { t } from '../../locales/texts/errors.ts';

export type ServersDeps = {
  connections: Pick<ServerConnections, 'status' | 'connect' | 'disconnect' | 'setLogLevel' | 'offer'>;
  /** What pages know of the set-up is not so any more. */
  changed: () => Promise<void>;
  /** A server was saved: calls that wait may be allowed now. */
  saved: () => Promise<void>;
  whileAsking: OriginRule['whileAsking'];
  /** Gives back what signing in at a server gave. */
  forget: (serverId: number) => Promise<void>;
};

/** The person's servers: saving them and switching them on and off. */
export function createServers(
  db: Database,
  { connections, changed, saved, whileAsking, forget }: ServersDeps,
) {
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
      const isNamed = input.id !== undefined || input.name !== '';
      id = await save(isNamed ? input : { ...input, name: placeOf(input) });
      if (input.enabled === true) await connectSaved(id);
      if (input.enabled === true && !isNamed) await takeName(id);
      return { ok: true, id };
    } catch (error) {
      return { ok: false, error: toWire(error), ...(id !== undefined && { id }) };
    }
  }

  /** Calls a server that was given no name what it calls itself. */
  async function takeName(id: number): Promise<void> {
    const { title, name } = connections.offer(id)?.info ?? {};
    const wanted = (title || name || '').replace(/\s+/g, ' ').trim().slice(0, LONGEST_SERVER_NAME);
    if (wanted === '' || !(await renameServer(db, id, wanted))) return;
    await changed();
  }

  /** The worker may have died after it added the server, before it could say so. */
  async function withOwnId(input: ServerInput): Promise<ServerInput> {
    if (input.id !== undefined || input.key === undefined) return input;
    const added = (await db.getAll('servers')).find(({ key }) => key === input.key);
    return added ? { ...input, id: added.id } : input;
  }

  async function save(input: ServerInput): Promise<number> {
    const checked = await withOwnId(requireServer(input));
    const before = checked.id === undefined ? undefined : await serverWithSecrets(db, checked.id);
    if (checked.id !== undefined && !before) throw noServer();
    if (before) requireOwnSecrets(before.server, checked);
    const id = await putServer(db, checked);
    if (!checked.enabled) await connections.disconnect(id, 'switched_off');
    else if (before && reachedBy(before) !== reachedBy(await serverWithSecrets(db, id)))
      await connections.disconnect(id, 'reconnected');
    await changed();
    await saved();
    return id;
  }

  /**
   * Connects; an address that is new and turns out to redirect is followed, once, to where it leads. One with a secret in it
   * is not: what it leads to would be kept with that.
   */
  async function connectSaved(id: number): Promise<void> {
    try {
      await connections.connect({ id });
    } catch (error) {
      const server = await db.get('servers', id);
      if (await connectBelow(server, error)) return;
      const isRedirect = error instanceof AppError && error.code === 'server_redirect';
      if (!isRedirect || !server || server.transport === 'stdio' || !server.isUntried || server.answerNames)
        throw error;
      const url = await whileAsking([hostOf(server.url)], () => finalUrl(server));
      if (url === undefined) throw error;
      // Whoever saved it meanwhile said where it is.
      if (!(await moveServer(db, id, server.url, url))) throw error;
      await connections.disconnect(id);
      await changed();
      await saved();
      await connections.connect({ id });
    }
  }

  /** An address that names no path, where no MCP endpoint is: what most servers call it is tried. @returns whether one was there */
  async function connectBelow(server: Server | undefined, error: unknown): Promise<boolean> {
    if (!(error instanceof AppError && NO_ENDPOINT.has(error.code))) return false;
    if (!server || server.transport === 'stdio' || !server.isUntried || server.answerNames) return false;
    const { id, url } = server;
    if (new URL(url).pathname !== '/') return false;
    let from = url;
    for (const path of ['/mcp', '/sse']) {
      const to = new URL(path, url).href;
      if (!(await moveServer(db, id, from, to))) return false;
      from = to;
      await connections.disconnect(id);
      const isThere = await connections.connect({ id }).then(
        () => true,
        (failure: unknown) =>
          !(failure instanceof AppError && NO_ENDPOINT.has(failure.code)) && Promise.reject(failure),
      );
      if (isThere) {
        await changed();
        return true;
      }
    }
    await moveServer(db, id, from, url);
    return false;
  }

  async function remove({ id }: { id: number }): Promise<void> {
    // First of all, while what a sign-in gave is good for it; off, so that no call brings it back.
    await setServerEnabled(db, id, false);
    await connections.disconnect(id, 'removed');
    // It may have moved just now: then there is nothing to give back.
    await forget(id).catch((error: unknown) => console.warn('A sign-in was not given back.', error));
    await deleteServer(db, id);
    await changed();
  }

  async function switchOn({ id }: { id: number }): Promise<Outcome> {
    await setServerEnabled(db, id, true);
    await changed();
    return outcomeOf(connectSaved(id));
  }

  async function switchOff({ id }: { id: number }): Promise<void> {
    await setServerEnabled(db, id, false);
    await connections.disconnect(id, 'switched_off');
    await changed();
  }

  async function reconnect({ id }: { id: number }): Promise<Outcome> {
    await connections.disconnect(id, 'reconnected');
    return outcomeOf(connections.connect({ id }));
  }

  async function setLogLevel({ id, level }: Parameters<Commands['setLogLevel']>[0]): Promise<void> {
    if (level !== null && !LOG_LEVELS.includes(level)) throw invalid(t(($) => $.errors.setup.noLevel));
    await setServerLogLevel(db, id, level);
    connections.setLogLevel(id, level ?? undefined);
    await changed();
  }

  async function choose({ serverId, name, ...choices }: Parameters<Commands['setTool']>[0]): Promise<void> {
    await setTool(db, serverId, name, choices);
    await changed();
  }

  async function chooseAll({ serverId, enabled }: Parameters<Commands['setTools']>[0]): Promise<void> {
    await setTools(db, serverId, enabled === true);
    await changed();
  }

  return { list, add, remove, switchOn, switchOff, reconnect, setLogLevel, choose, chooseAll };
}

/** What a server is called until it says its name. */
const placeOf = (input: ServerInput): string =>
  'url' in input
    ? (URL.canParse(input.url) && new URL(input.url).host) || input.url
    : (input.command.split(/[\\/]/).at(-1) ?? '');

/** How a server fails that has no MCP endpoint at an address. */
const NO_ENDPOINT = new Set(['server_not_found', 'server_not_mcp']);

/** What a connection depends on. Secret. */
function reachedBy(found: ServerWithSecrets | undefined): string {
  if (!found) return '';
  const { name: _name, toolTimeout: _timeout, trusted: _trusted, ...rest } = found.server;
  const { oneAtATime: _turns, withoutInstructions: _without, key: _key, silentAt: _silent, ...place } = rest;
  return JSON.stringify([place, found.secrets]);
}

/**
 * @throws AppError `secret_for_other_address` when what is stored was given for another place than it would go to, or
 * `invalid_args`, `invalid_url` when something there refers to that
 */
function requireOwnSecrets(before: Server, input: ServerInput): void {
  if (!input.answers && !isSamePlace(before, input)) requireNoReference(before.answerNames ?? [], input);
  if (before.transport === 'stdio' || input.transport === 'stdio' || isSamePlace(before, input)) return;
  if (before.headerNames.length > 0 && !input.headers) requireOwnSecret(before.url, input.url, 'headers');
  const client = input.oauthClient;
  if (before.oauthClient?.hasSecret && client !== null && client?.secret === undefined)
    requireOwnSecret(before.url, input.url, 'clientSecret');
}

function requireNoReference(answerNames: string[], input: ServerInput): void {
  const [field, texts] =
    'url' in input ? ['url', [input.url, input.oauthClient?.id ?? '']] : ['args', input.args];
  const name = answerNames.find((each) => texts.some((text) => needsAnswer(text, each)));
  if (name !== undefined)
    throw new AppError({
      code: `invalid_${field}`,
      ...t(($) => $.errors.input.otherPlace, { reference: `\${${name}}` }),
    });
}
