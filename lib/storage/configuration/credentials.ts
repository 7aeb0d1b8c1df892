import { AppError } from '../../errors.ts';
import { withAnswers } from '../../types/answers.ts';
import type { Credentials, OwnClient } from '../../types/credentials.ts';
import type { RemoteServer, Server } from '../../types/server.ts';
import type { Database } from '../schema.ts';
import { getSecret, putSecret } from '../secrets/secret-store.ts';
import { voidAllowed, type Voiding } from './grants.ts';
import { serverWithSecrets } from './server-secrets.ts';
import { t } from '../../../locales/texts/errors.ts';

const credentialsOf = (id: number) => `server:${id}:oauth`;

type SignInServer = { id: number; url: string };

/**
 * What signing in at this server left; nothing when the row has gone, is at another origin by now, or is another client
 * of the authorization server: tokens are given to one client, for one place.
 */
export async function readCredentials(db: Database, server: SignInServer): Promise<Credentials> {
  const tx = db.transaction(['servers', 'secrets']);
  const row = await tx.objectStore('servers').get(server.id);
  if (!isAt(row, server)) return { issuers: {} };
  return usable(row, await getSecret(tx.objectStore('secrets'), credentialsOf(server.id)));
}

/**
 * Changes what is kept of signing in, and the row's `signedIn` with it, in one transaction. A sign-in takes minutes: the
 * server may have been removed or moved meanwhile, and its new place must not get the old one's tokens. A server at which
 * another authorization server signs the user in counts as another one: the trust and all that was allowed there are void.
 * @throws AppError `server_changed`
 */
export async function updateCredentials(
  db: Database,
  server: SignInServer,
  change: (before: Credentials) => Credentials,
): Promise<{ credentials: Credentials; rowChanged: boolean }> {
  const stores: Voiding[] = ['servers', 'secrets', 'tools', 'grants', 'toolCalls'];
  const tx = db.transaction(stores, 'readwrite');
  const servers = tx.objectStore('servers');
  const secrets = tx.objectStore('secrets');
  const row = await servers.get(server.id);
  if (!isAt(row, server)) throw changedMeanwhile();
  const credentials = change(usable(row, await getSecret(secrets, credentialsOf(server.id))));
  await putSecret(secrets, credentials, credentialsOf(server.id));
  const signedIn = signedInOf(credentials);
  const rowChanged = JSON.stringify(row.signedIn) !== JSON.stringify(signedIn);
  const last = lastIssuerOf(row);
  const issuer = signedIn?.issuer ?? last;
  if (last !== undefined && last !== issuer) {
    row.trusted = false;
    await voidAllowed(tx, row.id);
  }
  if (issuer !== undefined) row.lastIssuer = issuer;
  if (signedIn) row.signedIn = signedIn;
  else delete row.signedIn;
  if (rowChanged) await servers.put(row);
  await tx.done;
  return { credentials, rowChanged };
}

function isAt(row: Server | undefined, { url }: SignInServer): row is RemoteServer {
  return row !== undefined && row.transport !== 'stdio' && new URL(row.url).origin === new URL(url).origin;
}

function usable({ oauthClient }: RemoteServer, stored: unknown): Credentials {
  const credentials = stored as Credentials | undefined;
  if (credentials && credentials.clientId === oauthClient?.id) return credentials;
  return { ...(oauthClient && { clientId: oauthClient.id }), issuers: {} };
}

function signedInOf({ current, issuers }: Credentials): RemoteServer['signedIn'] {
  const from = current === undefined ? undefined : issuers[current];
  if (current === undefined || !from?.tokens) return undefined;
  return { issuer: current, ...(from.granted !== undefined && { scope: from.granted }) };
}

/** Of a sign-in by an earlier Portside only `signedIn` tells. */
export const lastIssuerOf = ({ lastIssuer, signedIn }: RemoteServer): string | undefined =>
  lastIssuer ?? signedIn?.issuer;

/** The client that the user registered by hand for this server; undefined where there is none. */
export async function readOAuthClient(db: Database, at: SignInServer): Promise<OwnClient | undefined> {
  const { server, secrets } = (await serverWithSecrets(db, at.id)) ?? {};
  if (!isAt(server, at) || !server.oauthClient || !secrets) return undefined;
  const { answers, clientSecret: secret } = secrets;
  const { id, identityProvider } = server.oauthClient;
  return {
    id: withAnswers(id, answers),
    ...(secret !== undefined && { secret }),
    ...(identityProvider && { identityProvider }),
  };
}

function changedMeanwhile(): AppError {
  return new AppError({ code: 'server_changed', ...t(($) => $.errors.signIn.changedMeanwhile) });
}
