import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.ts';

type Locked = { version: string; license: string; dev?: true; optional?: true };

/**
 * Portside's licence and those of the packages that it may hold, most of which ask that their text goes with each copy; of one
 * that ships no text its name. What is installed on some computers only is in no build.
 */
export function licenseTexts(): string {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  return Object.entries(lock.packages)
    .filter(([, { dev, optional }]) => !dev && !optional)
    .map(([path, { version, license }]) => {
      const folder = join(root, path);
      const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
      const texts = files.toSorted().map((file) => readFileSync(join(folder, file), 'utf8').trim());
      const name = path.split('node_modules/').at(-1) || 'portside';
      return [`${name} ${version}, ${license}`, ...texts].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}
