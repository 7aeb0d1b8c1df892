import { join } from 'node:path';
import { root } from './paths.ts';
import { runNode } from './run.ts';

export type Variant = {
  browser: 'chrome' | 'firefox';
  granted: boolean;
  /** Where Portside’s client-id metadata document is said to be published, in a build of its own. */
  clientMetadataUrl?: string;
};

/** The folder of a variant inside `.output`; `wxt.config.ts` names those that are built by hand. */
function folderOf({ browser, granted, clientMetadataUrl }: Variant): string {
  return `${browser}-mv3${granted ? '-granted' : ''}${clientMetadataUrl === undefined ? '' : '-metadata'}`;
}

/**
 * Builds the extension and returns its folder. `granted` is the variant for `npm start` and tests, whose host
 * permissions need no dialog. Under `npm test`, which has built every variant already, nothing is built again.
 * @throws Error with the build's own output
 */
export async function buildExtension(variant: Variant): Promise<string> {
  const output = join(root, '.output', folderOf(variant));
  if (process.env['PORTSIDE_BUILT']) return output;
  const { code, output: said } = await runNode(
    'node_modules/wxt/bin/wxt.mjs',
    ['build', '-b', variant.browser, '--mv3'],
    {
      env: {
        PORTSIDE_GRANTED: variant.granted ? '1' : '0',
        PORTSIDE_OUTPUT: folderOf(variant),
        WXT_CLIENT_METADATA_URL: variant.clientMetadataUrl ?? '',
        NO_COLOR: '1',
      },
    },
  );
  if (code !== 0) throw new Error(`The extension could not be built.\n${said.trim()}`);
  return output;
}
