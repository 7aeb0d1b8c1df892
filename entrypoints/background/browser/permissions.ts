import { browser } from 'wxt/browser';
import { AppError } from '../../../lib/errors.ts';
import { answersInside, originPattern } from '../../../lib/origins.ts';

import { t } from '../../../locales/texts/errors.ts';

/** What is granted, as far as the browser was asked: that takes longer than all else between Enter and the request. */
const granted = new Set<string>();

/** Whether the user let Portside speak to this address. */
export async function isGranted(url: string): Promise<boolean> {
  if (answersInside(url)) return true;
  const origin = originPattern(url);
  if (!granted.has(origin) && (await browser.permissions.contains({ origins: [origin] })))
    granted.add(origin);
  return granted.has(origin);
}

/** Something was taken back. */
export const forgetGranted = (): void => granted.clear();

/** Makes sure that the user let Portside speak to this address. @throws AppError `origin_not_granted` */
export async function requireOrigin(url: string): Promise<void> {
  if (await isGranted(url)) return;
  throw new AppError({
    code: 'origin_not_granted',
    ...t(($) => $.errors.setup.notGranted, { host: new URL(url).host }),
  });
}
