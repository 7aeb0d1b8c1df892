/** How far an address is: anywhere, in the network that this computer is in, or on this computer itself. */
const NEARNESS = { public: 0, private: 1, loopback: 2 } as const;
export type Nearness = keyof typeof NEARNESS;

/** First and last address of blocks that never leave a network: RFC 1918, 3927, 6598, and "this network" of RFC 791. */
const PRIVATE_V4 = [
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.168.0.0', '192.168.255.255'],
].map((ends) => ends.map(numberOf));

/** Names that never leave a network: RFC 6762, RFC 8375, and what ICANN keeps for it. */
const PRIVATE_NAME = /(^|\.)(local|internal|home\.arpa|lan|home|corp)$/;

/**
 * How near a host is by its name or address, as `URL.hostname` writes it. What a public name resolves to, a browser tells no
 * extension.
 */
export function nearnessOf(hostname: string): Nearness {
  const host = hostname.replace(/\.$/, '').toLowerCase();
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  if (host.startsWith('[')) return nearnessOfV6(host.slice(1, -1));
  if (/^\d+(\.\d+){3}$/.test(host)) return nearnessOfV4(numberOf(host));
  return !host.includes('.') || PRIVATE_NAME.test(host) ? 'private' : 'public';
}

/** Whether one host is nearer than another: what comes from afar must not reach in there. */
export const isNearer = (host: string, than: string): boolean =>
  NEARNESS[nearnessOf(host)] > NEARNESS[nearnessOf(than)];

function numberOf(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
}

function nearnessOfV4(address: number): Nearness {
  const first = Math.floor(address / 2 ** 24);
  if (first === 127 || first === 0) return 'loopback';
  return PRIVATE_V4.some(([from = 0, to = 0]) => address >= from && address <= to) ? 'private' : 'public';
}

/** RFC 4291; fc00::/7 and fe80::/10 stay in a network, ::ffff:0:0/96 is IPv4. A URL writes it with the shortest groups. */
function nearnessOfV6(address: string): Nearness {
  if (address === '::1' || address === '::') return 'loopback';
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  if (high !== undefined && low !== undefined)
    return nearnessOfV4(Number.parseInt(high, 16) * 2 ** 16 + Number.parseInt(low, 16));
  return /^(f[cd]|fe[89ab])/.test(address) ? 'private' : 'public';
}

/** Where the demo model answers: inside of the worker. */
export const DEMO_URL = 'http://demo.localhost/v1';

/** Where the browser's own model answers: in a document of Portside's. */
export const BROWSER_URL = 'http://browser.localhost/v1';

/** Whether what is asked there stays inside of Portside: no request leaves it, and no access is needed. */
export const answersInside = (url: string): boolean => url === DEMO_URL || url === BROWSER_URL;

/** The match pattern that covers an address. Patterns carry no port, so it covers every port of the host. */
export function originPattern(url: string): string {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}/*`;
}

/** Up to what no address has in it, also as it stands in Markdown. */
const RUN = /https?:[^\s<>]*/gi;
/** Where another one begins in it, which is no part of the query or the path of the first. */
const NEXT = /(?<![=/])(?=https?:)/i;
const AUTHORITY = /^(https?:)[\\/]*([^\\/?#]*)/i;
/** With the port, without the punctuation of the sentence around it. */
const HOST = /^(?:\[[\da-f:.]*\](?::\d+)?|(?:[.:。．｡]*(?:[^\p{P}\p{S}]|[-%_]))*)/iu;

/**
 * The addresses of the web among a call's arguments, also within longer texts, up to the host, as a browser reads them: each
 * origin, and each user name before one, once.
 */
export function webAddressesIn(value: unknown): URL[] {
  return [...new Set(addressesIn(value))].flatMap((address) => URL.parse(address) ?? []).filter(isNew());
}

function isNew(): (url: URL) => boolean {
  const known = new Set<string>();
  return ({ href }) => known.size < known.add(href).size;
}

function addressesIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(addressesIn);
  if (typeof value !== 'string') return [];
  // A browser takes more for an address than a text shows, such as one with line breaks in its host.
  const whole = URL.parse(value.trim())?.href ?? '';
  return [whole, ...[...value.matchAll(RUN)].flatMap(([run]) => run.split(NEXT))].map(originOf);
}

function originOf(address: string): string {
  const [, scheme = '', authority = ''] = AUTHORITY.exec(address) ?? [];
  const at = authority.lastIndexOf('@') + 1;
  const [host = ''] = HOST.exec(authority.slice(at)) ?? [];
  return `${scheme}//${authority.slice(0, at)}${host}`;
}
