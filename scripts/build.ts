import { join } from 'node:path';
import { root } from './paths.ts';
import { runNode } from './run.ts';

export type Variant = { browser: 'chrome' | 'firefox'; granted: boolean };

/** Where `wxt.config.ts` puts a variant. */
function outputOf({ browser, granted }: Variant): string {
  return join(root, '.output', `${browser}-mv3${granted ? '-granted' : ''}`);
}

/**
 * Builds the extension and returns its folder. `granted` is the variant for `npm start` and tests, whose host
 * permissions need no dialog. Under `npm test`, which has built every variant already, nothing is built again.
 * @throws Error with the build's own output
 */
export async function buildExtension(variant: Variant): Promise<string> {
  if (process.env['PORTSIDE_BUILT']) return outputOf(variant);
  const { code, output } = await runNode(
    'node_modules/wxt/bin/wxt.mjs',
    ['build', '-b', variant.browser, '--mv3'],
    { env: { PORTSIDE_GRANTED: variant.granted ? '1' : '0', NO_COLOR: '1' } },
  );
  if (code !== 0) throw new Error(`The extension could not be built.\n${output.trim()}`);
  return outputOf(variant);
}
