import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  readCredentials,
  readOAuthClient,
  updateCredentials,
} from '../../../lib/storage/configuration/credentials.ts';
import { openDatabase } from '../../../lib/storage/database.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { deleteServer, putServer } from '../../../lib/storage/configuration/servers.ts';
import type { Credentials } from '../../../lib/types/credentials.ts';

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
const secrets = async () => JSON.stringify(await db.getAll('secrets'));

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
  it('is read with its secret', async () => {
    expect(await readOAuthClient(db, server.id)).toBeUndefined();
    await putServer(db, { ...input, id: server.id, oauthClient: { id: 'mine', secret: 'hush' } });
    expect(await readOAuthClient(db, server.id)).toEqual({ id: 'mine', secret: 'hush' });
    await putServer(db, { ...input, id: server.id, oauthClient: { id: 'public', secret: '' } });
    expect(await readOAuthClient(db, server.id)).toEqual({ id: 'public' });
  });

  it('whose id an import asked for as a password is kept with the secrets, and opened when it is needed', async () => {
    const client = { id: 'app-${input:id}', secret: 'hush-hush' };
    await putServer(db, { ...input, id: server.id, oauthClient: client, answers: { 'input:id': 'hush' } });
    expect(JSON.stringify(await db.getAll('servers'))).not.toContain('hush');
    expect(await readOAuthClient(db, server.id)).toEqual({ id: 'app-hush', secret: 'hush-hush' });
    await putServer(db, { ...input, id: server.id, name: 'Renamed' });
    expect(await readOAuthClient(db, server.id)).toEqual({ id: 'app-hush', secret: 'hush-hush' });
    await putServer(db, { ...input, id: server.id, oauthClient: { id: 'typed' } });
    expect(await readOAuthClient(db, server.id)).toEqual({ id: 'typed' });
    expect(await secrets()).not.toContain('hush');
  });
});
