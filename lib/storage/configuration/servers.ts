import type { IDBPTransaction } from 'idb';
import type { ServerInput } from '../../protocol/servers.ts';
import { needsAnswer } from '../../types/answers.ts';
import type { OwnClient } from '../../types/credentials.ts';
import { LONGEST_SERVER_NAME, type RemoteServer, type Server, type StdioServer } from '../../types/server.ts';
import { freeName, inOneLine } from '../../types/names.ts';
import { OWN_NAME } from '../../types/tools/tool-source.ts';
import type { LogLevel } from '../../types/wire-log.ts';
import { type Database, type Schema, startingWith } from '../schema.ts';
import { getSecret, putSecret, type WriteSecrets } from '../secrets/secret-store.ts';
import { lastIssuerOf } from './credentials.ts';
import { deleteGrants, voidAllowed, type Voiding, withoutReview } from './grants.ts';
import { openEnvOf } from './shown-env.ts';
import {
  allowedOf,
  answersOf,
  clientSecretOf,
  envOf,
  headersOf,
  isSameEnv,
  launchText,
  secretsIn,
  secretsOf,
} from './server-secrets.ts';

/**
 * Adds or changes a server with its secrets in one transaction. What the user gave, they did for one machine or program:
 * at another one stored secrets are void. What they allowed, they did for one server: at another address or with another
 * command line the trust, every Allow and every grant are void.
 * A name that another server has is completed (lib/types/names.ts).
 * @returns its id, which never changes
 */
export async function putServer(db: Database, input: ServerInput): Promise<number> {
  const tx = db.transaction(WRITTEN, 'readwrite');
  const found = input.id === undefined ? undefined : await tx.objectStore('servers').get(input.id);
  const id = await write(tx, input, found);
  await tx.done;
  return id;
}

/**
 * Changes the address of a server, and nothing else, unless it has another one by now; at another place the same is
 * void as when the user saves it.
 * @returns whether it was changed
 */
export async function moveServer(db: Database, id: number, from: string, to: string): Promise<boolean> {
  const tx = db.transaction(WRITTEN, 'readwrite');
  const found = await tx.objectStore('servers').get(id);
  const isThere = found !== undefined && found.transport !== 'stdio' && found.url === from;
  if (isThere) {
    const { headerNames: _names, oauthClient: _client, signedIn: _issuer, ...input } = found;
    await write(tx, { ...input, url: to }, found);
  }
  await tx.done;
  return isThere;
}

const WRITTEN: Voiding[] = ['servers', 'secrets', 'tools', 'grants', 'toolCalls'];
type Written = IDBPTransaction<Schema, Voiding[], 'readwrite'>;

async function write(tx: Written, input: ServerInput, found: Server | undefined): Promise<number> {
  const before = found && isSamePlace(found, input) ? found : undefined;
  const servers = tx.objectStore('servers');
  const others = (await servers.getAll()).filter(({ id }) => id !== input.id).map(({ name }) => name);
  const isOther = found !== undefined && !isSameServer(found, input);
  const trusted = input.trusted && !isOther;
  const named = { ...input, name: freeName(input.name, input, others), trusted };
  const row = named.transport === 'stdio' ? stdioRow(named, before) : remoteRow(named, before);
  const key = input.key ?? found?.key;
  const texts = row.transport === 'stdio' ? row.args : [row.url, row.oauthClient?.id ?? ''];
  const known = input.answers ? Object.keys(input.answers) : (before?.answerNames ?? []);
  const answerNames = known.filter((name) => texts.some((text) => needsAnswer(text, name)));
  const own = {
    ...(input.id !== undefined && { id: input.id }),
    ...(key !== undefined && { key }),
    ...(answerNames.length > 0 && { answerNames }),
    ...(found?.logLevel && { logLevel: found.logLevel }),
  };
  const id = await servers.put({ ...row, ...own } as Server);
  const secrets = tx.objectStore('secrets');
  if (found && !before) await secrets.delete(secretsOf(id));
  await putSecrets(secrets, id, input, { ...row, answerNames });
  if (isOther) await voidAllowed(tx, id);
  else if (found && input.trusted && !found.trusted) {
    const tools = tx.objectStore('tools');
    const reviewed = (await tools.getAll(startingWith(id))).filter(({ review }) => review);
    await Promise.all(reviewed.map((tool) => tools.put(withoutReview(tool)))); // what is trusted is what it lists now
  }
  return id;
}

/** Whether a secret that was given for the one may go to the other: one origin, or one command. */
export function isSamePlace(before: Server, after: ServerInput): boolean {
  if (before.transport === 'stdio') return after.transport === 'stdio' && before.command === after.command;
  return after.transport !== 'stdio' && new URL(before.url).origin === new URL(after.url).origin;
}

/**
 * Whether what was allowed at the one is allowed at the other: one origin, path and query, by which a gateway chooses a
 * server, or one command with its arguments, on which depends what `npx` starts. Where on its machine a server is may still be looked for until it was once connected.
 */
function isSameServer(before: Server, after: ServerInput): boolean {
  if (!isSamePlace(before, after)) return false;
  if (before.transport === 'stdio' || after.transport === 'stdio')
    return 'args' in before && 'args' in after && JSON.stringify(before.args) === JSON.stringify(after.args);
  const [was, is] = [new URL(before.url), new URL(after.url)];
  return before.isUntried === true || (was.pathname === is.pathname && was.search === is.search);
}

function commonOf(input: ServerInput) {
  const { name, managed, enabled, toolTimeout, trusted, oneAtATime } = input;
  const { withoutInstructions, withoutApps, isUnnamed } = input;
  return {
    name,
    ...(managed !== undefined && { managed }),
    enabled,
    toolTimeout,
    trusted,
    oneAtATime,
    ...(withoutInstructions === true && { withoutInstructions }),
    ...(withoutApps === true && { withoutApps }),
    ...(isUnnamed === true && { isUnnamed }),
  };
}

function remoteRow(
  input: Extract<ServerInput, { url: string }>,
  before: Server | undefined,
): Omit<RemoteServer, 'id'> {
  const known = before?.transport === 'stdio' ? undefined : before;
  const oauthClient = clientOf(input.oauthClient, known?.oauthClient);
  // Tokens were given to one client.
  const signedIn = oauthClient?.id === known?.oauthClient?.id ? known?.signedIn : undefined;
  const lastIssuer = known && lastIssuerOf(known);
  return {
    ...commonOf(input),
    transport: input.transport,
    url: input.url,
    headerNames: input.headers ? Object.keys(input.headers) : (known?.headerNames ?? []),
    ...(oauthClient && { oauthClient }),
    ...(signedIn && { signedIn }),
    ...(lastIssuer !== undefined && { lastIssuer }),
    ...((known?.url !== input.url || known.isUntried) && { isUntried: true as const }),
  };
}

function clientOf(
  given: OwnClient | null | undefined,
  known: RemoteServer['oauthClient'],
): RemoteServer['oauthClient'] {
  if (given === undefined) return known;
  if (given === null) return undefined;
  const { id, secret, identityProvider } = given;
  const keeps = known?.id === id && known.hasSecret;
  const hasSecret = secret === undefined ? keeps : secret !== '';
  return { id, hasSecret, ...(identityProvider && { identityProvider }) };
}

function stdioRow(
  input: Extract<ServerInput, { command: string }>,
  before: Server | undefined,
): Omit<StdioServer, 'id'> {
  const { transport, command, args, cwd, env, keepRunning } = input;
  const known = before?.transport === 'stdio' ? before : undefined;
  const envNames = env ? Object.keys(env) : (known?.envNames ?? []);
  const openEnv = env ? openEnvOf(env, Object.values(input.answers ?? {})) : known?.openEnv;
  return {
    ...commonOf(input),
    transport,
    command,
    args,
    ...(cwd !== undefined && { cwd }),
    envNames,
    ...(openEnv && Object.keys(openEnv).length > 0 && { openEnv }),
    ...(keepRunning === true && { keepRunning }),
  };
}

/** `row`: as it is now. A client's secret goes when it is another client, or none. */
async function putSecrets(
  secrets: WriteSecrets,
  id: number,
  input: ServerInput,
  row: (Omit<RemoteServer, 'id'> | Omit<StdioServer, 'id'>) & { answerNames: string[] },
): Promise<void> {
  const answers = Object.entries(input.answers ?? (await secretsIn(secrets, id)).answers);
  // What is referred to no more can't be seen, and so not be forgotten, by anyone.
  const kept = answers.filter(([name]) => row.answerNames.includes(name));
  if (answers.length > 0) await putSecret(secrets, Object.fromEntries(kept), answersOf(id));
  if (input.transport === 'stdio') {
    if (input.env) await putSecret(secrets, input.env, envOf(id));
    if (!input.launchAllowed) return;
    const launch = launchText(input, await secretsIn(secrets, id));
    if (input.env || isSameEnv(await getSecret(secrets, allowedOf(id)), launch))
      await putSecret(secrets, launch, allowedOf(id));
    return;
  }
  if (input.headers) await putSecret(secrets, input.headers, headersOf(id));
  const hasSecret = row.transport !== 'stdio' && row.oauthClient?.hasSecret === true;
  if (!hasSecret) await secrets.delete(clientSecretOf(id));
  else if (input.oauthClient?.secret) await putSecret(secrets, input.oauthClient.secret, clientSecretOf(id));
}

/** Portside is connected to the server at this address: from now on a redirect is an error. */
export async function markTried(db: Database, id: number, url: string): Promise<void> {
  await changeServer(db, id, (server) => {
    if (server.transport === 'stdio' || server.url !== url) return server;
    const { isUntried: _untried, ...tried } = server;
    return tried;
  });
}

/** Gives a server without a name of the user’s the one that it gives itself; completed if another server, or Portside, has that name. */
export async function takeOwnName(db: Database, id: number, own: string): Promise<void> {
  const tx = db.transaction('servers', 'readwrite');
  const all = await tx.store.getAll();
  const server = all.find((each) => each.id === id);
  if (server?.isUnnamed) {
    const { isUnnamed: _unnamed, ...named } = server;
    const others = [OWN_NAME, ...all.filter((each) => each !== server).map(({ name }) => name)];
    const wanted = inOneLine(own).slice(0, LONGEST_SERVER_NAME);
    await tx.store.put(wanted === '' ? named : { ...named, name: freeName(wanted, server, others) });
  }
  await tx.done;
}

/** @returns the server as it is now; undefined when it is not there */
export function setServerEnabled(db: Database, id: number, enabled: boolean): Promise<Server | undefined> {
  return changeServer(db, id, (server) => ({ ...server, enabled }));
}

/** `level`: null: as the server likes. */
export function setServerLogLevel(
  db: Database,
  id: number,
  level: LogLevel | null,
): Promise<Server | undefined> {
  return changeServer(db, id, ({ logLevel: _before, ...server }) => ({
    ...server,
    ...(level && { logLevel: level }),
  }));
}

/** `at`: when its handshake last timed out; null: it is connected. */
export function markSilent(db: Database, id: number, at: number | null): Promise<Server | undefined> {
  return changeServer(db, id, ({ silentAt: _before, ...server }) => ({
    ...server,
    ...(at !== null && { silentAt: at }),
  }));
}

async function changeServer(
  db: Database,
  id: number,
  change: (server: Server) => Server,
): Promise<Server | undefined> {
  const tx = db.transaction('servers', 'readwrite');
  const before = await tx.store.get(id);
  const server = before && change(before);
  if (server) await tx.store.put(server);
  await tx.done;
  return server;
}

/** Removes the server with its tools, secrets and grants. What the tool log says of it stays. */
export async function deleteServer(db: Database, id: number): Promise<void> {
  const tx = db.transaction(['servers', 'secrets', 'tools', 'grants'], 'readwrite');
  await Promise.all([
    tx.objectStore('servers').delete(id),
    tx.objectStore('secrets').delete(secretsOf(id)),
    tx.objectStore('tools').delete(startingWith(id)),
    deleteGrants(tx.objectStore('grants'), id),
    tx.done,
  ]);
}
