import 'fake-indexeddb/auto';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { untilAborted } from '../../lib/async.ts';
import { OWN_CALLS } from '../../lib/protocol/chats.ts';
import type { ServerInput } from '../../lib/protocol/servers.ts';
import { openDatabase } from '../../lib/storage/database.ts';
import type { Database } from '../../lib/storage/schema.ts';
import { offeredName } from '../../lib/mcp/names.ts';
import { markSilent, setServerEnabled } from '../../lib/storage/configuration/servers.ts';
import { setTool } from '../../lib/storage/configuration/tools.ts';
import type { RemoteServer, Server } from '../../lib/types/server.ts';
import type { ToolCall } from '../../lib/types/tools/tool-call.ts';
import { forgetSecrets } from '../../lib/storage/secrets/secret-store.ts';
import { forgetGranted } from '../../entrypoints/background/browser/permissions.ts';
import { finalUrl } from '../../entrypoints/background/servers/final-url.ts';
import { add, input, type Rig, startMcp, startWorkerServers } from './rig.ts';
import { startRawServer, UNKNOWN_METHOD } from '../mcp/raw-server.ts';
import { loseKey, storedSecrets } from '../fakes/secrets.ts';

const fake = vi.hoisted(() => ({
  permissions: { contains: vi.fn(async (_asked: { origins: string[] }) => true) },
}));
vi.mock('wxt/browser', () => ({ browser: fake }));

let db: Database;
let databases = 0;
let worker: Rig;

beforeEach(async () => {
  forgetGranted();
  fake.permissions.contains.mockReset().mockResolvedValue(true);
  db = await openDatabase(`background-servers-${++databases}`);
  worker = startWorkerServers(db);
});

const off = { ...input, enabled: false };
const stdio: ServerInput = {
  name: 'Local',
  enabled: true,
  toolTimeout: 1000,
  trusted: false,
  oneAtATime: false,
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'files'],
  env: { KEY: 'hush' },
};

describe('saving a server', () => {
  it('keeps what a server has, and nothing else that was sent', async () => {
    const sent = { ...off, name: ' Files ', headers: { 'x-key': 'hush' }, tools: 'x', headerNames: ['y'] };
    const { id = 0 } = await worker.servers.add(sent);
    expect(await db.get('servers', id)).toEqual({ ...off, id, headerNames: ['x-key'], isUntried: true });
  });

  it('takes no switch for on that does not say so', async () => {
    const odd = { enabled: 'false', trusted: 1, oneAtATime: {} } as unknown as Partial<ServerInput>;
    const { id = 0 } = await worker.servers.add({ ...input, ...odd } as ServerInput);
    expect(await db.get('servers', id)).toMatchObject({ enabled: false, trusted: false, oneAtATime: false });
  });

  it.each<[object, string, string]>([
    [{ name: ' ' }, 'invalid_name', 'Name is required.'],
    [{ name: 'x'.repeat(101) }, 'invalid_name', 'A name can have up to 100 characters.'],
    [{ url: '' }, 'invalid_url', 'URL is required.'],
    [{ url: 'ftp://a.example' }, 'invalid_url', 'URL is not a web address.'],
    [{ headers: { 'x y': 'hush' } }, 'invalid_headers', 'the header “x y” has a name'],
    [{ toolTimeout: 0 }, 'invalid_tool_timeout', 'Tool timeout must be'],
    [{ transport: 'pigeon' }, 'invalid_transport', 'This transport isn’t supported.'],
    [{ oauthClient: { id: '' } }, 'invalid_oauth_client', 'Client ID is required.'],
    [
      { oauthClient: { id: 'a', identityProvider: { issuer: 'javascript:0', clientId: 'b' } } },
      'invalid_oauth_client',
      'Address is not a web address.',
    ],
    [{ ...stdio, command: '' }, 'invalid_command', 'Command is required.'],
    [{ ...stdio, cwd: 'src' }, 'invalid_cwd', 'Working directory is not a full path.'],
    [{ ...stdio, args: 'all' }, 'invalid_args', 'The arguments are malformed.'],
    [
      { ...stdio, env: { 'A=B': 'hush' } },
      'invalid_env',
      'The name or value of the environment variable “A=B”',
    ],
  ])('with %j is refused, at its field', async (fields, code, words) => {
    const { ok, id, error } = await worker.servers.add({ ...input, ...fields } as ServerInput);
    expect([ok, id, error?.code]).toEqual([false, undefined, code]);
    expect(error?.message).toContain(words);
    expect(JSON.stringify(error)).not.toContain('hush');
    expect(await db.getAll('servers')).toEqual([]);
  });

  it('changes the one with its id, which stays, and none that is not there any more', async () => {
    const { id = 0 } = await worker.servers.add(off);
    expect(await worker.servers.add({ ...off, id, name: 'Renamed' })).toEqual({ ok: true, id });
    expect((await worker.servers.list()).map(({ server }) => server.name)).toEqual(['Renamed']);
    await worker.servers.remove({ id });
    expect(await worker.servers.add({ ...off, id })).toMatchObject({
      ok: false,
      error: { code: 'no_server' },
    });
    expect(await db.count('servers')).toBe(0);
  });

  it('adds one only once, though the worker died before it could say so', async () => {
    const form = { ...off, key: 'form-1' };
    await worker.servers.add(form);
    const { id = 0 } = await startWorkerServers(db).servers.add({ ...form, name: 'Again' });
    expect(await db.getAll('servers')).toMatchObject([{ id, name: 'Again', key: 'form-1' }]);
    await worker.servers.add({ ...off, id, name: 'Renamed' });
    await worker.servers.add(form);
    expect(await db.getAll('servers')).toMatchObject([{ id, name: 'Files' }]);
    await worker.servers.add({ ...form, key: 'form-2' });
    expect(await db.count('servers')).toBe(2);
  });

  it('is removed once what a sign-in gave is given back, which may fail', async () => {
    const seen: (Server | undefined)[] = [];
    worker = startWorkerServers(db, {
      forget: async (id) => {
        seen.push(await db.get('servers', id));
        throw new Error('It has moved.');
      },
    });
    const { id = 0 } = await worker.servers.add(off);
    await worker.servers.remove({ id });
    expect(seen).toMatchObject([{ id }]);
    expect(await db.count('servers')).toBe(0);
  });

  it('does not take stored secrets along to another place', async () => {
    const { id = 0 } = await worker.servers.add({ ...off, headers: { 'x-key': 'hush' } });
    const moved = await worker.servers.add({ ...off, id, url: 'http://b.example/mcp' });
    expect(moved).toMatchObject({ ok: false, error: { code: 'secret_for_other_address' } });
    expect(await db.get('servers', id)).toMatchObject({ url: input.url });
    const again = { ...off, id, url: 'http://b.example/mcp', headers: { 'x-key': 'new' } };
    expect(await worker.servers.add(again)).toEqual({ ok: true, id });
  });

  it('connects it if it is on, and says how that ended', async () => {
    const mcp = await startMcp();
    const { ok, id = 0 } = await worker.servers.add({ ...input, url: mcp.url });
    expect([ok, worker.connections.status(id).state]).toEqual([true, 'connected']);
    expect(await worker.servers.list()).toMatchObject([{ server: { id }, status: { state: 'connected' } }]);
    await mcp.stop();
    const outcome = await worker.servers.add({ ...input, id, url: mcp.url, headers: { 'x-key': 'new' } });
    expect(outcome).toMatchObject({ ok: false, id, error: { code: 'server_unreachable' } });
    expect(worker.connections.status(id)).toMatchObject({ state: 'error' });
  });

  it('whose origin is not granted says so, and asks nothing of it', async () => {
    const mcp = await startMcp();
    fake.permissions.contains.mockResolvedValue(false);
    const outcome = await worker.servers.add({ ...input, url: mcp.url });
    expect(outcome).toMatchObject({ ok: false, id: 1, error: { code: 'origin_not_granted' } });
    expect(worker.connections.status(1)).toMatchObject({ error: { code: 'origin_not_granted' } });
    expect(mcp.requests).toEqual([]);
  });

  it('that is a program is kept, with its environment apart', async () => {
    await worker.servers.add({ ...stdio, enabled: false });
    expect(await db.get('servers', 1)).toMatchObject({
      command: 'npx',
      args: ['-y', 'files'],
      envNames: ['KEY'],
    });
    expect(JSON.stringify([worker.sent, await worker.servers.list()])).not.toContain('hush');
  });
});

describe('a server whose address refers to a secret', () => {
  const withKey = (url: string, key: string): ServerInput => ({
    ...input,
    url: url.replace(/mcp$/, '${input:key}'),
    answers: { 'input:key': key },
  });

  it('is reached with that, which stands in nothing that pages see', async () => {
    const mcp = await startMcp();
    expect(await worker.servers.add(withKey(mcp.url, 'mcp'))).toMatchObject({ ok: true });
    const [listed] = await worker.servers.list();
    expect(listed?.server).toMatchObject({
      url: `http://127.0.0.1:${mcp.port}/${'${input:key}'}`,
      answerNames: ['input:key'],
    });
  });

  it('and is not there says so without it', async () => {
    const mcp = await startMcp();
    const outcome = await worker.servers.add(withKey(mcp.url, 'hush-hush-hush'));
    expect(outcome).toMatchObject({ ok: false, error: { message: expect.stringContaining('•••') } });
    expect(JSON.stringify([outcome, await worker.servers.list()])).not.toContain('hush');
  });

  it('is not moved by a redirect that repeats it, nor does the error say where to', async () => {
    const old = await startMcp({ instead: { redirectTo: '/other/hush-hush-hush' } });
    const outcome = await worker.servers.add(withKey(old.url, 'hush-hush-hush'));
    expect(outcome).toMatchObject({ ok: false, error: { code: 'server_redirect' } });
    expect(JSON.stringify([outcome, await worker.servers.list()])).not.toContain('hush');
  });

  it.each(['Passw0rd!', 'it’s-me(1)', 'aGVs/bG8+d29y==', 'p%41ss word'])(
    'and says so without it: %s',
    async (key) => {
      const mcp = await startMcp();
      const outcome = await worker.servers.add(withKey(mcp.url, key));
      const shown = JSON.stringify([outcome, await worker.servers.list()]);
      expect(shown).toContain('•••');
      for (const form of [key, encodeURI(key), encodeURIComponent(key), key.slice(0, 8)])
        expect(shown).not.toContain(form);
    },
  );

  it('loses it at another origin, where nothing may refer to it', async () => {
    const mcp = await startMcp();
    const { id } = await worker.servers.add({ ...withKey(mcp.url, 'mcp'), enabled: false });
    if (id === undefined) throw new Error('It was not saved.');
    const elsewhere = { ...off, id, url: 'http://127.0.0.1:9/${input:key}' };
    expect(await worker.servers.add(elsewhere)).toMatchObject({
      ok: false,
      error: { code: 'invalid_url', message: expect.stringContaining('${input:key}') },
    });
    expect(await db.get('servers', id)).toMatchObject({ answerNames: ['input:key'] });
    await worker.servers.add({ ...elsewhere, url: 'http://127.0.0.1:9/' });
    expect(await storedSecrets(db)).toEqual({});
    expect(await db.get('servers', id)).not.toHaveProperty('answerNames');
  });
});

describe('a server whose secrets can’t be decrypted any more', () => {
  it('asks for them again, and is not contacted without them', async () => {
    const mcp = await startMcp({ requireHeader: { name: 'x-key', value: 'hush' } });
    const secret = { headers: { 'x-key': 'hush' } };
    const id = await add(worker, { url: mcp.url, ...secret });
    await worker.connections.disconnect(id);
    await loseKey(db);
    const { length } = mcp.requests;
    expect(await worker.connections.revive()).toMatchObject({ [id]: { error: { code: 'secrets_lost' } } });
    expect(worker.connections.status(id)).toMatchObject({ state: 'error', error: { code: 'secrets_lost' } });
    expect(mcp.requests).toHaveLength(length);
    await add(worker, { id, url: mcp.url, ...secret });
    expect(worker.connections.status(id).state).toBe('connected');
  });

  it.each<[string, Partial<ServerInput>]>([
    ['an environment', { ...stdio, launchAllowed: true }],
    ['a client’s secret', { oauthClient: { id: 'me', secret: 'hush' } }],
    ['an answer', { url: 'http://127.0.0.1:9/${input:key}', answers: { 'input:key': 'hush' } }],
  ])('is told of with %s, too', async (_what, fields) => {
    const { id = 0 } = await worker.servers.add({ ...input, enabled: false, ...fields } as ServerInput);
    await loseKey(db);
    expect(await worker.servers.switchOn({ id })).toMatchObject({ error: { code: 'secrets_lost' } });
  });
});

describe('a server with a call in flight', () => {
  const started = async () => {
    const mcp = await startMcp();
    const id = await add(worker, { url: mcp.url, headers: { 'x-key': 'hush' } });
    mcp.hold('look_up');
    const { signal } = new AbortController();
    const call = worker.tools.call(
      { callId: 'own', serverId: id, toolName: 'look_up', conversationId: OWN_CALLS },
      { word: 'a' },
      { signal, started: async () => {}, accepted: async () => {}, progress: () => {} },
    );
    await mcp.until(() => mcp.executions.length === 1);
    return { mcp, id, call, saved: { ...input, id, url: mcp.url } };
  };

  it.each<Partial<ServerInput>>([
    { name: 'Renamed' },
    { toolTimeout: 5000 },
    { trusted: true },
    { withoutInstructions: true },
    { oneAtATime: true },
  ])('is saved with %j without touching it', async (change) => {
    const { mcp, id, call, saved } = await started();
    expect(await worker.servers.add({ ...saved, ...change } as ServerInput)).toEqual({ ok: true, id });
    mcp.release('look_up');
    expect(await call).toMatchObject({ status: 'success' });
    expect(mcp.requests.filter((request) => request === 'POST initialize')).toHaveLength(1);
    expect(mcp.requests).not.toContain('DELETE');
    const states = worker.sent.flatMap((event) => (event.type === 'server_status' ? event.status.state : []));
    expect(states).toEqual(['connecting', 'connected']);
  });

  it.each<[string, (id: number, saved: ServerInput) => Promise<unknown>, string]>([
    ['switched off', (id) => worker.servers.switchOff({ id }), 'Files was switched off.'],
    [
      'saved as off',
      (_id, saved) => worker.servers.add({ ...saved, enabled: false }),
      'Files was switched off.',
    ],
    ['removed', (id) => worker.servers.remove({ id }), 'Files was removed.'],
    [
      'given another header',
      (_id, saved) => worker.servers.add({ ...saved, headers: { 'x-key': 'other' } } as ServerInput),
      'Files was reconnected.',
    ],
    ['reconnected', (id) => worker.servers.reconnect({ id }), 'Files was reconnected.'],
  ])('that is %s cancels it on the server too, and says why', async (_what, change, reason) => {
    const { mcp, id, call, saved } = await started();
    await change(id, saved);
    expect(await call).toMatchObject({
      status: 'cancelled',
      result: { text: expect.stringContaining(reason) },
    });
    expect(mcp.cancelled).toEqual(['look_up']);
    expect(mcp.requests).toContain('POST notifications/cancelled');
  });
});

describe('a server that has moved', () => {
  const moved = async (target: string) => startMcp({ instead: { redirectTo: target } });
  const stored = async (id: number) => ((await db.get('servers', id)) as { url: string }).url;

  it('is stored with the address that its own leads to', async () => {
    const mcp = await startMcp();
    const old = await moved(mcp.url);
    const { ok, id = 0 } = await worker.servers.add({ ...input, url: old.url });
    expect([ok, await stored(id)]).toEqual([true, mcp.url]);
  });

  it('keeps what the user changed while it was asked where it is', async () => {
    const mcp = await startMcp();
    const old = await moved(mcp.url);
    const slow = startWorkerServers(db, {
      whileAsking: async (_hosts, ask) => {
        const [row] = await db.getAll('servers');
        if (row) await db.put('servers', { ...row, name: 'Renamed', oneAtATime: true });
        return ask();
      },
    });
    const { ok, id = 0 } = await slow.servers.add({ ...input, url: old.url });
    expect(ok).toBe(true);
    expect(await db.get('servers', id)).toMatchObject({ name: 'Renamed', oneAtATime: true, url: mcp.url });
  });

  it('and was given another address meanwhile keeps that', async () => {
    const mcp = await startMcp();
    const old = await moved(mcp.url);
    const elsewhere = 'http://127.0.0.1:9/mcp';
    const slow = startWorkerServers(db, {
      whileAsking: async (_hosts, ask) => {
        const url = await ask();
        const [row] = await db.getAll('servers');
        if (row?.transport === 'streamable-http') await db.put('servers', { ...row, url: elsewhere });
        return url;
      },
    });
    const { ok, id = 0, error } = await slow.servers.add({ ...input, url: old.url });
    expect([ok, await stored(id), error?.code]).toEqual([false, elsewhere, 'server_redirect']);
  });

  it('to a place that Portside may not contact keeps its address, and the error names the place', async () => {
    const mcp = await startMcp();
    const old = await moved(mcp.url.replace('127.0.0.1', 'localhost'));
    fake.permissions.contains.mockImplementation(
      async ({ origins }) => !origins.some((origin) => origin.includes('localhost')),
    );
    const { ok, id = 0, error } = await worker.servers.add({ ...input, url: old.url });
    expect([ok, await stored(id), error?.code]).toEqual([false, old.url, 'server_redirect']);
    expect(error?.message).toContain(`http://localhost:${mcp.port}/mcp`);
  });

  it('to a place that is nearer to this computer keeps its address, granted or not', async () => {
    const there = 'http://127.0.0.1:11434/mcp';
    const answer = Object.defineProperty(new Response(), 'url', { value: there });
    vi.stubGlobal('fetch', async () => answer);
    onTestFinished(() => void vi.unstubAllGlobals());
    const id = await add(worker, { ...off, url: 'https://a.test/mcp' });
    const server = (await db.get('servers', id)) as RemoteServer;
    await expect(finalUrl(server)).rejects.toMatchObject({ code: 'server_redirect', redirectedTo: there });
    expect(await finalUrl({ ...server, url: 'http://localhost:9/mcp' })).toBe(there);
  });

  it('is asked where it is by what changes nothing where it leads, and followed to the same path alone', async () => {
    const asked: RequestInit[] = [];
    let there = 'http://127.0.0.1:11434/api';
    vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
      asked.push(init);
      return Object.defineProperty(new Response(), 'url', { value: there });
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const id = await add(worker, { ...off, url: 'https://a.test/mcp' });
    const server = (await db.get('servers', id)) as RemoteServer;
    await expect(finalUrl(server)).rejects.toMatchObject({ code: 'server_redirect' });
    there = 'https://a.test/login';
    await expect(finalUrl(server)).rejects.toMatchObject({ code: 'server_redirect', redirectedTo: there });
    there = 'https://a.test/mcp/';
    expect(await finalUrl(server)).toBe(there);
    expect(asked.map(({ method, body }) => [method, body])).toEqual(asked.map(() => ['HEAD', undefined]));
  });

  it('gets no key that was given for its old place, granted or not', async () => {
    const mcp = await startMcp();
    const old = await moved(mcp.url);
    const outcome = await worker.servers.add({ ...input, url: old.url, headers: { 'x-key': 'hush' } });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'server_redirect' } });
    expect(await stored(outcome.id ?? 0)).toBe(old.url);
    // Only the question where the address leads, which carries nothing.
    expect(mcp.requests).toEqual(['POST ping']);
  });

  it('is followed too when the server was saved while off, or imported, and is switched on', async () => {
    const mcp = await startMcp();
    const old = await moved(mcp.url);
    const { ids } = await worker.configFiles.importAll({ servers: [{ ...input, url: old.url }] });
    const id = ids[0] ?? 0;
    expect(await worker.servers.switchOn({ id })).toEqual({ ok: true });
    expect(await stored(id)).toBe(mcp.url);
    expect(await db.get('servers', id)).not.toHaveProperty('isUntried');
  });

  it('after it was saved is in error: it is not followed then', async () => {
    const mcp = await startMcp();
    const id = await add(worker, { url: mcp.url });
    const old = await moved(mcp.url);
    await db.put('servers', { ...((await db.get('servers', id)) as RemoteServer), url: old.url });
    expect(await worker.servers.reconnect({ id })).toMatchObject({
      ok: false,
      error: { code: 'server_redirect' },
    });
    expect(await stored(id)).toBe(old.url);
  });
});

describe('looking for a new server', () => {
  const find = (url: string, fields: object = {}) =>
    worker.servers.add({ ...input, url, ...fields, find: true } as Parameters<Rig['servers']['add']>[0]);
  const all = () => db.getAll('servers');

  it('saves an address without a path with the one where it answers', async () => {
    const mcp = await startMcp();
    const { ok, id = 0 } = await find(new URL(mcp.url).origin);
    expect(ok).toBe(true);
    expect(await db.get('servers', id)).toMatchObject({ url: mcp.url, transport: 'streamable-http' });
    expect(worker.connections.status(id)).toMatchObject({ state: 'connected' });
  });

  it('tries SSE last, and keeps the query of the address', async () => {
    const mcp = await startMcp({ sseOnly: true });
    const { ok } = await find(`${new URL(mcp.url).origin}/?team=a`);
    expect(ok).toBe(true);
    expect(await all()).toMatchObject([{ url: `${mcp.sseUrl}?team=a`, transport: 'sse' }]);
  });

  it('saves nothing where nothing answers as one, and says what was tried', async () => {
    const mcp = await startMcp({ instead: 'html' });
    const { origin } = new URL(mcp.url);
    const outcome = await find(`${origin}?key=hush`);
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'server_not_mcp' },
      tried: ['/', '/mcp', '/sse'].map((path) => ({ address: origin + path })),
    });
    expect(outcome).not.toHaveProperty('id');
    expect(JSON.stringify(outcome)).not.toContain('hush');
    expect(await all()).toEqual([]);
  });

  it('tries no other path than one that was given', async () => {
    const mcp = await startMcp({ instead: { status: 404 } });
    expect(await find(`${mcp.url}/v2`)).toMatchObject({ tried: [{ address: `${mcp.url}/v2` }] });
    expect(await all()).toEqual([]);
  });

  it('stops where nothing is reached at all', async () => {
    const mcp = await startMcp();
    await mcp.stop();
    const { tried, error } = await find(new URL(mcp.url).origin);
    expect([tried?.length, error?.code]).toEqual([1, 'server_unreachable']);
  });

  it('tells of the key that is missing rather than of a path that is', async () => {
    const mcp = await startMcp({ requireHeader: { name: 'x-key', value: 'hush' } });
    const { error } = await find(new URL(mcp.url).origin);
    expect(error?.code).toBe('server_unauthorized');
  });

  it('keeps one that moved for the question whether that is right', async () => {
    const mcp = await startMcp();
    const old = await startMcp({ instead: { redirectTo: mcp.url } });
    const { origin } = new URL(old.url);
    const outcome = await find(origin, { headers: { 'x-key': 'hush' } });
    expect(outcome).toMatchObject({ id: expect.any(Number), error: { redirectedTo: mcp.url } });
    expect(await all()).toMatchObject([{ url: origin }]);
  });

  it('calls one that was given no name as it calls itself, and the second so that both are told apart', async () => {
    const mcp = await startMcp();
    const { host } = new URL(mcp.url);
    await find(mcp.url, { name: host, isUnnamed: true });
    await find(mcp.url, { name: host, isUnnamed: true });
    await find(mcp.url, { name: 'Mine' });
    const servers = await all();
    expect(servers.map(({ name }) => name)).toEqual(['test-server', `test-server (${host})`, 'Mine']);
    expect(servers[0]).not.toHaveProperty('isUnnamed');
  });
});

describe('switching servers', () => {
  it('off disconnects, on connects and says how that ended', async () => {
    const mcp = await startMcp();
    const id = await add(worker, { url: mcp.url });
    await worker.servers.switchOff({ id });
    expect(worker.connections.status(id).state).toBe('disconnected');
    expect((await worker.tools.offer('c1', undefined)).missing).toEqual([]);
    expect(await worker.servers.switchOn({ id })).toEqual({ ok: true });
    expect(worker.connections.status(id).state).toBe('connected');
    expect(await worker.servers.switchOn({ id: 99 })).toMatchObject({ error: { code: 'no_server' } });
  });

  it('all on connects those that are not connected, by their ids', async () => {
    const [mcp, dead] = [await startMcp(), await startMcp()];
    await dead.stop();
    const first = await add(worker, { url: mcp.url });
    const { id: second = 0 } = await worker.servers.add({ ...input, url: dead.url });
    await worker.servers.add(off);
    await worker.connections.disconnect(first);
    expect(await worker.connections.revive()).toEqual({
      [first]: { ok: true },
      [second]: { ok: false, error: expect.objectContaining({ code: 'server_unreachable' }) },
    });
    expect(Object.keys(await worker.connections.revive())).toEqual([String(second)]);
  });

  it('all on reads no secret when all are connected, for which a run would wait', async () => {
    const mcp = await startMcp();
    await add(worker, { url: mcp.url });
    const began = vi.spyOn(IDBDatabase.prototype, 'transaction');
    expect(await worker.connections.revive('run')).toEqual({});
    const stores = began.mock.calls.map(([names]) => names);
    began.mockRestore();
    expect(stores).not.toContain('secrets');
  });
});

describe('importing servers', () => {
  it('adds them switched off and asks none of them anything', async () => {
    const mcp = await startMcp();
    const { ids } = await worker.configFiles.importAll({
      servers: [{ ...input, id: 7, url: mcp.url }, stdio],
    });
    expect(await db.getAll('servers')).toMatchObject([
      { id: ids[0], enabled: false, url: mcp.url },
      { id: ids[1], enabled: false, command: 'npx' },
    ]);
    expect(ids).not.toContain(7);
    expect(mcp.requests).toEqual([]);
  });

  it('adds none when one of them is not right', async () => {
    const servers = [input, { ...input, name: '' }];
    await expect(worker.configFiles.importAll({ servers })).rejects.toMatchObject({ code: 'invalid_name' });
    expect(await db.count('servers')).toBe(0);
  });

  it('takes back what was exported, secrets only where they were asked for', async () => {
    const oauthClient = { id: 'me', secret: 'mum' };
    await worker.servers.add({ ...off, headers: { 'x-key': 'hush' }, oauthClient });
    expect((await worker.configFiles.exportAll({ withSecrets: false })).text).not.toMatch(/hush|mum/);
    const { text } = await worker.configFiles.exportAll({ withSecrets: true });
    expect(JSON.parse(text)).toMatchObject({
      mcpServers: { Files: { headers: { 'x-key': 'hush' }, oauth: { clientId: 'me', clientSecret: 'mum' } } },
    });
    expect(JSON.parse(text)).not.toHaveProperty('inputs');
  });
});

describe('the calls of a server', () => {
  /** A real server, saved and connected, with one tool on Always allow. */
  async function connected(tool: string, fields: Partial<ServerInput> = {}) {
    const mcp = await startMcp();
    const id = await add(worker, { url: mcp.url, ...fields });
    await setTool(db, id, tool, { permission: 'allow' });
    const { tools } = worker;
    const call = (position: number, args: Record<string, unknown>, started = async () => {}) =>
      tools.call({ callId: `m1.${position}`, serverId: id, toolName: tool, conversationId: 'c1' }, args, {
        signal: new AbortController().signal,
        progress: () => {},
        started,
        accepted: async () => {},
      });
    return { mcp, id, call, tools };
  }

  it.each([
    [true, 1],
    [false, 3],
  ])('are made at the same time unless they are one at a time (%s: at most %i)', async (oneAtATime, most) => {
    const { mcp, call } = await connected('look_up', { oneAtATime });
    let running = 0;
    let peak = 0;
    mcp.hold('look_up');
    const calls = [0, 1, 2].map((each) =>
      call(each, { word: 'a' }, async () => void (peak = Math.max(peak, ++running))).finally(() => running--),
    );
    await mcp.until(() => mcp.executions.length === most);
    mcp.release('look_up');
    const outcomes = await Promise.all(calls);
    expect(outcomes.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
    expect([peak, mcp.executions.length]).toEqual([most, 3]);
  });

  it('do not run a tool that is another one since its server forgot the session, whatever was allowed', async () => {
    const { mcp, id, call, tools } = await connected('write_note', { oneAtATime: false });
    expect((await call(0, { text: 'one' })).status).toBe('success');
    mcp.redefine('write_note', { annotations: { destructiveHint: true } });
    mcp.forgetSessions();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2000 }); // so that the server is asked first
    onTestFinished(() => void vi.useRealTimers());
    const { status, result } = await call(1, { text: 'two' });
    expect(status).toBe('error');
    expect(result.text).toMatch(/^write_note was not run: .*changed since it was allowed/);
    expect(mcp.executions).toHaveLength(1);
    const next = {
      serverId: id,
      toolName: 'write_note',
      conversationId: 'c1',
      callId: 'm1.2',
      arguments: '{}',
    };
    expect(await tools.judge(next as ToolCall)).toMatchObject({ permission: 'ask' });
  });
});

describe('a call', () => {
  const call = (by: Rig, serverId: number) =>
    by.tools.call(
      { callId: 'own', serverId, toolName: 'echo', conversationId: OWN_CALLS },
      { message: 'Hi' },
      {
        signal: new AbortController().signal,
        progress: () => {},
        started: async () => {},
        accepted: async () => {},
      },
    );

  it('connects its server first when a new worker has no connection yet', async () => {
    const mcp = await startMcp();
    const id = await add(worker, { url: mcp.url });
    expect((await call(startWorkerServers(db), id)).result.text).toBe('Hi');
  });

  it('does not bring back a server that the user switched off, or removed, and says so', async () => {
    const mcp = await startMcp();
    const id = await add(worker, { url: mcp.url });
    // Its connection is not closed yet.
    await setServerEnabled(db, id, false);
    const why =
      'echo was not run: The server Files is switched off. Switch it on in Settings, under Servers.';
    expect((await call(worker, id)).result.text).toBe(why);
    await worker.servers.remove({ id });
    expect((await call(worker, id)).result.text).toMatch(
      /^echo was not run: This server was removed\. Add it/,
    );
    expect(mcp.executions).toEqual([]);
  });
});

describe('servers that never answer, on the origin of others that do', () => {
  /**
   * A worker's servers, of which those with the lowest ids were never connected, or were, and hang in its next life; only
   * what the test lets pass is a time there.
   */
  async function crowd({ hangs = 4, working = 8, wereThere = false } = {}) {
    const mcp = await startMcp();
    const real = fetch;
    let isHanging = !wereThere;
    const asked: string[] = [];
    vi.stubGlobal('fetch', (async (url, init) => {
      if (!isHanging || !String(url).includes('?hangs')) return real(url, init);
      asked.push(String(url));
      return untilAborted(new Promise<never>(() => {}), init?.signal ?? new AbortController().signal);
    }) satisfies typeof fetch);
    onTestFinished(() => void vi.unstubAllGlobals());
    const ids: number[] = [];
    for (let each = 0; each < hangs; each++) {
      const url = `${mcp.url}?hangs=${each}`;
      ids.push(
        wereThere ? await add(worker, { url }) : ((await worker.servers.add({ ...off, url })).id ?? 0),
      );
    }
    for (let each = 0; each < working; each++) await add(worker, { url: mcp.url });
    for (const id of ids) await setServerEnabled(db, id, true);
    isHanging = true;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    forgetSecrets();
    const next = startWorkerServers(db);
    const connected = () =>
      next.sent.filter((event) => event.type === 'server_status' && event.status.state === 'connected')
        .length;
    const offer = async (by = next) => {
      const { tools, missing } = await by.tools.offer('c1', undefined);
      return [new Set(tools.flatMap(({ serverId }) => serverId ?? [])).size, missing.length];
    };
    const marked = async () =>
      (await db.getAll('servers')).flatMap(({ id, silentAt }) => (silentAt === undefined ? [] : id));
    return {
      mcp,
      hanging: ids,
      next,
      connected,
      offer,
      marked,
      /** The servers that were asked something and hang, by their places, in the order of that. */
      asked: () => [...new Set(asked)].map((url) => Number(url.split('=')[1])),
      comeBack: () => (isHanging = false),
    };
  }

  it('keep none of those from a run when there are many, which were there the last time', async () => {
    const { next, hanging, connected, offer, marked, asked } = await crowd({
      hangs: 12,
      working: 6,
      wereThere: true,
    });
    const first = offer();
    // Two handshakes are under way at a time, and make way for two more.
    for (let begun = 2; begun <= 12; begun += 2) {
      while (asked().length < begun) await new Promise((resolve) => setImmediate(resolve));
      await vi.advanceTimersByTimeAsync(500);
    }
    await next.until(() => connected() === 6);
    await vi.advanceTimersByTimeAsync(5000 - 6 * 500);
    expect(await first).toEqual([6, 12]);
    while ((await marked()).length < 12) await vi.advanceTimersByTimeAsync(500);
    expect(await offer()).toEqual([6, 12]);
    expect(await marked()).toEqual(hanging);
  });

  it('keep none of those from the run that wakes the worker, and no later run waiting', async () => {
    const { next, hanging, connected, offer } = await crowd();
    const first = offer();
    // No time has passed: those that were there before came first.
    await next.until(() => connected() === 8);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await first).toEqual([8, 4]);
    await vi.advanceTimersByTimeAsync(1000); // they did not begin all at once
    expect(await offer()).toEqual([8, 4]);
    expect(hanging.map((id) => next.connections.status(id).state)).toEqual(Array(4).fill('connecting'));
  });

  it('keep the next worker’s run from nothing either', async () => {
    const { next, hanging, connected, offer, marked } = await crowd({ working: 1 });
    const first = offer();
    await next.until(() => connected() === 1);
    await vi.advanceTimersByTimeAsync(6000);
    await first;
    const third = startWorkerServers(db);
    const glance = offer(third);
    await third.until(() => third.connections.status(hanging.length + 1).state === 'connected');
    await vi.advanceTimersByTimeAsync(300);
    expect(await glance).toEqual([1, 4]);
    expect(await offer(third)).toEqual([1, 4]);
    expect(await marked()).toEqual(hanging);
  });

  it('are tried in turn, the one first that was not for longest', async () => {
    const { next, hanging, offer, asked } = await crowd({ hangs: 3, working: 0 });
    for (const [at, id] of hanging.entries()) await markSilent(db, id, [3, 1, 2][at] ?? null);
    const run = offer();
    await next.until(() => hanging.every((id) => next.connections.status(id).state === 'connecting'));
    const times = async () => (await db.getAll('servers')).map(({ silentAt }) => silentAt);
    while (asked().length < 2) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(6000);
    expect([await run, asked(), await times()]).toEqual([
      [0, 3],
      [1, 2, 0],
      [3, 1, 2],
    ]);
    await vi.advanceTimersByTimeAsync(90_000);
    await next.until(() => hanging.every((id) => next.connections.status(id).state === 'error'));
    await vi.waitUntil(async () => (await times()).every((time = 0) => time > 3));
  });

  it('are in the first run of a worker once they are back', async () => {
    const { next, hanging, connected, offer, marked, comeBack } = await crowd({ hangs: 1, working: 1 });
    const first = offer();
    await next.until(() => connected() === 1);
    await vi.advanceTimersByTimeAsync(5000);
    expect([await first, await marked()]).toEqual([[1, 1], hanging]);
    comeBack();
    const third = startWorkerServers(db);
    expect(await offer(third)).toEqual([2, 0]);
    await vi.waitFor(async () => expect(await marked()).toEqual([]));
  });

  it('are waited for again once they were connected', async () => {
    const mcp = await startMcp();
    const id = await add(worker, { url: mcp.url });
    await markSilent(db, id, 1);
    const next = startWorkerServers(db);
    await next.connections.reach(id);
    await vi.waitFor(async () => expect(await db.get('servers', id)).not.toHaveProperty('silentAt'));
  });
});

it('a server that hangs since it was listed last, and has no stream of its own, keeps no run for longer than a moment', async () => {
  const mcp = await startMcp();
  for (let each = 0; each < 3; each++) await add(worker, { url: `${mcp.url}?${each}` });
  const real = fetch;
  const hanging = Promise.withResolvers<void>();
  vi.stubGlobal('fetch', (async (url, init) => {
    if (!String(init?.body).includes('tools/list')) return real(url, init);
    hanging.resolve();
    return untilAborted(new Promise<never>(() => {}), init?.signal ?? new AbortController().signal);
  }) satisfies typeof fetch);
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.now() + 3_600_000 });
  onTestFinished(() => void vi.unstubAllGlobals());
  onTestFinished(() => void vi.useRealTimers());
  const offer = worker.tools.offer('c1', undefined);
  await hanging.promise;
  await vi.advanceTimersByTimeAsync(300);
  const { tools, missing } = await offer;
  expect([new Set(tools.flatMap(({ serverId }) => serverId ?? [])).size, missing]).toEqual([3, []]);
});

describe('what a new worker knows of a server', () => {
  it('is its session: no new handshake, and its tools are offered again', async () => {
    const mcp = await startMcp();
    const id = await add(worker, { url: mcp.url });
    const handshakes = () => mcp.requests.filter((request) => request === 'POST initialize').length;
    expect(handshakes()).toBe(1);
    const next = startWorkerServers(db);
    expect((await next.tools.offer('c1', undefined)).tools.map(({ name }) => name)).toContain(
      `mcp__${id}__echo`,
    );
    expect(handshakes()).toBe(1);
  });
});

it('a tool that is named as the name of another one comes out is offered to no model', async () => {
  const named = (name: string) => ({ name, inputSchema: { type: 'object' } });
  const [, inside = ''] = offeredName(1, 'files.read').split('mcp__1__');
  const url = await startRawServer(({ method }) =>
    method === 'tools/list' ? { result: { tools: [named('files.read'), named(inside)] } } : UNKNOWN_METHOD,
  );
  await add(worker, { url });
  await worker.connections.synced();
  expect(await db.getAll('tools')).toMatchObject([
    { name: 'files.read', offeredName: `mcp__1__${inside}` },
    { name: inside, offeredName: `mcp__1__${inside} ${inside}`, problem: expect.stringContaining(inside) },
  ]);
});

describe('fifty servers, four of which never answer', () => {
  it('connect all the same, while pages and runs go on', async () => {
    worker = startWorkerServers(db, { connectTimeout: 60_000 }); // it does not come to that
    const mcp = await startMcp();
    const silent = await startMcp({ instead: 'silence' });
    const servers = Array.from({ length: 50 }, (_, index) => ({
      ...input,
      name: `Server ${index}`,
      url: index % 12 === 5 ? silent.url : mcp.url,
    }));
    const { ids } = await worker.configFiles.importAll({ servers });
    for (const id of ids) {
      const row = await db.get('servers', id);
      if (row) await db.put('servers', { ...row, enabled: true });
    }
    const revived = worker.connections.revive();
    const connected = () => ids.filter((id) => worker.connections.status(id).state === 'connected').length;
    await worker.until(() => connected() === 46);
    const hanging = ids.filter((id) => worker.connections.status(id).state === 'connecting');
    expect(hanging).toHaveLength(4);
    expect(await worker.servers.list()).toHaveLength(50);
    await silent.stop(); // spares the wait for their timeout
    const outcomes = await revived;
    expect(Object.values(outcomes).filter(({ ok }) => ok)).toHaveLength(46);
    expect(hanging.map((id) => outcomes[id]?.error?.code)).toEqual(Array(4).fill('server_unreachable'));
    expect((await db.getAll('tools')).length % 46).toBe(0);
  });
});
