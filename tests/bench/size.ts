import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildExtension } from '../../scripts/build.ts';
import type { Figure } from './figures.ts';

/** What a browser loads of our code before the user can chat, compressed as it is in a package. */
export async function size(): Promise<Figure[]> {
  const folder = await buildExtension({ browser: 'chrome', granted: true });
  const gzipped = async (file: string) => gzipSync(await readFile(join(folder, file)), { level: 9 }).length;
  const html = await readFile(join(folder, 'sidepanel.html'), 'utf8');
  // The bundler names in the page all that a module imports, and what that imports.
  const files = [...html.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, file = '']) => file);
  const sizes = await Promise.all(files.map(async (file) => ({ file, bytes: await gzipped(file) })));
  const sum = (ending: string): number =>
    sizes.filter(({ file }) => file.endsWith(ending)).reduce((total, { bytes }) => total + bytes, 0) / 1000;
  const worker = (await gzipped('background.js')) / 1000;
  return [
    { name: 'the panel’s JavaScript', value: sum('.js'), unit: 'kB', target: 130, detail: 'gzip, at start' },
    { name: 'the panel’s styles', value: sum('.css'), unit: 'kB', detail: 'gzip, at start' },
    { name: 'the worker', value: worker, unit: 'kB', target: 300, detail: 'gzip' },
  ];
}
