import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ServerInput } from '../../../lib/protocol/servers.ts';
import { openDatabase } from '../../../lib/storage/database.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import {
  loadSession,
  saveSession,
  serversWithSecrets,
  serverWithSecrets,
} from '../../../lib/storage/configuration/server-secrets.ts';
import { putGrant } from '../../../lib/storage/configuration/grants.ts';
import {
  deleteServer,
  markTried,
  moveServer,
  putServer,
} from '../../../lib/storage/configuration/servers.ts';
import { setTool, syncTools } from '../../../lib/storage/configuration/tools.ts';
import type { ToolCall } from '../../../lib/types/tools/tool-call.ts';
import { storedSecrets } from '../../fakes/secrets.ts';

let db: Database;
let databases = 0;

beforeEach(async () => {
  db = await openDatabase(`storage-servers-${++databases}`);
});

const common = { name: 'Files', enabled: true, toolTimeout: 1000, trusted: false, oneAtATime: false };
const remote = { ...common, transport: 'streamable-http', url: 'http://127.0.0.1/mcp' } as const;
const program: Extract<ServerInput, { command: string }> = {
  ...common,
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'files'],
};

describe('the name of a server', () => {
  const names = async () => (await db.getAll('servers')).map(({ name }) => name);

  it('that another one has is completed by where the server is', async () => {
    await putServer(db, remote);
    await putServer(db, { ...remote, name: 'FILES', url: 'https://b.example:8443/mcp' });
    const id = await putServer(db, { ...remote, url: 'https://b.example:8443/other' });
    await putServer(db, { ...program, command: '/usr/bin/npx' });
    const all = ['Files', 'FILES (b.example:8443)', 'Files (b.example:8443 2)', 'Files (npx)'];
    expect(await names()).toEqual(all);
    await putServer(db, { ...remote, id, name: 'Files' });
    expect(await names()).toEqual(all.with(2, 'Files (127.0.0.1)'));
  });

  it('is as it was typed where it is its own, and never longer than a name may be', async () => {
    const id = await putServer(db, remote);
    await putServer(db, { ...remote, id, toolTimeout: 7 });
    expect(await names()).toEqual(['Files']);
    const long = 'x'.repeat(100);
    await putServer(db, { ...remote, name: long });
    await putServer(db, { ...remote, name: long });
    expect((await names()).at(-1)).toBe(`${'x'.repeat(88)} (127.0.0.1)`);
  });
});

describe('what a server is reached with', () => {
  it.each<[string, ServerInput, object, object]>([
    ['header values', { ...remote, headers: { 'X-Key': 'hush' } }, remote, { headerNames: ['X-Key'] }],
    ['the environment', { ...program, env: { KEY: 'hush' } }, program, { envNames: ['KEY'] }],
    [
      'a client’s secret',
      { ...remote, oauthClient: { id: 'me', secret: 'hush' } },
      remote,
      { oauthClient: { id: 'me', hasSecret: true } },
    ],
  ])(
    '%s: not in the row, kept by a save without it, gone with the server',
    async (_what, input, again, row) => {
      const id = await putServer(db, input);
      const secrets = await storedSecrets(db);
      expect(JSON.stringify(secrets)).toContain('hush');
      await putServer(db, { ...(again as ServerInput), id, name: 'Renamed' });
      const stored = await db.get('servers', id);
      expect(JSON.stringify(stored)).not.toContain('hush');
      expect(stored).toMatchObject({ ...row, id, name: 'Renamed' });
      expect(await storedSecrets(db)).toEqual(secrets);
      await deleteServer(db, id);
      expect(await storedSecrets(db)).toEqual({});
    },
  );

  it.each<[string, ServerInput, ServerInput]>([
    ['another machine', { ...remote, headers: { 'X-Key': 'hush' } }, { ...remote, url: 'http://b.example/' }],
    ['another program', { ...program, env: { KEY: 'hush' } }, { ...program, command: 'uvx' }],
    ['a program', { ...remote, headers: { 'X-Key': 'hush' } }, program],
  ])('does not go to %s, whatever a page saves', async (_where, input, moved) => {
    const id = await putServer(db, input);
    await db.put('secrets', { tokens: 'hush' }, `server:${id}:oauth`);
    await putServer(db, { ...moved, id });
    expect(await storedSecrets(db)).toEqual({});
    expect(JSON.stringify(await db.get('servers', id))).not.toMatch(/X-Key|KEY/);
  });

  it('is read with the row, from one moment, and of all servers by their ids', async () => {
    const first = await putServer(db, { ...remote, headers: { 'X-Key': 'one' } });
    const second = await putServer(db, { ...program, env: { KEY: 'two' } });
    expect(await serverWithSecrets(db, first)).toMatchObject({
      server: { url: remote.url },
      secrets: { headers: { 'X-Key': 'one' }, env: {}, answers: {} },
    });
    expect((await serversWithSecrets(db)).secrets).toEqual({
      [first]: { headers: { 'X-Key': 'one' }, env: {}, answers: {} },
      [second]: { headers: {}, env: { KEY: 'two' }, answers: {} },
    });
    expect(await serverWithSecrets(db, 99)).toBeUndefined();
  });

  it('does not touch that of a server whose id begins with the same digit', async () => {
    const id = await putServer(db, remote);
    const other = await putServer(db, { ...remote, id: id * 10, headers: { 'X-Key': 'hush' } });
    await deleteServer(db, id);
    expect(Object.keys(await storedSecrets(db))).toEqual([`server:${other}:headers`]);
  });
});

describe('another address for a server', () => {
  const tool = { name: 'echo', offeredName: 'x', description: '', inputSchema: {}, annotations: {} };
  const saved = async () => {
    const id = await putServer(db, { ...remote, headers: { 'X-Key': 'hush' } });
    await syncTools(db, id, [tool]);
    await setTool(db, id, 'echo', { permission: 'allow' });
    return id;
  };

  it('leaves all else as it is where it is the same machine', async () => {
    const id = await saved();
    const before = await db.get('servers', id);
    expect(await moveServer(db, id, remote.url, 'http://127.0.0.1/new')).toBe(true);
    expect(await db.get('servers', id)).toEqual({ ...before, url: 'http://127.0.0.1/new' });
    expect((await serverWithSecrets(db, id))?.secrets.headers).toEqual({ 'X-Key': 'hush' });
    expect(await db.get('tools', [id, 'echo'])).toMatchObject({ permission: 'allow' });
  });

  it('on another machine voids what was given and allowed', async () => {
    const id = await saved();
    expect(await moveServer(db, id, remote.url, 'http://b.example/')).toBe(true);
    expect(await db.get('servers', id)).toMatchObject({ url: 'http://b.example/', headerNames: [] });
    expect(await storedSecrets(db)).toEqual({});
    expect(await db.get('tools', [id, 'echo'])).not.toHaveProperty('permission');
  });

  it.each([
    ['no app of another one is shown', 'http://b.example/mcp', undefined],
    ['its own apps are shown', remote.url, 'ui://berths'],
  ])('%s what the server answered before', async (_what, url, app) => {
    const id = await putServer(db, remote);
    await markTried(db, id, remote.url);
    await db.put('toolCalls', { callId: 'm.0', serverId: id, app: 'ui://berths' } as ToolCall);
    await db.put('toolCalls', { callId: 'm.1', serverId: 99, app: 'ui://berths' } as ToolCall);
    await putServer(db, { ...remote, id, name: 'Renamed', url });
    expect((await db.getAll('toolCalls')).map((call) => call.app)).toEqual([app, 'ui://berths']);
  });

  it('is told no task of the server that was there, and may end none of its calls', async () => {
    const id = await putServer(db, remote);
    await markTried(db, id, remote.url);
    await db.put('toolCalls', { callId: 'm.0', serverId: id, status: 'unknown', task: 'hush' } as ToolCall);
    await putServer(db, { ...remote, id, name: 'Renamed' });
    expect(await db.get('toolCalls', 'm.0')).toMatchObject({ task: 'hush' });
    await putServer(db, { ...remote, id, url: 'http://b.example/mcp' });
    expect(await db.get('toolCalls', 'm.0')).not.toHaveProperty('task');
  });

  it('is not taken over when the server has another one by now, or is gone', async () => {
    const id = await saved();
    expect(await moveServer(db, id, 'http://old.example/', 'http://b.example/')).toBe(false);
    expect(await moveServer(db, 99, remote.url, 'http://b.example/')).toBe(false);
    expect(await db.getAll('servers')).toMatchObject([{ id, url: remote.url }]);
  });
});

describe('the trust in a server, and what was allowed there,', () => {
  const tool = { name: 'echo', offeredName: 'x', description: '', inputSchema: {}, annotations: {} };
  const given = { at: '2026-01-01T00:00:00.000Z', used: 0 };
  /** Trusted, with an Allow, a grant and a tool that changed. @returns what of that there is once it is saved as `moved` */
  async function after(input: ServerInput, moved: ServerInput, isTried = true) {
    const id = await putServer(db, { ...input, trusted: true });
    if (isTried && 'url' in input) await markTried(db, id, input.url);
    await syncTools(db, id, [tool, { ...tool, name: 'add' }]);
    await syncTools(db, id, [tool, { ...tool, name: 'add', description: 'Subtracts.' }]);
    await setTool(db, id, 'echo', { permission: 'allow' });
    await putGrant(db, { conversationId: 'c1', serverId: id, toolName: 'add', fingerprint: 'f', given });
    await putServer(db, { ...moved, trusted: true, id });
    const [add, echo] = await db.getAll('tools');
    return [
      (await db.get('servers', id))?.trusted,
      echo?.permission === 'allow',
      (await db.count('grants')) === 1,
      add?.review !== undefined,
    ];
  }

  it.each<[string, ServerInput, ServerInput]>([
    ['origin', remote, { ...remote, url: 'http://b.example/mcp' }],
    ['path', remote, { ...remote, url: 'http://127.0.0.1/other' }],
    ['query', remote, { ...remote, url: `${remote.url}?server=other` }],
    ['command', program, { ...program, command: 'uvx' }],
    ['arguments', program, { ...program, args: ['-y', 'files@evil'] }],
    ['kind', remote, program],
  ])('end with another %s, though the same save says that it is trusted', async (_part, input, moved) => {
    expect(await after(input, moved)).toEqual([false, false, false, false]);
  });

  it.each<[string, ServerInput, ServerInput]>([
    ['name', remote, { ...remote, name: 'Renamed' }],
    ['transport at one address', remote, { ...remote, transport: 'sse' }],
    ['folder', program, { ...program, cwd: '/tmp' }],
  ])('stay with another %s', async (_part, input, moved) => {
    expect(await after(input, moved)).toEqual([true, true, true, true]);
  });

  it('stay while its path is still looked for', async () => {
    expect(await after(remote, { ...remote, url: 'http://127.0.0.1/sse' }, false)).not.toContain(false);
  });

  it('end with another path, also where its transport was changed before', async () => {
    const id = await putServer(db, { ...remote, trusted: true });
    await markTried(db, id, remote.url);
    await putServer(db, { ...remote, id, transport: 'sse', trusted: true });
    await putServer(db, { ...remote, id, url: 'http://127.0.0.1/other', trusted: true });
    expect((await db.get('servers', id))?.trusted).toBe(false);
  });
});

describe('a client that was registered by hand', () => {
  it('keeps its secret as long as it is the same one, and goes when it is taken out', async () => {
    const id = await putServer(db, { ...remote, oauthClient: { id: 'me', secret: 'hush' } });
    const client = async () => (await db.get('servers', id)) as { oauthClient?: object };
    await putServer(db, { ...remote, id, oauthClient: { id: 'me' } });
    expect((await client()).oauthClient).toEqual({ id: 'me', hasSecret: true });
    await putServer(db, { ...remote, id, oauthClient: null });
    expect(await client()).not.toHaveProperty('oauthClient');
    expect(await storedSecrets(db)).toEqual({});
  });

  it('has no secret of another one’s', async () => {
    const id = await putServer(db, { ...remote, oauthClient: { id: 'me', secret: 'hush' } });
    await putServer(db, { ...remote, id, oauthClient: { id: 'other' } });
    expect(await db.get('servers', id)).toMatchObject({ oauthClient: { id: 'other', hasSecret: false } });
    expect(await storedSecrets(db)).toEqual({});
  });
});

describe('the sign-in that a row tells of', () => {
  const signedIn = { issuer: 'https://id.example' };

  it.each<[string, Partial<ServerInput>, boolean]>([
    ['a rename', { name: 'Renamed' }, true],
    ['another machine', { url: 'http://b.example/' }, false],
    ['another client', { oauthClient: { id: 'me' } }, false],
  ])('after %s', async (_what, change, stays) => {
    const id = await putServer(db, remote);
    await db.put('servers', { ...remote, id, headerNames: [], signedIn });
    await putServer(db, { ...remote, id, ...change } as ServerInput);
    expect('signedIn' in ((await db.get('servers', id)) ?? {})).toBe(stays);
  });
});

describe('what a program was allowed', () => {
  it('is void when it is started with other arguments, which may be another program', async () => {
    const id = await putServer(db, { ...program, env: { KEY: 'hush' } });
    const listed = { name: 'echo', offeredName: 'x', description: '', inputSchema: {}, annotations: {} };
    await syncTools(db, id, [listed]);
    await setTool(db, id, 'echo', { permission: 'allow' });
    await putServer(db, { ...program, id, args: ['-y', 'other'] });
    expect(await db.get('tools', [id, 'echo'])).not.toHaveProperty('permission');
    expect((await serverWithSecrets(db, id))?.secrets.env).toEqual({ KEY: 'hush' });
  });
});

describe('the memory of a session', () => {
  it('is kept when the server is renamed, forgotten when it moves or is removed, and never comes back then', async () => {
    const id = await putServer(db, remote);
    await saveSession(db, id, { session: 'a' });
    expect(await loadSession(db, id)).toEqual({ session: 'a' });
    await putServer(db, { ...remote, id, name: 'Renamed' });
    expect(await loadSession(db, id)).toEqual({ session: 'a' });
    await putServer(db, { ...remote, id, url: 'https://elsewhere.example/mcp' });
    expect(await loadSession(db, id)).toBeUndefined();
    await saveSession(db, id, { session: 'b' });
    await deleteServer(db, id);
    await saveSession(db, id, { session: 'c' });
    expect(await storedSecrets(db)).toEqual({});
  });
});
