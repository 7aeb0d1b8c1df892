import { buildExtension } from '../../scripts/build.ts';
import { sizesOf } from '../../scripts/sizes.ts';
import type { Figure } from './figures.ts';

/** What a browser loads of our code before the user can chat, compressed as it is in a package. */
export async function size(): Promise<Figure[]> {
  const sizes = await sizesOf(await buildExtension({ browser: 'chrome', granted: true }));
  return sizes.map(({ name, kB, budget }) => ({
    name,
    value: kB,
    unit: 'kB',
    ...(budget !== undefined && { target: budget }),
    detail: 'gzip, at start',
  }));
}
