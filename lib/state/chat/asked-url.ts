import { webAddressesIn } from '../../origins.ts';
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

/** The hosts of the web addresses among a call's arguments, each once. @param text JSON */
export function hostsIn(text: string): string[] {
  try {
    return [...new Set(webAddressesIn(JSON.parse(text)).map(({ host }) => host))];
  } catch {
    return []; // it can't run as it is
  }
}
