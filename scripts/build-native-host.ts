import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { INSTALLER } from '../lib/types/native-host.ts';
import { root } from './paths.ts';

/**
 * Bundles the native host and its installer to one file that needs nothing but Node.
 * @returns the file: `portside-native-host.mjs`
 */
export async function buildNativeHost(outDir = join(root, 'native-host/dist')): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  await build({
    configFile: false,
    root: join(root, 'native-host'),
    logLevel: 'error',
    define: { 'process.env.PORTSIDE_VERSION': JSON.stringify(version) },
    ssr: { noExternal: true },
    build: {
      ssr: 'cli.ts',
      outDir,
      target: 'node20',
      minify: true,
      rolldownOptions: { output: { entryFileNames: INSTALLER, codeSplitting: false } },
    },
  });
  return join(outDir, INSTALLER);
}

if (import.meta.main) process.stdout.write(`${await buildNativeHost()}\n`);
