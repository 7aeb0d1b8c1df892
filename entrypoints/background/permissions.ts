import { browser } from 'wxt/browser';
import { AppError } from '../../lib/errors.ts';
import { originPattern } from '../../lib/origins.ts';

/** Whether the person let Portside speak to this address. */
export function isGranted(url: string): Promise<boolean> {
  return browser.permissions.contains({ origins: [originPattern(url)] });
}

/**
 * Makes sure that the person let Portside speak to this address.
 * @throws AppError `origin_not_granted`
 */
export async function requireOrigin(url: string): Promise<void> {
  if (await isGranted(url)) return;
  throw new AppError({
    code: 'origin_not_granted',
    message: `The browser does not let Portside contact ${new URL(url).host}.`,
    fix: 'Open Settings, press Save there again and choose Allow.',
  });
}
