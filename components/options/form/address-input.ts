import { t } from '../../../locales/texts/settings.ts';

/** Why `url` is no address to save; undefined when it is one. */
export function urlFault(url: string, missing: string): string | undefined {
  if (url === '') return missing;
  if (!/^https?:\/\//i.test(url)) return t(($) => $.options.address.scheme);
  // The browser would take a space for a part of the address, and drop a tab without a word.
  if (/\s/.test(url)) return t(($) => $.options.address.space);
  return URL.canParse(url) ? undefined : t(($) => $.options.address.unreadable);
}
