import {
  existsSync,
  statSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Exit, type Launch, NATIVE_PROTOCOL, WINDOW } from '../../lib/types/native-host.ts';
import { HASTE } from '../../native-host/ending.ts';
import { findProcess } from '../../native-host/processes.ts';
import { fixture, type Host, startHost } from './rig.ts';

// For what hangs: real programs take seconds to start on a busy machine.

/** What the fixture repeats. */
const BIG = '"å😀\\n';

let folder: string;
/** The one that most tests share, or the test's own. */
let host: Host;
let shared: Host;
let lastChannel = 0;
const own: Host[] = [];

const open = (options?: Parameters<typeof startHost>[1]): Host => {
  host = startHost(folder, options);
  own.push(host);
  return host;
};
/** @returns its channel */
const start = (launch: Launch, idleMs: number | null = null): number => {
  lastChannel += 1;
  host.send({ type: 'start', channel: lastChannel, launch, idleMs });
  return lastChannel;
};
const request = (channel: number, method: string, params = {}): void =>
  host.send({ type: 'message', channel, message: { jsonrpc: '2.0', id: 1000, method, params } });
const exitOf = async (channel: number): Promise<Exit> => (await host.next('exit', channel)).exit;

const temporary = (): string => mkdtempSync(join(tmpdir(), 'portside-host-'));
beforeAll(() => {
  shared = startHost(temporary());
});
beforeEach(() => {
  host = shared;
  folder = temporary();
});
afterEach(async () => {
  await close(...own.splice(0));
  rmSync(folder, { recursive: true, force: true });
});
afterAll(async () => {
  await close(shared);
  rmSync(shared.folder, { recursive: true, force: true });
});

async function close(...hosts: Host[]): Promise<void> {
  for (const each of hosts) each.hangUp();
  await Promise.all(hosts.map(({ ended }) => ended));
}

const isRunning = async (pid: number): Promise<boolean> => (await findProcess(pid)) !== undefined;

/** Resolves when none of them runs any more. */
async function gone(...pids: number[]): Promise<void> {
  while ((await Promise.all(pids.map(isRunning))).some(Boolean)) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** What a file says, once it does. */
async function written(file: string): Promise<string> {
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return readFileSync(file, 'utf8').trim();
}

async function childOf(channel: number): Promise<number> {
  const { lines } = await host.next('stderr', channel);
  return Number(/child (\d+)/.exec(lines.join())?.[1]);
}

/** Answers every request with an error. */
const REFUSING = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id } = JSON.parse(line);
  console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: 'wrong key' } }));
});`;

describe('the native host', () => {
  it('says what it is, to whichever protocol', async () => {
    host.send({ type: 'hello', protocol: NATIVE_PROTOCOL + 1 });
    const hello = await host.next('hello');
    expect(hello).toMatchObject({ protocol: NATIVE_PROTOCOL, node: process.versions.node, policy: null });
  });

  it.each([
    ['without one', []],
    ['after one in another', [NATIVE_PROTOCOL + 1]],
  ])('starts nothing before a hello in its own protocol, and says so: %s', async (_, protocols) => {
    open({ greets: false });
    for (const protocol of protocols) host.send({ type: 'hello', protocol });
    const file = join(folder, 'started');
    const launch: Launch = { command: '/bin/sh', args: ['-c', `echo 1 >${file}`], env: {} };
    const channel = start(launch);
    request(channel, 'see');
    const why = expect.stringContaining(`hello of protocol ${NATIVE_PROTOCOL}`);
    expect(await exitOf(channel)).toMatchObject({ type: 'fault', fault: { type: 'failed', why } });
    host.send({ type: 'request', id: 7, request: { type: 'check', launch } });
    expect(await host.next('reply')).toMatchObject({ id: 7, reply: { type: 'failed', why } });
    host.hangUp();
    expect(await host.ended).toBe(0);
    expect(existsSync(file)).toBe(false);
  });

  it('starts nothing under the number of a program that runs', async () => {
    const channel = start(fixture('chatty'));
    expect(await host.ask(channel, 'see')).toMatchObject({ method: 'see' });
    host.send({ type: 'start', channel, launch: fixture('ignores'), idleMs: null });
    expect(await host.ask(channel, 'see')).toMatchObject({ method: 'see' });
    host.send({ type: 'stop', channel });
    expect(await exitOf(channel)).toEqual({ type: 'stopped' });
  });

  it('carries the messages of several servers, each on its own channel', async () => {
    const one = start(fixture());
    const other = start(fixture());
    const [first, second] = await Promise.all([
      host.ask(one, 'first', { a: 1 }),
      host.ask(other, 'second', { b: 2 }),
    ]);
    expect(first).toMatchObject({ method: 'first', params: { a: 1 } });
    expect(second).toMatchObject({ method: 'second', params: { b: 2 } });
    expect(first['pid']).not.toBe(second['pid']);
  });

  it('carries a result of 20 MB', async () => {
    const { text } = await host.ask(start(fixture()), 'big', { times: 2_500_000 });
    expect(Buffer.byteLength(String(text))).toBeGreaterThan(20_000_000);
    expect(text).toBe(BIG.repeat(2_500_000));
  });

  it('sends no more of a result than is taken in', async () => {
    open({ acknowledges: false });
    request(start(fixture()), 'big', { times: 2_500_000 });
    const hello = async (): Promise<void> => {
      host.send({ type: 'hello', protocol: NATIVE_PROTOCOL });
      await host.next('hello');
    };
    const pieces = (): number => host.received.filter(({ type }) => type === 'piece').length;
    while (pieces() < WINDOW) await hello();
    for (let at = 0; at < 20; at++) await hello();
    expect(pieces()).toBe(WINDOW);
  });

  it('passes arguments, environment and folder as given, and of its own environment only what is safe', async () => {
    open({ env: { SECRET_OF_THE_BROWSER: 'x' } });
    const { command, args } = fixture('a b', '$HOME', '~', '');
    const channel = start({ command, args, cwd: folder, env: { KEY: 'a "b" $c' } });
    const { env, ...seen } = await host.ask(channel, 'see');
    expect(seen).toMatchObject({ cwd: realpathSync(folder), args: ['a b', '$HOME', '~', ''] });
    expect(env).toMatchObject({ KEY: 'a "b" $c', HOME: homedir() });
    expect(env).not.toHaveProperty('SECRET_OF_THE_BROWSER');
  });

  it('finds commands where the user’s login shell does', async () => {
    const shell = join(folder, 'shell');
    const node = dirname(process.execPath);
    // It prints something of its own first, as start-up files do.
    writeFileSync(shell, `#!/bin/sh\necho Welcome\nPATH=${node}:$PATH\nexec /bin/sh -c "$4"\n`, {
      mode: 0o755,
    });
    open({ env: { PATH: '/nowhere', SHELL: shell } });
    const { env } = await host.ask(start({ ...fixture(), command: 'node' }), 'see');
    const { PATH = '' } = env as Record<string, string>;
    expect(PATH.split(':')).toEqual(expect.arrayContaining([node, '/nowhere']));
  });

  it('names a command that is not found, and the folders that it looked in', async () => {
    const command = 'no-such-command';
    const channel = start({ command, args: [], env: { PATH: '/one:/two' } });
    const fault = { type: 'not_found', command, path: ['/one', '/two'] };
    expect(await exitOf(channel)).toMatchObject({ type: 'fault', fault });
    expect(await exitOf(start({ command: `./${command}`, args: [], env: {} }))).toMatchObject({
      fault: { path: [] },
    });
    expect(await exitOf(start({ command, args: [], env: { PATH: '' } }))).toMatchObject({
      said: { cause: 'PATH is empty: no folder was searched.', fix: expect.stringContaining('full path') },
    });
  });

  it('says that arguments stand in the command, that a file may not be run, or that it is a folder', async () => {
    const faultOf = async (command: string): Promise<unknown> =>
      exitOf(start({ command, args: [], env: {} }));
    expect(await faultOf('npx -y @x/y')).toMatchObject({
      fault: { type: 'not_found', isLine: true, path: expect.arrayContaining([expect.any(String)]) },
      said: { fix: expect.stringContaining('belongs in the arguments') },
    });
    expect(await faultOf(`${process.execPath} server.js`)).toMatchObject({
      fault: { isLine: true, path: [] },
    });
    expect(await faultOf('/no/such file')).not.toMatchObject({ fault: { isLine: true } });
    const file = join(folder, 'server');
    writeFileSync(file, '', { mode: 0o644 });
    expect(await faultOf(file)).toMatchObject({
      fault: { type: 'no_program', why: 'not_executable' },
      said: { fix: expect.stringContaining(`chmod +x "${file}"`) },
    });
    expect(await faultOf(folder)).toMatchObject({ fault: { type: 'no_program', why: 'folder' } });
  });

  it('takes ~ for the user’s home, and refuses a working directory that is not a whole path', async () => {
    open({ env: { HOME: folder } });
    writeFileSync(join(folder, 'here'), '#!/bin/sh\necho "in $PWD" >&2\n', { mode: 0o755 });
    const channel = start({ command: '~/here', args: [], cwd: '~', env: {} });
    expect(await exitOf(channel)).toMatchObject({ stderr: [`in ${folder}`] });
    const relative = start({ command: '~/here', args: [], cwd: 'src', env: {} });
    expect(await exitOf(relative)).toMatchObject({ fault: { type: 'no_folder', isRelative: true } });
  });

  it('finds what was installed since the login shell was asked for its PATH', async () => {
    const shell = join(folder, 'shell');
    writeFileSync(shell, '#!/bin/sh\nexec /bin/sh -c "$4"\n', { mode: 0o755 });
    open({ env: { SHELL: shell } });
    const launch = { command: 'tool', args: [], env: {} };
    expect(await exitOf(start(launch))).toMatchObject({ fault: { type: 'not_found' } });
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'tool'), '#!/bin/sh\nexit 5\n', { mode: 0o755 });
    writeFileSync(shell, `#!/bin/sh\nexport PATH=${bin}:/bin\nexec /bin/sh -c "$4"\n`);
    expect(await exitOf(start(launch))).toMatchObject({ type: 'ended', code: 5 });
  });

  it('ends a login shell that still thinks when the browser goes', async () => {
    const shell = join(folder, 'shell');
    const told = join(folder, 'pid');
    writeFileSync(shell, `#!/bin/sh\necho $$ >${told}\nsleep 1000\n`, { mode: 0o755 });
    open({ env: { SHELL: shell } });
    start(fixture());
    const pid = Number(await written(told));
    host.hangUp();
    expect(await host.ended).toBe(0);
    await gone(pid);
  });

  it('names a working directory that is not there', async () => {
    const cwd = join(folder, 'gone');
    expect(await exitOf(start({ ...fixture(), cwd }))).toMatchObject({
      type: 'fault',
      fault: { type: 'no_folder', cwd },
    });
  });

  it('says why the system refuses to start a program', async () => {
    const command = join(folder, 'broken');
    writeFileSync(command, '#!/no/such/interpreter\n', { mode: 0o755 });
    const exit = await exitOf(start({ command, args: [], env: {} }));
    expect(exit).toMatchObject({ type: 'fault', fault: { type: 'failed', command } });
  });

  it('starts only what the policy beside it allows, and tells of it', async () => {
    const policy = { file: join(folder, 'policy.json'), commands: [process.execPath] };
    writeFileSync(policy.file, JSON.stringify({ commands: policy.commands }));
    open().send({ type: 'hello', protocol: NATIVE_PROTOCOL });
    expect((await host.next('hello')).policy).toEqual(policy);
    expect(await host.ask(start(fixture()), 'see')).toMatchObject({ method: 'see' });
    const exit = await exitOf(start({ command: 'sh', args: [], env: {} }));
    expect(exit).toMatchObject({ type: 'fault', fault: { type: 'not_allowed', command: 'sh', policy } });
    symlinkSync(dirname(process.execPath), join(folder, 'linked'));
    expect(
      await host.ask(
        start({ ...fixture(), command: join(folder, 'linked', basename(process.execPath)) }),
        'see',
      ),
      'a link to its folder',
    ).toMatchObject({ method: 'see' });
    // What is written there now holds at once; a name means what the user's PATH means by it, not a server's own.
    writeFileSync(policy.file, '{"commands": ["sh"]}');
    writeFileSync(join(folder, 'sh'), '#!/bin/sh\n', { mode: 0o755 });
    const imposter = start({ command: 'sh', args: [], env: { PATH: folder } });
    expect(await exitOf(imposter)).toMatchObject({ fault: { type: 'not_allowed' } });
    writeFileSync(policy.file, `\uFEFF${JSON.stringify({ commands: [process.execPath] })}`);
    expect(await host.ask(start(fixture()), 'see'), 'with a byte order mark').toMatchObject({
      method: 'see',
    });
    writeFileSync(policy.file, '{"commands": "sh"}');
    const broken = await exitOf(start({ command: 'sh', args: [], env: {} }));
    expect(broken).toMatchObject({ fault: { policy: { commands: [], problem: expect.any(String) } } });
    rmSync(policy.file);
    symlinkSync('nowhere', policy.file);
    const lost = await exitOf(start({ command: 'sh', args: [], env: {} }));
    expect(lost, 'a link to nothing').toMatchObject({
      fault: { type: 'not_allowed', policy: { commands: [] } },
    });
  });

  it('tells what a server prints, and goes on after lines that are no messages', async () => {
    const channel = start(fixture('chatty', 'forks'));
    expect(await host.ask(channel, 'see')).toMatchObject({ method: 'see' });
    const lines: string[] = [];
    while (lines.length < 3) lines.push(...(await host.next('stderr', channel)).lines);
    expect(lines.join('\n')).toMatch(/child \d+/);
    expect(lines.filter((line) => line.startsWith('(on stdout'))).toHaveLength(2);
  });

  it.each(['forks', 'escapes'])(
    'tells how a server ended, and ends what that had started: %s',
    async (habit) => {
      const channel = start(fixture(habit));
      const child = await childOf(channel);
      request(channel, 'crash');
      expect(await exitOf(channel)).toEqual({
        type: 'ended',
        code: 3,
        signal: null,
        stderr: [`child ${child}`, 'about to crash', 'out of luck'],
      });
      await gone(child);
    },
  );

  it('ends a server that is idle, but not while a request waits for its answer', async () => {
    const busy = start(fixture(), 300);
    request(busy, 'hang');
    const quiet = start(fixture(), 300);
    expect((await host.next('exit')).channel).toBe(quiet);
    const params = { requestId: 1000 };
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    host.send({ type: 'message', channel: busy, message });
    expect(await exitOf(busy)).toEqual({ type: 'idle' });
  });

  it('ends a server that is stopped before it began', async () => {
    const channel = start(fixture());
    host.send({ type: 'stop', channel });
    expect(await exitOf(channel)).toEqual({ type: 'stopped' });
  });

  it('ends servers that ignore signals, with all that they started', async () => {
    await Promise.all(
      ['forks', 'escapes'].map(async (habit) => {
        const channel = start(fixture('stubborn', habit));
        const child = await childOf(channel);
        const { pid } = await host.ask(channel, 'see');
        expect(await isRunning(child)).toBe(true);
        host.send({ type: 'stop', channel });
        expect(await exitOf(channel)).toEqual({ type: 'stopped' });
        await gone(Number(pid), child);
      }),
    );
  });

  it('gives up a server that reads nothing of what it is sent', async () => {
    const channel = start(fixture('deaf'));
    const text = 'x'.repeat(30_000_000);
    for (let at = 0; at < 3; at++) request(channel, 'take', { text });
    expect(await exitOf(channel)).toMatchObject({ type: 'ended', unread: true });
  });

  it('ends, with everything, before its browser would kill it', async () => {
    open();
    const channel = start(fixture('stubborn', 'forks'));
    const child = await childOf(channel);
    const { pid } = await host.ask(channel, 'see');
    host.hangUp();
    expect(await host.ended).toBe(0);
    await gone(Number(pid), child);
    expect(readdirSync(folder)).toEqual([]);
    // Chromium waits two seconds (base::EnsureProcessTerminated).
    expect(2 * HASTE).toBeLessThan(1500);
  });

  it('ends, with everything, though its stderr is closed', async () => {
    open();
    const servers = [start(fixture('stubborn')), start(fixture())];
    const pids = await Promise.all(servers.map(async (channel) => (await host.ask(channel, 'see'))['pid']));
    host.closeStderr();
    // What runs can't be written down any more.
    rmSync(folder, { recursive: true });
    host.hangUp();
    expect(await host.ended).toBe(0);
    await gone(...pids.map(Number));
  });

  it('ends its servers when it is told to end by a signal', async () => {
    open();
    const { pid } = await host.ask(start(fixture()), 'see');
    host.kill('SIGTERM');
    expect(await host.ended).toBe(0);
    await gone(Number(pid));
  });

  /** A program under check that never answers, and writes its pid down. */
  const mute = (file: string): Launch => ({
    command: '/bin/sh',
    args: ['-c', `echo $$ >${file}; exec sleep 1000`],
    env: {},
  });
  const isNoted = async (pid: number): Promise<void> => {
    while (!(await written(join(folder, `running-${host.pid}.json`))).includes(String(pid))) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  it.each(['hang-up', 'SIGINT'] as const)('ends a program that it checks when it ends by %s', async (how) => {
    open();
    const file = join(folder, 'pid');
    host.send({ type: 'request', id: 1, request: { type: 'check', launch: mute(file) } });
    const pid = Number(await written(file));
    if (how === 'SIGINT') host.kill(how);
    else host.hangUp();
    expect(await host.ended).toBe(0);
    expect(await isRunning(pid)).toBe(false);
  });

  it('reaps a program under check, and what left its group, after a kill -9', async () => {
    const first = open();
    const file = join(folder, 'pid');
    host.send({ type: 'request', id: 1, request: { type: 'check', launch: mute(file) } });
    const pid = Number(await written(file));
    const channel = start(fixture('escapes'));
    const child = await childOf(channel);
    const { pid: server } = await host.ask(channel, 'see');
    await isNoted(pid);
    await isNoted(Number(server));
    first.kill('SIGKILL');
    await first.ended;
    // Nothing is left that leads from it to what it started.
    process.kill(Number(server), 'SIGKILL');
    await gone(Number(server));
    expect(await isRunning(child)).toBe(true);
    open();
    await host.ask(start(fixture()), 'see');
    await gone(pid, child);
  });

  it('reaps what is left of one that was ending when it started, and was killed over it', async () => {
    const first = open();
    const { pid } = await host.ask(start(fixture('stubborn')), 'see');
    await isNoted(Number(pid));
    open();
    await host.ask(start(fixture()), 'see');
    first.kill('SIGKILL');
    await gone(Number(pid));
    expect(await isRunning(Number(pid))).toBe(false);
  });

  it('writes down what runs in one step, since another one that starts takes half a note for none', async () => {
    const first = open();
    const note = join(folder, `running-${first.pid}.json`);
    const { pid } = await host.ask(start(fixture()), 'see');
    await isNoted(Number(pid));
    const { ino } = statSync(note);
    const { pid: second } = await host.ask(start(fixture()), 'see');
    await isNoted(Number(second));
    expect(statSync(note).ino).not.toBe(ino);
  });

  it('reaps at its next start what is left after a kill -9, and nothing of a native host that lives', async () => {
    const first = open();
    const child = await childOf(start(fixture('stubborn', 'deaf', 'forks')));
    const note = join(folder, `running-${first.pid}.json`);
    while (!existsSync(note)) await new Promise((resolve) => setTimeout(resolve, 20));
    open();
    await host.ask(start(fixture()), 'see');
    expect(await isRunning(child)).toBe(true);
    first.kill('SIGKILL');
    await first.ended;
    open();
    await host.ask(start(fixture()), 'see');
    await gone(child);
    expect(existsSync(note)).toBe(false);
  });

  it('ends with words of its own when it is spoken to in another way', async () => {
    open().write(Buffer.from('hello?\n'));
    expect(await host.ended).toBe(1);
    expect(host.stderr()).toContain('A frame of 1819043176 bytes was announced');
  });

  it('ends with words of its own, and with all programs, at a frame that is none', async () => {
    open();
    const channel = start(fixture('stubborn', 'forks'));
    const child = await childOf(channel);
    const { pid } = await host.ask(channel, 'see');
    host.send({ type: 'start', channel: 99 } as never);
    expect(await host.ended).toBe(1);
    expect(host.stderr()).toContain('A frame of type “start” is not as it should be.');
    expect([await isRunning(Number(pid)), await isRunning(child)]).toEqual([false, false]);
  });

  it('leaves alone what a newer worker may say', async () => {
    host.send({ type: 'of tomorrow' } as never);
    expect(await host.ask(start(fixture()), 'see')).toMatchObject({ method: 'see' });
  });

  it('ends a program that it checks once the check is cancelled', async () => {
    const file = join(folder, 'pid');
    host.send({ type: 'request', id: 5, request: { type: 'check', launch: mute(file) } });
    const pid = Number(await written(file));
    host.send({ type: 'cancel', id: 4 });
    expect(await isRunning(pid)).toBe(true);
    host.send({ type: 'cancel', id: 5 });
    expect(await host.next('reply')).toMatchObject({
      id: 5,
      reply: { steps: [{ step: 'command', ok: true }] },
    });
    expect(await isRunning(pid)).toBe(false);
  });

  it('checks a program step by step', async () => {
    const everything = createRequire(import.meta.url).resolve(
      '@modelcontextprotocol/server-everything/dist/index.js',
    );
    const check = async (launch: Launch): Promise<unknown> => {
      host.send({ type: 'request', id: 1, request: { type: 'check', launch } });
      return (await host.next('reply')).reply;
    };
    expect(await check({ command: process.execPath, args: [everything], env: {} })).toMatchObject({
      type: 'steps',
      steps: [
        { step: 'command', ok: true, path: process.execPath },
        { step: 'start', ok: true },
        { step: 'answer', ok: true, name: expect.stringContaining('everything') },
      ],
    });
    expect(await check({ command: 'no-such-command', args: [], env: {} })).toMatchObject({
      steps: [{ step: 'command', ok: false }],
    });
    const refusing = ['-e', REFUSING];
    expect(await check({ command: process.execPath, args: refusing, env: {} })).toMatchObject({
      steps: [
        { step: 'command', ok: true },
        { step: 'start', ok: true },
        { step: 'answer', ok: false, why: 'It refused: wrong key (-32000).' },
      ],
    });
    const crashing = ['-e', 'console.error("no licence"); process.exit(4)'];
    expect(await check({ command: process.execPath, args: crashing, env: {} })).toMatchObject({
      steps: [
        { step: 'command', ok: true },
        { step: 'start', ok: false, exit: { code: 4, stderr: ['no licence'] } },
      ],
    });
  });
});
