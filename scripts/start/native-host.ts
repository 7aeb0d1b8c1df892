import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NATIVE_HOST } from '../../lib/types/native-host.ts';
import { launcherFor } from '../../native-host/install/launcher.ts';
import { manifestOf } from '../../native-host/install/plan.ts';
import { buildNativeHost } from '../build-native-host.ts';
import { Failure } from './failure.ts';
import type { Lifetime } from './lifetime.ts';

/**
 * Sets up the native host of this checkout for one profile of a Chromium browser, which finds it there and nowhere else.
 * @throws Failure on Windows, where browsers look in the registry alone
 */
export async function installInProfile(profile: string): Promise<void> {
  if (process.platform === 'win32') {
    throw new Failure(
      'A program can’t be started for one profile alone on Windows.',
      'Run: npm run native-host -- install',
    );
  }
  const system = process.platform === 'darwin' ? 'darwin' : 'linux';
  const folder = join(profile, 'portside-native-host');
  const manifests = join(profile, 'NativeMessagingHosts');
  await Promise.all([buildNativeHost(folder), mkdir(manifests, { recursive: true })]);
  const launcher = join(folder, 'launcher');
  await writeFile(launcher, launcherFor(system, { node: process.execPath, folder }), { mode: 0o755 });
  const manifest = JSON.stringify(manifestOf('chromium', launcher, []));
  await writeFile(join(manifests, `${NATIVE_HOST}.json`), manifest);
}

/** A profile with the native host in it, for as long as the command runs. */
export async function temporaryProfile(lifetime: Lifetime): Promise<string> {
  const profile = await mkdtemp(join(tmpdir(), 'portside-'));
  lifetime.add(() => rm(profile, { recursive: true, force: true, maxRetries: 3 }));
  await installInProfile(profile);
  return profile;
}
