import { en } from '../../locales/en-options.ts';

/** Why `url` is no address to save; undefined when it is one. */
export function urlFault(url: string, missing: string): string | undefined {
  const words = en.options.address;
  if (url === '') return missing;
  if (!/^https?:\/\//i.test(url)) return words.scheme;
  // The browser would take a space for a part of the address, and drop a tab without a word.
  if (/\s/.test(url)) return words.space;
  return URL.canParse(url) ? undefined : words.unreadable;
}
