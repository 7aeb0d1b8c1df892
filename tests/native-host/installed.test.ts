import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { shakeHands } from '../../native-host/doctor/handshake.ts';
import { findProcess } from '../../native-host/processes.ts';
import { launcherFor, noNodeFrame } from '../../native-host/install/launcher.ts';
import { buildNativeHost } from '../../scripts/build-native-host.ts';
import { root } from '../../scripts/paths.ts';

const folder = mkdtempSync(join(tmpdir(), 'portside-install-'));
// Spaces and quotes, as a user's folders have them.
const home = join(folder, "Ada's home");
const portside = join(home, '.local/share/portside');
const launcher = join(portside, 'portside-native-host');
const manifests = {
  chromium: join(home, '.config/chromium/NativeMessagingHosts/app.portside.native_host.json'),
  firefox: join(home, '.mozilla/native-messaging-hosts/app.portside.native_host.json'),
};
const run = promisify(execFile);
let program = '';

/** What the CLI says, and how it ends. */
async function cli(file: string, ...args: string[]): Promise<{ code: number; said: string }> {
  const env = { HOME: home, PATH: '/usr/bin:/bin', SHELL: '/bin/sh' };
  const ended = await run(process.execPath, [file, ...args], { env, cwd: folder }).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  return { code: 'code' in ended ? ended.code : 0, said: ended.stdout + ended.stderr };
}

beforeAll(async () => {
  for (const path of ['.config/chromium', '.config/mozilla/firefox']) {
    mkdirSync(join(home, path), { recursive: true });
  }
  program = await buildNativeHost(join(folder, 'npx-cache'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Real programs start here, of which a busy computer needs its time. */

describe.skipIf(process.platform !== 'linux')('the native host, on this computer', () => {
  it('is not installed to begin with, and says how to', async () => {
    expect(await cli(program, 'status')).toEqual({
      code: 1,
      said: 'The native host is not installed. Run: node portside-native-host.mjs install\n',
    });
    const { code, said } = await cli(program, 'doctor');
    expect(code).toBe(1);
    expect(said).toContain('✗ The native host is not installed');
  });

  it('says its version', async () => {
    expect(await cli(program, '--version')).toEqual({
      code: 0,
      said: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });

  it('goes on without an error when its stdout is closed', async () => {
    const env = { HOME: home, PATH: '/usr/bin:/bin', SHELL: '/bin/sh' };
    const running = run(process.execPath, [program, 'doctor'], { env });
    running.child.stdout?.destroy();
    expect(await running.catch((error: unknown) => error)).toMatchObject({ code: 1, stderr: '' });
  });

  it('is installed for the browsers that are found, and answers', async () => {
    const { code, said } = await cli(program, 'install');
    expect(said).toMatch(/Chromium\s+set up\n\s+Firefox\s+set up\nPortside detects it by itself/);
    expect(said).not.toContain('✗');
    expect(code).toBe(0);
    for (const path of Object.values(manifests)) {
      expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ path: launcher });
    }
    expect(existsSync(join(home, '.config/google-chrome'))).toBe(false);
    const status = await cli(program, 'status');
    expect(status.code).toBe(0);
    expect(status.said).toMatch(/^Native host \S+ in .*portside\n/);
    expect(status.said).toMatch(/Chrome\s+not found here\n\s+Chromium\s+set up\n/);
    expect(status.said).toMatch(/Firefox\s+set up\n$/);
  });

  it('still works when what it was installed from is gone', async () => {
    rmSync(program);
    const { code, said } = await cli(join(portside, 'portside-native-host.mjs'), 'doctor');
    expect(said).toMatch(/✓ Chromium: .*\n✓ Firefox: .*\n✓ Handshake done/);
    expect(said).toContain('Everything is in order.');
    expect(code).toBe(0);
  });

  it('is started as poor as a browser that was started from a menu', async () => {
    vi.stubEnv('PATH', '/nowhere');
    const host = await shakeHands(launcher);
    host.close();
    expect(host.about.policy).toBeNull();
    expect(parseInt(host.about.node)).toBeGreaterThanOrEqual(20);
    vi.unstubAllEnvs();
  });

  const server = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

  it('says of each server that is named whether it answers, and why not', async () => {
    const { code, said } = await cli(
      join(portside, 'portside-native-host.mjs'),
      'doctor',
      '--server',
      `"${process.execPath}" ${server} stdio`,
      '--server',
      'no-such-server --flag',
    );
    expect(said).toMatch(/✓ Command found at .*\n✓ The program runs\n✓ It answers: mcp-servers\/everything/);
    expect(said).toMatch(/✗ no-such-server was not found\n\s+Searched: .*\/usr\/bin.*\n\s+Install it/);
    expect(said).toContain('1 problem found.');
    expect(code).toBe(1);
  });

  it('says what the user’s policy restricts', async () => {
    writeFileSync(join(portside, 'policy.json'), '{"commands": ["uvx"]}');
    const { said } = await cli(join(portside, 'portside-native-host.mjs'), 'doctor', '--server', 'ls');
    expect(said).toContain('✓ A policy allows only uvx');
    expect(said).toContain('✗ ls is not allowed by the policy');
  });

  it('says of a policy that can’t be understood to mend it, and of an empty one that it allows nothing', async () => {
    const doctor = async (policy: string): Promise<string> => {
      writeFileSync(join(portside, 'policy.json'), policy);
      return (await cli(join(portside, 'portside-native-host.mjs'), 'doctor', '--server', 'ls')).said;
    };
    const broken = await doctor('{');
    expect(broken).toMatch(/✗ ls is not allowed by the policy\n.*\n\s+Correct or delete .*policy\.json/);
    expect(broken).not.toContain('Add it to');
    expect(await doctor('{"commands": []}')).toContain('✓ A policy allows no programs (');
  });

  it('is not set up while its launcher may not be run', async () => {
    chmodSync(launcher, 0o644);
    const { code, said } = await cli(join(portside, 'portside-native-host.mjs'), 'status');
    chmodSync(launcher, 0o755);
    expect(said).toMatch(/Chromium\s+found, not set up/);
    expect(code).toBe(1);
  });

  it('is given up, with all that it started, when it says nothing', async () => {
    const silent = join(folder, 'silent');
    const left = join(folder, 'left-by-silent');
    writeFileSync(
      silent,
      `#!/bin/sh\nsleep 600 &\n(setsid sh -c 'echo $$ >"${left}"; exec sleep 600' &)\nwait\n`,
      { mode: 0o755 },
    );
    const module = join(root, 'native-host/doctor/handshake.ts');
    const script = `const { shakeHands } = await import(${JSON.stringify(module)});
      await shakeHands(${JSON.stringify(silent)}, 500).catch(({ message }) => console.log(message));`;
    // It ends by itself, and nothing holds its output then.
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    expect(stdout).toBe('nothing came within 0.5 s\n');
    expect(await findProcess(Number(readFileSync(left, 'utf8'))), 'what left its group').toBeUndefined();
  });

  it('is removed without a trace but for what the user wrote', async () => {
    const { code, said } = await cli(join(portside, 'portside-native-host.mjs'), 'uninstall');
    expect(code).toBe(0);
    expect(said).toContain(`Kept, since it is yours: ${portside}`);
    const left = readdirSync(home, { recursive: true, withFileTypes: true });
    const files = left.filter((entry) => entry.isFile()).map(({ name }) => name);
    expect(files).toEqual(['policy.json']);
    expect(existsSync(join(home, '.mozilla'))).toBe(false);
  });
});

describe.skipIf(process.platform === 'win32')('the launcher, when its Node is gone', () => {
  const place = join(folder, 'left');
  const path = join(place, 'portside-native-host');
  /** `usual`: whether another Node is where they usually are. */
  const write = (usual: string): void => {
    const text = launcherFor('linux', { node: '/gone/bin/node', folder: place });
    mkdirSync(place, { recursive: true });
    writeFileSync(path, text.replaceAll(/ \/(?:usr|opt)\/\S+\/node(?=[ ;])/g, ` '${usual}'`), {
      mode: 0o755,
    });
  };
  const start = (): string => {
    // `cat` alone is on its PATH.
    const bin = join(place, 'bin');
    if (!existsSync(bin)) {
      mkdirSync(bin);
      symlinkSync('/bin/cat', join(bin, 'cat'));
    }
    const { stdout } = spawnSync('/bin/sh', [path, 'origin'], {
      env: { HOME: place, PATH: bin },
      input: 'frames',
    });
    return stdout.toString('latin1');
  };

  it('finds another that is new enough, and leaves it the browser’s messages', () => {
    write(process.execPath);
    writeFileSync(
      join(place, 'portside-native-host.mjs'),
      'process.stdout.write(process.argv.slice(2).join()); process.stdin.pipe(process.stdout);',
    );
    expect(start()).toBe('host,originframes');
  });

  it.each([
    '.volta/bin',
    '.local/share/mise/shims',
    '.asdf/shims',
    '.nvm/versions/node/v22.1.0/bin',
    '.local/share/fnm/node-versions/v22.1.0/installation/bin',
    'Library/Application Support/fnm/node-versions/v22.1.0/installation/bin',
  ])('finds the one of a version switcher: %s', (bin) => {
    write('/gone/too');
    writeFileSync(join(place, 'portside-native-host.mjs'), 'process.stdout.write(process.execPath);');
    const there = join(place, bin);
    mkdirSync(there, { recursive: true });
    symlinkSync(process.execPath, join(there, 'node'));
    expect(start()).toBe(process.execPath);
    rmSync(there, { recursive: true });
  });

  it('tells the browser so, in a message of its own', () => {
    write('/gone/too');
    writeFileSync(join(place, 'no-node.frame'), noNodeFrame('/gone/bin/node'));
    const said = start();
    expect(said.slice(4)).toBe('{"type":"no_node","node":"/gone/bin/node"}');
    expect(Buffer.from(said, 'latin1').readUInt32LE(0)).toBe(said.length - 4);
  });
});
