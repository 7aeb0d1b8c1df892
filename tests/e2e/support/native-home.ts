import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import { buildNativeHost } from '../../../scripts/build-native-host.ts';

const run = promisify(execFile);

export type NativeHome = {
  home: string;
  /** The native host's own command, as a user runs it in a terminal. @throws Error with what it said, when it fails */
  cli: (...args: string[]) => Promise<string>;
  /** Call it when the browser is closed. */
  remove: () => void;
};

/**
 * A user's home, for all that is started from now on: browsers, and what they start, live in the same one as the
 * terminal. `folders`: in it, of a browser that was used.
 */
export async function openHome(...folders: string[]): Promise<NativeHome> {
  const home = mkdtempSync(join(tmpdir(), 'portside-home-'));
  for (const folder of folders) mkdirSync(join(home, folder), { recursive: true });
  const program = await buildNativeHost(join(home, 'saved'));
  vi.stubEnv('HOME', home);
  return {
    home,
    cli: async (...args) => {
      const env = { HOME: home, PATH: process.env['PATH'] };
      return (await run(process.execPath, [program, ...args], { env })).stdout;
    },
    remove: () => {
      vi.unstubAllEnvs();
      rmSync(home, { recursive: true });
    },
  };
}
