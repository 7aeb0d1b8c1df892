import { isLoopback, urlOf } from '../settings/setup.ts';

/** What is to be known of an address that a server wants visited, before it is. */
export type AskedUrl = {
  /** With the port; empty when the address is none. */
  host: string;
  /** Only pages of the web are opened. */
  opens: boolean;
  warnings: ('plain' | 'lookalike' | 'user')[];
};

export function askedUrl(address: string): AskedUrl {
  const url = urlOf(address);
  if (!url || !/^https?:$/.test(url.protocol)) return { host: url?.host ?? '', opens: false, warnings: [] };
  const warnings: AskedUrl['warnings'] = [];
  if (url.protocol === 'http:' && !isLoopback(address)) warnings.push('plain');
  if (url.hostname.split('.').some((label) => label.startsWith('xn--'))) warnings.push('lookalike');
  if (url.username !== '' || url.password !== '') warnings.push('user');
  return { host: url.host, opens: true, warnings };
}
