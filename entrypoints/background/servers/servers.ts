import { AppError, toWire } from '../../../lib/errors.ts';
import type { Request } from '../../../lib/protocol/commands.ts';
import type {
  Added,
  Outcome,
  ServerInput,
  ServerListing,
  TriedAddress,
} from '../../../lib/protocol/servers.ts';
import { shownAddress } from '../../../lib/mcp/settings.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import {
  serverWithSecrets,
  type ServerWithSecrets,
} from '../../../lib/storage/configuration/server-secrets.ts';
import {
  deleteServer,
  isSamePlace,
  moveServer,
  putServer,
  setServerEnabled,
  setServerLogLevel,
} from '../../../lib/storage/configuration/servers.ts';
import { setTools } from '../../../lib/storage/configuration/tools.ts';
import { isServerForbidden, refused, requireOwn } from '../../../lib/fleet/rules.ts';
import { needsAnswer } from '../../../lib/types/answers.ts';
import type { Server } from '../../../lib/types/server.ts';
import { LOG_LEVELS } from '../../../lib/types/wire-log.ts';
import { finalUrl } from './final-url.ts';
import { invalid, requireOwnSecret } from '../input.ts';
import type { OriginRule } from './origin-rule.ts';
import { noServer, outcomeOf, type ServerConnections } from './server-connections.ts';
import { requireServer } from './server-input.ts';
import { t } from '../../../locales/texts/errors.ts';

export type ServersDeps = {
  connections: Pick<ServerConnections, 'status' | 'connect' | 'disconnect' | 'setLogLevel'>;
  /** The configuration that pages show is stale. */
  changed: () => Promise<void>;
  /** A server was saved: calls that wait may be allowed now. */
  saved: () => Promise<void>;
  whileAsking: OriginRule['whileAsking'];
  /** Gives back what signing in at a server gave. */
  forget: (serverId: number) => Promise<void>;
};

/** The user's servers: saving them and switching them on and off. */
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
  async function add({ find: finds, ...input }: Request<'addServer'>): Promise<Added> {
    let id: number | undefined;
    try {
      id = await save(input);
      if (input.enabled !== true) return { ok: true, id };
      if (finds === true && 'url' in input) return await find(id, input);
      await connectSaved(id);
      return { ok: true, id };
    } catch (error) {
      return { ok: false, error: toWire(error), ...(id !== undefined && { id }) };
    }
  }

  /** Connects a new server where it answers as one. One that does so nowhere is removed. */
  async function find(id: number, input: RemoteInput): Promise<Added> {
    const tried: TriedAddress[] = [];
    for (const place of likelyPlaces(input)) {
      if (tried.length > 0) await save({ ...input, ...place, id });
      const { ok, error } = await outcomeOf(connectSaved(id));
      if (ok || !error || error.code === 'server_sign_in') return { ok, ...(error && { error }), id };
      tried.push({ address: shownAddress(place.url), error });
      if (!ANSWERS_OTHERWISE.has(error.code)) break;
    }
    const errors = tried.map(({ error }) => error);
    const error = errors.find(({ code }) => TELLING.has(code)) ?? errors[0];
    if (error?.redirectedTo !== undefined) {
      await save({ ...input, id });
      return { ok: false, error, id };
    }
    await takeAway({ id });
    return { ok: false, ...(error && { error }), tried };
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
    requireOwn(before?.server);
    if (isServerForbidden(before?.server)) throw refused('own');
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
      const isRedirect = error instanceof AppError && error.code === 'server_redirect';
      if (!isRedirect || !server || server.transport === 'stdio' || !server.isUntried || server.answerNames)
        throw error;
      const url = await whileAsking([server.url], () => finalUrl(server));
      if (url === undefined) throw error;
      // The user saved another address meanwhile.
      if (!(await moveServer(db, id, server.url, url))) throw error;
      await connections.disconnect(id);
      await changed();
      await saved();
      await connections.connect({ id });
    }
  }

  /** @throws AppError `set_by_organisation` */
  async function remove({ id }: { id: number }): Promise<void> {
    requireOwn(await db.get('servers', id));
    await takeAway({ id });
  }

  async function takeAway({ id }: { id: number }): Promise<void> {
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

  async function setLogLevel({ id, level }: Request<'setLogLevel'>): Promise<void> {
    if (level !== null && !LOG_LEVELS.includes(level)) throw invalid(t(($) => $.errors.setup.noLevel));
    await setServerLogLevel(db, id, level);
    connections.setLogLevel(id, level ?? undefined);
    await changed();
  }

  async function chooseAll({ serverId, enabled }: Request<'setTools'>): Promise<void> {
    await setTools(db, serverId, enabled === true);
    await changed();
  }

  return { list, add, remove, takeAway, switchOn, switchOff, reconnect, setLogLevel, chooseAll };
}

type RemoteInput = Extract<ServerInput, { url: string }>;

/** Something is there that is no MCP server, or not for everyone: one may be at another path. */
const ANSWERS_OTHERWISE = new Set([
  'server_not_found',
  'server_not_mcp',
  'server_failed',
  'server_unauthorized',
  'server_redirect',
]);
/** What says more than that nothing was found. */
const TELLING = new Set(['server_unauthorized', 'server_redirect']);

/** Where a server may be: as it was typed; without a path, at those that servers usually have. */
function likelyPlaces({ transport, url }: RemoteInput): Pick<RemoteInput, 'transport' | 'url'>[] {
  const typed = { transport, url };
  if (new URL(url).pathname !== '/') return [typed];
  const at = (pathname: string): string => Object.assign(new URL(url), { pathname }).href;
  const sse = { transport: 'sse' as const, url: at('/sse') };
  return transport === 'sse' ? [typed, sse] : [typed, { transport, url: at('/mcp') }, sse];
}

/** What a connection depends on. Secret. */
function reachedBy(found: ServerWithSecrets | undefined): string {
  if (!found) return '';
  const { name: _name, toolTimeout: _timeout, trusted: _trusted, ...rest } = found.server;
  const {
    oneAtATime: _turns,
    withoutInstructions: _without,
    key: _key,
    silentAt: _silent,
    isUnnamed: _unnamed,
    ...place
  } = rest;
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
