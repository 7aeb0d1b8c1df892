import { browser } from 'wxt/browser';
import { AppError } from '../../lib/errors.ts';
import { originPattern } from '../../lib/origins.ts';
import * as setupErrors from '../../locales/errors/setup.ts';

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
  throw new AppError({ code: 'origin_not_granted', ...setupErrors.notGranted(new URL(url).host) });
}
