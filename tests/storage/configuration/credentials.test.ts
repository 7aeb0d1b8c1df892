import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  readCredentials,
  readOAuthClient,
  updateCredentials,
} from '../../../lib/storage/configuration/credentials.ts';
import { openDatabase } from '../../../lib/storage/database.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { putGrant } from '../../../lib/storage/configuration/grants.ts';
import { deleteServer, putServer } from '../../../lib/storage/configuration/servers.ts';
import { setTool, syncTools } from '../../../lib/storage/configuration/tools.ts';
import type { Credentials } from '../../../lib/types/credentials.ts';
import { storedSecrets } from '../../fakes/secrets.ts';

const ISSUER = 'https://login.example';
const input = {
  name: 'Notes',
  transport: 'streamable-http',
  url: 'https://notes.example/mcp',
  enabled: true,
  toolTimeout: 30_000,
  trusted: false,
  oneAtATime: false,
} as const;

let db: Database;
let server: { id: number; url: string };

beforeEach(async () => {
  db = await openDatabase(crypto.randomUUID());
  server = { id: await putServer(db, input), url: input.url };
});

const signedIn = (before: Credentials): Credentials => ({
  ...before,
  current: ISSUER,
  issuers: {
    [ISSUER]: { metadata: {}, granted: 'read', tokens: { accessToken: 'at-1', obtainedAt: 1 } },
  },
});
const signIn = () => updateCredentials(db, server, signedIn);
const secrets = async () => JSON.stringify(await storedSecrets(db));

describe('credentials', () => {
  it('are in the secrets, and the row says only who gave them and what for', async () => {
    expect((await signIn()).rowChanged).toBe(true);
    const row = await db.get('servers', server.id);
    expect(row).toMatchObject({ signedIn: { issuer: ISSUER, scope: 'read' } });
    expect(JSON.stringify(row)).not.toContain('at-1');
    expect(await readCredentials(db, server)).toMatchObject({ current: ISSUER });
    expect((await signIn()).rowChanged).toBe(false);
  });

  it('taken away take the row’s word with them', async () => {
    await signIn();
    const { rowChanged } = await updateCredentials(db, server, () => ({ issuers: {} }));
    expect(rowChanged).toBe(true);
    expect(await db.get('servers', server.id)).not.toHaveProperty('signedIn');
  });

  it('survive renaming, and go with the server', async () => {
    await signIn();
    await putServer(db, { ...input, id: server.id, name: 'My notes' });
    expect(await readCredentials(db, server)).toMatchObject({ current: ISSUER });
    await deleteServer(db, server.id);
    expect(await secrets()).not.toContain('at-1');
    expect(await readCredentials(db, server)).toEqual({ issuers: {} });
  });

  it('do not follow the server to another origin', async () => {
    await signIn();
    const url = 'https://evil.example/mcp';
    await putServer(db, { ...input, id: server.id, url });
    expect(await secrets()).not.toContain('at-1');
    expect(await db.get('servers', server.id)).not.toHaveProperty('signedIn');
    expect(await readCredentials(db, { ...server, url })).toEqual({ issuers: {} });
  });

  it('of a sign-in that outlasted its server, or its address, are not stored', async () => {
    const url = 'https://evil.example/mcp';
    await putServer(db, { ...input, id: server.id, url });
    await expect(signIn()).rejects.toMatchObject({ code: 'server_changed' });
    await deleteServer(db, server.id);
    await expect(signIn()).rejects.toMatchObject({ code: 'server_changed' });
    expect(await secrets()).not.toContain('at-1');
  });

  it('were given to one client: as another one there are none', async () => {
    await signIn();
    await putServer(db, { ...input, id: server.id, oauthClient: { id: 'mine', secret: 'hush' } });
    expect(await readCredentials(db, server)).toEqual({ clientId: 'mine', issuers: {} });
    await signIn();
    expect(await readCredentials(db, server)).toMatchObject({ clientId: 'mine', current: ISSUER });
    await putServer(db, { ...input, id: server.id, oauthClient: { id: 'other' } });
    expect(await readCredentials(db, server)).toEqual({ clientId: 'other', issuers: {} });
  });
});

describe('a client registered by hand', () => {
  it('is none of the server that was there before, whose sign-in may go on still', async () => {
    const oauthClient = { id: 'mine', secret: 'hush' };
    await putServer(db, { ...input, id: server.id, url: 'https://other.example/mcp', oauthClient });
    expect(await readOAuthClient(db, server)).toBeUndefined();
  });

  it('is read with its secret', async () => {
    expect(await readOAuthClient(db, server)).toBeUndefined();
    await putServer(db, { ...input, id: server.id, oauthClient: { id: 'mine', secret: 'hush' } });
    expect(await readOAuthClient(db, server)).toEqual({ id: 'mine', secret: 'hush' });
    await putServer(db, { ...input, id: server.id, oauthClient: { id: 'public', secret: '' } });
    expect(await readOAuthClient(db, server)).toEqual({ id: 'public' });
  });

  it('may have an identity provider, which stays until it is another client’s', async () => {
    const identityProvider = { issuer: 'https://id.example', clientId: 'p' };
    await putServer(db, { ...input, id: server.id, oauthClient: { id: 'mine', identityProvider } });
    await putServer(db, { ...input, id: server.id, name: 'Renamed' });
    expect(await readOAuthClient(db, server)).toEqual({ id: 'mine', identityProvider });
    await putServer(db, { ...input, id: server.id, oauthClient: { id: 'mine' } });
    expect(await readOAuthClient(db, server)).toEqual({ id: 'mine' });
  });

  it('whose id an import asked for as a password is kept with the secrets, and opened when it is needed', async () => {
    const client = { id: 'app-${input:id}', secret: 'hush-hush' };
    await putServer(db, { ...input, id: server.id, oauthClient: client, answers: { 'input:id': 'hush' } });
    expect(JSON.stringify(await db.getAll('servers'))).not.toContain('hush');
    expect(await readOAuthClient(db, server)).toEqual({ id: 'app-hush', secret: 'hush-hush' });
    await putServer(db, { ...input, id: server.id, name: 'Renamed' });
    expect(await readOAuthClient(db, server)).toEqual({ id: 'app-hush', secret: 'hush-hush' });
    await putServer(db, { ...input, id: server.id, oauthClient: { id: 'typed' } });
    expect(await readOAuthClient(db, server)).toEqual({ id: 'typed' });
    expect(await secrets()).not.toContain('hush');
  });
});

describe('a server’s authorization server', () => {
  const at = (issuer: string) => (before: Credentials) => ({
    ...before,
    current: issuer,
    issuers: { [issuer]: { metadata: {}, tokens: { accessToken: 'at-1', obtainedAt: 1 } } },
  });
  const signOut = () => updateCredentials(db, server, () => ({ issuers: {} }));
  const trusted = async () => (await db.get('servers', server.id))?.trusted;

  beforeEach(async () => {
    await putServer(db, { ...input, id: server.id, trusted: true });
    const listed = { name: 'echo', offeredName: 'x', description: '', inputSchema: {}, annotations: {} };
    await syncTools(db, server.id, [listed]);
    await setTool(db, server.id, 'echo', { permission: 'allow' });
    const given = { at: '2026-01-01T00:00:00.000Z', used: 0 };
    const grant = { conversationId: 'c1', toolName: 'add', fingerprint: 'f', given };
    await putGrant(db, { ...grant, serverId: server.id });
    await updateCredentials(db, server, at(ISSUER));
  });

  it.each([
    ['at once', async () => {}],
    ['after a sign-out', signOut],
    [
      'after another client was registered',
      () => putServer(db, { ...input, id: server.id, trusted: true, oauthClient: { id: 'me' } }),
    ],
    [
      'after a sign-out, of a sign-in by an earlier Portside',
      async () => {
        const row = await db.get('servers', server.id);
        if (row && 'lastIssuer' in row) delete row.lastIssuer;
        if (row) await db.put('servers', row);
        await signOut();
      },
    ],
  ])('that is another one %s voids the trust, every Allow and every grant', async (_when, before) => {
    await before();
    expect(await trusted()).toBe(true);
    await updateCredentials(db, server, at('https://evil.example'));
    expect(await trusted()).toBe(false);
    expect(await db.get('tools', [server.id, 'echo'])).not.toHaveProperty('permission');
    expect(await db.count('grants')).toBe(0);
  });

  it('that is the same one, at a renewal or another sign-in, voids nothing', async () => {
    await updateCredentials(db, server, at(ISSUER));
    await signOut();
    await updateCredentials(db, server, at(ISSUER));
    expect(await trusted()).toBe(true);
    expect(await db.get('tools', [server.id, 'echo'])).toMatchObject({ permission: 'allow' });
    expect(await db.count('grants')).toBe(1);
  });
});
