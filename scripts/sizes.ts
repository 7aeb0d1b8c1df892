import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** What a browser loads of a build before the user can chat, in kB as it is compressed in a package. */
export type Size = { name: string; kB: number; budget?: number };

/** @param folder of a build for Chromium */
export async function sizesOf(folder: string): Promise<Size[]> {
  const gzipped = async (file: string) => gzipSync(await readFile(join(folder, file)), { level: 9 }).length;
  const html = await readFile(join(folder, 'sidepanel.html'), 'utf8');
  // The bundler names in the page all that a module imports, and what that imports.
  const files = [...html.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, file = '']) => file);
  const sizes = await Promise.all(files.map(async (file) => ({ file, bytes: await gzipped(file) })));
  const sum = (ending: string): number =>
    sizes.filter(({ file }) => file.endsWith(ending)).reduce((total, { bytes }) => total + bytes, 0) / 1000;
  return [
    { name: 'the panel’s JavaScript', kB: sum('.js'), budget: 130 },
    { name: 'the panel’s styles', kB: sum('.css') },
    { name: 'the worker', kB: (await gzipped('background.js')) / 1000, budget: 300 },
  ];
}
