import { parseJson } from '../../json.ts';
import { isLoopback, webAddressesIn, webOriginsIn } from '../../origins.ts';

/** What is to be known of an address that a server wants visited, before it is. */
export type AskedUrl = {
  /** With the port; empty when the address is none. */
  host: string;
  /** Only pages of the web are opened. */
  opens: boolean;
  warnings: ('plain' | 'lookalike' | 'user')[];
};

export function askedUrl(address: string): AskedUrl {
  const url = URL.parse(address);
  if (!url) return { host: '', opens: false, warnings: [] };
  const warnings: AskedUrl['warnings'] = [];
  if (url.protocol === 'http:' && !isLoopback(address)) warnings.push('plain');
  if (url.hostname.split('.').some((label) => label.startsWith('xn--'))) warnings.push('lookalike');
  if (url.username !== '' || url.password !== '') warnings.push('user');
  return { host: url.host, opens: /^https?:$/.test(url.protocol), warnings };
}

/** The web addresses among a call's arguments, what may deceive first. @param json all arguments, or one */
export function askedUrls(json: string): AskedUrl[] {
  const all = webAddressesIn(parseJson(json)).map(({ href }) => askedUrl(href));
  return all.toSorted((a, b) => deceits(b).length - deceits(a).length);
}

/** The hosts that what is allowed for longer than once reaches. @param json as above */
export const askedHosts = (json: string): string[] => [
  ...new Set(webOriginsIn(parseJson(json)).map((origin) => origin.slice(origin.indexOf('//') + 2))),
];

/** Without what only says that the connection is not encrypted. */
export const deceits = ({ warnings }: AskedUrl): Exclude<AskedUrl['warnings'][number], 'plain'>[] =>
  warnings.filter((warning) => warning !== 'plain');
