import type { ProgramInput, ShownLaunch } from '../../protocol/servers.ts';
import { addressWith, type Answers, withAnswers } from '../../types/answers.ts';
import type { Launch } from '../../types/native-host.ts';
import type { RemoteServer, Server, StdioServer } from '../../types/server.ts';
import type { Database } from '../schema.ts';
import {
  getSecret,
  putSecret,
  type ReadSecrets,
  secretsLost,
  unlessLocked,
} from '../secrets/secret-store.ts';
import { sha256 } from '../../sha256.ts';

export const headersOf = (id: number) => `server:${id}:headers`;
export const envOf = (id: number) => `server:${id}:env`;
export const answersOf = (id: number) => `server:${id}:answers`;
export const clientSecretOf = (id: number) => `server:${id}:clientSecret`;
/** What the user saw and allowed to be started. */
export const allowedOf = (id: number) => `server:${id}:launch`;
/** What the user last allowed to be checked as it stood in a form: its digest, since what is never saved leaves no secret behind. */
const CHECKED = 'check:launch';
const sessionOf = (id: number) => `server:${id}:session`;
/** Everything in `secrets` that belongs to a server. */
export const secretsOf = (id: number) => IDBKeyRange.bound(`server:${id}:`, `server:${id};`, false, true);

/** What a server is reached with: the header values or the environment, answers, and a client's secret. Only what makes the connection sees it. */
export type ServerSecrets = {
  headers: Record<string, string>;
  env: Record<string, string>;
  answers: Answers;
  clientSecret?: string;
};

export type ServerWithSecrets = { server: Server; secrets: ServerSecrets };

/** What must be shown nowhere, wherever it stands. */
export const hiddenOf = ({ answers, clientSecret = '' }: ServerSecrets): string[] => [
  ...Object.values(answers),
  clientSecret,
];

/** The address that a server is reached at. Secret. */
export const addressOf = ({ url }: RemoteServer, { answers }: Pick<ServerSecrets, 'answers'>): string =>
  addressWith(url, answers);

/** The server with its secrets, from one moment: a key never goes to an address that it was not given for. */
export async function serverWithSecrets(db: Database, id: number): Promise<ServerWithSecrets | undefined> {
  const tx = db.transaction(['servers', 'secrets']);
  const server = await tx.objectStore('servers').get(id);
  return server && { server, secrets: await secretsIn(tx.objectStore('secrets'), id) };
}

/** Every server, and by their ids what is kept apart from their rows, from one moment. */
export async function serversWithSecrets(
  db: Database,
): Promise<{ servers: Server[]; secrets: Record<number, ServerSecrets> }> {
  const tx = db.transaction(['servers', 'secrets']);
  const servers = await tx.objectStore('servers').getAll();
  const stored = tx.objectStore('secrets');
  const secrets = await Promise.all(
    servers.map(async ({ id }) => [id, await secretsIn(stored, id)] as const),
  );
  return { servers, secrets: Object.fromEntries(secrets) };
}

export async function secretsIn(store: ReadSecrets, id: number): Promise<ServerSecrets> {
  const keys = [headersOf(id), envOf(id), answersOf(id), clientSecretOf(id)];
  const [headers, env, answers, clientSecret] = await Promise.all(keys.map((key) => getSecret(store, key)));
  return {
    headers: headers ?? {},
    env: env ?? {},
    answers: answers ?? {},
    ...(clientSecret !== undefined && { clientSecret }),
  } as ServerSecrets;
}

/** @throws AppError `secrets_lost` when something that the user gave for this server can't be decrypted any more */
export function requireSecrets(server: Server, { headers, env, answers, clientSecret }: ServerSecrets): void {
  const { name, answerNames = [] } = server;
  const isThere = (names: string[], values: object): boolean => names.every((each) => each in values);
  const isWhole =
    server.transport === 'stdio'
      ? isThere(server.envNames, env)
      : isThere(server.headerNames, headers) &&
        (clientSecret !== undefined || server.oauthClient?.hasSecret !== true);
  if (!isWhole || !isThere(answerNames, answers)) throw secretsLost(name);
}

type ProgramSecrets = Pick<ServerSecrets, 'env' | 'answers'>;

/** What is started: the program with its answers and its environment. Secret. */
export function launchOf({ command, args, cwd }: ProgramInput, { env, answers }: ProgramSecrets): Launch {
  const filled = args.map((arg) => withAnswers(arg, answers));
  return { command, args: filled, ...(cwd !== undefined && { cwd }), env };
}

/** What is compared with what was allowed. Secret. */
export function launchText(program: ProgramInput, secrets: ProgramSecrets): string {
  const { command, args, cwd, env } = launchOf(program, secrets);
  const variables = Object.entries(env).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([command, args, cwd, variables]);
}

/** Whether what would be started has the variables of what was allowed: a form does not show those that are stored. */
export function isSameEnv(allowed: unknown, launch: string): boolean {
  const envIn = (text: string): string => JSON.stringify((JSON.parse(text) as unknown[])[3]);
  return envIn(typeof allowed === 'string' ? allowed : '[0,0,0,[]]') === envIn(launch);
}

/** Whether the user saw, and allowed, what this would start. */
export async function isLaunchAllowed(
  db: Database,
  server: StdioServer,
  secrets: ProgramSecrets,
): Promise<boolean> {
  const { store } = db.transaction('secrets');
  return (await getSecret(store, allowedOf(server.id))) === launchText(server, secrets);
}

/** Allows the check of a program that stands in a form, as it is there, until another one is. */
export async function saveCheckAllowed(
  db: Database,
  program: ProgramInput,
  secrets: ProgramSecrets,
): Promise<void> {
  const digest = await sha256(launchText(program, secrets));
  await putSecret(db.transaction('secrets', 'readwrite').store, digest, CHECKED);
}

/** Whether the user allowed just this to be started: by the server with this id, or to be checked. */
export async function isCheckAllowed(
  db: Database,
  id: number | undefined,
  program: ProgramInput,
  secrets: ProgramSecrets,
): Promise<boolean> {
  const text = launchText(program, secrets);
  const stored = (name: string): Promise<unknown> => getSecret(db.transaction('secrets').store, name);
  if (id !== undefined && (await stored(allowedOf(id))) === text) return true;
  return (await stored(CHECKED)) === (await sha256(text));
}

/** The user allows what they were shown. False, and nothing is allowed, when it is not that any more. */
export async function allowLaunch(db: Database, id: number, shown: ShownLaunch): Promise<boolean> {
  const tx = db.transaction(['servers', 'secrets'], 'readwrite');
  const server = await tx.objectStore('servers').get(id);
  const secrets = tx.objectStore('secrets');
  const isIt = server?.transport === 'stdio' && shownText(server) === shownText(shown);
  if (isIt) await putSecret(secrets, launchText(server, await secretsIn(secrets, id)), allowedOf(id));
  await tx.done;
  return isIt;
}

function shownText({ command, args, cwd, envNames, openEnv = {} }: ShownLaunch): string {
  const variables = envNames.toSorted().map((name) => [name, openEnv[name]]);
  return JSON.stringify([command, args, cwd, variables]);
}

/** What a connection wants to know again in the next worker, as it was saved; secret. It can do without. */
export function loadSession(db: Database, id: number): Promise<unknown> {
  return unlessLocked(getSecret(db.transaction('secrets').store, sessionOf(id)));
}

/** Of a server that was removed meanwhile nothing is kept, nor while secrets are locked. */
export async function saveSession(db: Database, id: number, session: object | undefined): Promise<void> {
  const tx = db.transaction(['servers', 'secrets'], 'readwrite');
  const secrets = tx.objectStore('secrets');
  const isThere = (await tx.objectStore('servers').getKey(id)) !== undefined;
  if (session === undefined) await secrets.delete(sessionOf(id));
  else if (isThere) await unlessLocked(putSecret(secrets, session, sessionOf(id)));
  await tx.done;
}
