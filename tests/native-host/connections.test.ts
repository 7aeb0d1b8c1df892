import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../lib/errors.ts';
import { createNativeLink, type NativeLink } from '../../lib/mcp/transport/native-link.ts';
import type { StdioConfig } from '../../lib/mcp/settings.ts';
import type { ServerStatus } from '../../lib/types/server.ts';
import { findProcess } from '../../native-host/processes.ts';
import { createRig, options } from '../mcp/harness.ts';
import { browserFor } from './connect.ts';

// For what hangs: real programs take seconds to start on a busy machine.

const require = createRequire(import.meta.url);
const everything = require.resolve('@modelcontextprotocol/server-everything/dist/index.js');
const fixture = join(import.meta.dirname, 'fixtures/tools.ts');

let folder: string;
let browser: ReturnType<typeof browserFor>;
let native: NativeLink;
let lastId = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'portside-host-'));
  browser = browserFor(folder);
  native = createNativeLink(browser.connect);
});
afterAll(async () => {
  await browser.end();
  rmSync(folder, { recursive: true, force: true });
});

const node = (...args: string[]): StdioConfig => ({
  id: (lastId += 1),
  name: 'Local',
  transport: 'stdio',
  toolTimeout: 30_000,
  launch: { command: process.execPath, args, env: {} },
});

/** A rig, and what becomes of its servers, told one after the other. */
function rigOf() {
  const seen: ServerStatus[] = [];
  const waiters = new Set<() => void>();
  const rig = createRig({
    native,
    onStatus(_, status) {
      seen.push(status);
      for (const wake of waiters) wake();
    },
  });
  const until = (state: ServerStatus['state']): Promise<ServerStatus> =>
    new Promise((resolve) => {
      const look = (): void => {
        const last = seen.at(-1);
        if (last?.state === state) resolve(last);
      };
      waiters.add(look);
      look();
    });
  return { ...rig, seen, until };
}

const textOf = ({ result }: { result: { text: string } }): string => result.text;

describe('a server over stdio', () => {
  it('is connected, lists and runs its tools like any other', async () => {
    const rig = rigOf();
    const server = node(everything);
    const tools = await rig.connect(server);
    expect(tools.map(({ name }) => name)).toContain('echo');
    expect(rig.status(server.id)).toMatchObject({ state: 'connected', toolCount: tools.length });
    const outcome = await rig.call(server.id, 'echo', { message: 'ahoy' }, options());
    expect(outcome).toMatchObject({ status: 'success', result: { text: 'Echo: ahoy' } });
  });

  it('brings a result of 20 MB', async () => {
    const rig = rigOf();
    const server = node(fixture);
    await rig.connect(server);
    const outcome = await rig.call(server.id, 'big', { bytes: 20_000_000 }, options());
    expect(outcome.status).toBe('success');
    expect(textOf(outcome).length).toBeGreaterThanOrEqual(20_000_000);
  });

  it('times out as others do, and is cancelled on the server', async () => {
    const rig = rigOf();
    const server = { ...node(fixture), toolTimeout: 100 };
    await rig.connect(server);
    const outcome = await rig.call(server.id, 'hang', {}, options());
    expect(outcome).toMatchObject({
      status: 'timeout',
      result: { text: 'Tool execution timed out after 100ms' },
    });
    await rig.connect({ ...server, toolTimeout: 30_000 }); // The program stays: only what is called next has longer.
    expect(textOf(await rig.call(server.id, 'cancelled', {}, options()))).toBe('1');
  });

  it('that dies in a call leaves it unknown, and takes the next', async () => {
    const rig = rigOf();
    const server = node(fixture);
    await rig.connect(server);
    const outcome = await rig.call(server.id, 'crash', {}, options());
    expect(outcome.status).toBe('unknown');
    expect(await rig.call(server.id, 'pid', {}, options())).toMatchObject({ status: 'success' });
    expect(rig.seen.filter(({ state }) => state !== 'connected').map(({ state }) => state)).toEqual([
      'connecting',
    ]);
  });

  it('that dies in a call which may be repeated is asked again', async () => {
    const rig = rigOf();
    const mark = join(folder, 'crashed-once');
    const server = node(fixture);
    await rig.connect(server);
    const outcome = await rig.call(server.id, 'crash_once', { mark }, options({ idempotent: true }));
    expect(outcome).toMatchObject({ status: 'success', result: { text: 'this time' } });
  });

  it('that dies again and again is started three times, and then in error with its last words', async () => {
    const rig = rigOf();
    const server = node(fixture);
    await rig.connect(server);
    for (let at = 0; at < 4; at++) {
      expect(await rig.call(server.id, 'crash', {}, options())).toMatchObject({ status: 'unknown' });
    }
    const { error } = await rig.until('error');
    expect(error).toMatchObject({ code: 'server_ended', retryable: false, cause: 'out of luck' });
    expect(error?.message).toBe('Local exited unexpectedly, with code 3.');
    expect(await rig.call(server.id, 'pid', {}, options())).toMatchObject({ status: 'success' });
  });

  it('that can’t be started again is tried three times in all, and then in error', async () => {
    const rig = rigOf();
    const mark = join(folder, 'only-once');
    const server = node(fixture, 'once', mark);
    await rig.connect(server);
    await rig.call(server.id, 'crash', {}, options());
    expect((await rig.until('error')).error).toMatchObject({ code: 'server_ended', cause: 'second start' });
  });

  it('leaves its calls unknown when the native host is killed, and takes the next', async () => {
    const rig = rigOf();
    const server = node(fixture);
    await rig.connect(server);
    const pid = Number(textOf(await rig.call(server.id, 'pid', {}, options())));
    const call = rig.call(
      server.id,
      'hang',
      {},
      options({ started: async () => void browser.started.at(-1)?.kill('SIGKILL') }),
    );
    expect((await call).status).toBe('unknown');
    const next = Number(textOf(await rig.call(server.id, 'pid', {}, options())));
    expect(next).not.toBe(pid);
    while (await findProcess(pid)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });

  it('that is found nowhere says where it was looked for', async () => {
    const rig = rigOf();
    const server = node();
    const launch = { command: 'no-such-command', args: [], env: { PATH: '/one:/two' } };
    await expect(rig.connect({ ...server, launch })).rejects.toMatchObject({
      code: 'server_not_started',
      message: 'Local: no-such-command was not found.',
      detail: 'Searched: /one, /two',
    });
    expect(rig.status(server.id).state).toBe('error');
  });

  it('that ends at once says what it printed last, without its secrets', async () => {
    const rig = rigOf();
    const server = node('-e', 'console.error(`bad key ${process.env.KEY}`); process.exit(1)');
    server.launch.env = { KEY: 'hush-hush' };
    await expect(rig.connect(server)).rejects.toMatchObject({
      code: 'server_ended',
      detail: expect.stringMatching(/^bad key (?!hush)/),
    });
    expect(JSON.stringify(rig.log(server.id))).not.toContain('hush-hush');
    expect(JSON.stringify(rig.log(server.id))).toContain('bad key');
  });

  it('that has nothing to do is ended, stays connected for all to see, and starts at its next use', async () => {
    const { start, ...rest } = native;
    const ended = Promise.withResolvers<void>();
    const rig = createRig({
      native: {
        ...rest,
        start: (launch, idleMs, on) => {
          expect(idleMs).toBe(600_000);
          return start(launch, 200, {
            ...on,
            exit(exit) {
              on.exit(exit);
              ended.resolve();
            },
          });
        },
      },
    });
    const server = node(fixture);
    await rig.connect(server);
    const pid = textOf(await rig.call(server.id, 'pid', {}, options()));
    await ended.promise;
    expect(textOf(await rig.call(server.id, 'pid', {}, options()))).not.toBe(pid);
    expect(rig.statuses.map(({ state }) => state)).toEqual(['connecting', 'connected']);
  });

  it('ends when it is switched off', async () => {
    const rig = rigOf();
    const server = node(fixture);
    await rig.connect(server);
    const pid = Number(textOf(await rig.call(server.id, 'pid', {}, options())));
    await rig.disconnect(server.id, 'switched_off');
    expect(rig.status(server.id).state).toBe('disconnected');
    while (await findProcess(pid)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
});

describe('the native host, as the worker sees it', () => {
  const linkTo = () => {
    const own = mkdtempSync(join(tmpdir(), 'portside-host-'));
    const here = browserFor(own);
    onTestFinished(async () => {
      await here.end();
      rmSync(own, { recursive: true, force: true });
    });
    return { ...here, native: createNativeLink(here.connect) };
  };

  it('is one for all servers, and is let go when none runs any more', async () => {
    const here = linkTo();
    const rig = createRig({ native: here.native });
    const servers = [node(fixture), node(fixture)];
    await Promise.all(servers.map((server) => rig.connect(server)));
    expect(here.started).toHaveLength(1);
    const ended = new Promise((resolve) => here.started[0]?.on('close', resolve));
    await Promise.all(servers.map(({ id }) => rig.disconnect(id)));
    expect(await ended).toBe(0);
  });

  it('is asked what it is while a server starts', async () => {
    const here = linkTo();
    const rig = createRig({ native: here.native });
    const [about, tools] = await Promise.all([here.native.about(), rig.connect(node(fixture))]);
    expect(about.node).toBe(process.versions.node);
    expect(tools.length).toBeGreaterThan(0);
    expect(here.started).toHaveLength(1);
  });

  it('is missing when it ends before it says hello', async () => {
    const absent = createNativeLink(({ gone }) => {
      queueMicrotask(() => gone('Specified native messaging host not found.'));
      return { postMessage: () => undefined, disconnect: () => undefined };
    });
    const missing = { code: 'native_host_missing', detail: 'Specified native messaging host not found.' };
    await expect(absent.about()).rejects.toMatchObject(missing);
    const rig = createRig({ native: absent });
    await expect(rig.connect(node(fixture))).rejects.toMatchObject({ ...missing, retryable: true });
  });

  it('is not started before the browser allows it, and then at once', async () => {
    const here = linkTo();
    let isAllowed = false;
    const link = createNativeLink(here.connect, async () => {
      if (!isAllowed) throw new AppError({ code: 'native_host_not_allowed', message: 'Not yet.' });
    });
    const rig = createRig({ native: link });
    await expect(rig.connect(node(fixture))).rejects.toMatchObject({ code: 'native_host_not_allowed' });
    expect(here.started).toEqual([]);
    isAllowed = true;
    expect((await rig.connect(node(fixture))).length).toBeGreaterThan(0);
  });

  it('is to be updated, or Portside is, when they speak different protocols', async () => {
    const other = (protocol: number) =>
      createNativeLink(({ message }) => {
        queueMicrotask(() =>
          message({ type: 'hello', protocol, version: '9.1.0', node: '24.0.0', policy: null }),
        );
        return { postMessage: () => undefined, disconnect: () => undefined };
      });
    const start = (link: NativeLink) => createRig({ native: link }).connect(node(fixture));
    await expect(start(other(0))).rejects.toMatchObject({
      code: 'native_host_outdated',
      fix: expect.stringContaining('native host'),
    });
    await expect(start(other(99))).rejects.toMatchObject({
      code: 'native_host_outdated',
      fix: 'Update Portside.',
    });
    expect(await other(99).about()).toMatchObject({ version: '9.1.0' });
  });
});
