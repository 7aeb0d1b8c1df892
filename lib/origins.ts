import { textsIn } from './json.ts';

/** How far an address is: anywhere, in the network that this computer is in, or on this computer itself. */
const NEARNESS = { public: 0, private: 1, loopback: 2 } as const;
export type Nearness = keyof typeof NEARNESS;

/** First and last address of blocks that never leave a network: RFC 1918, 2544, 3927, 6598; multicast and reserved, RFC 1112. */
const PRIVATE_V4 = [
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['224.0.0.0', '255.255.255.255'],
].map((ends) => ends.map(numberOf));

/** Names that never leave a network: RFC 6761, RFC 6762 with its appendix G, RFC 8375, and what ICANN keeps for it. */
const PRIVATE_NAME = /(^|\.)(local|localdomain|internal|intranet|private|home\.arpa|lan|home|corp|test)$/;

/**
 * How near a host is by its name or address, as `URL.hostname` writes it. What a public name resolves to, a browser tells no
 * extension.
 */
export function nearnessOf(hostname: string): Nearness {
  const host = hostname.replace(/\.$/, '').toLowerCase();
  if (/(^|\.)localhost(\.localdomain)?$/.test(host)) return 'loopback';
  if (host.startsWith('[')) return nearnessOfV6(host.slice(1, -1));
  if (/^\d+(\.\d+){3}$/.test(host)) return nearnessOfV4(numberOf(host));
  return !host.includes('.') || PRIVATE_NAME.test(host) ? 'private' : 'public';
}

/** Whether requests to this address do not leave this computer. */
export const isLoopback = (url: string): boolean => nearnessOf(URL.parse(url)?.hostname ?? '') === 'loopback';

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

/**
 * RFC 4291; fc00::/7, fe80::/10 and, of old, fec0::/10 stay in a network, as do multicast and local NAT64
 * (RFC 8215). What has an IPv4 address in it leads there. Unspecified and loopback are such, of 0.0.0.0/8.
 */
function nearnessOfV6(address: string): Nearness {
  const groups = groupsOf(address);
  const [first = 0, ...rest] = groups;
  if (V4_AFTER.has(String(groups.slice(0, 6)))) return nearnessOfV4(v4In(groups.slice(6)));
  if (first === SIX_TO_FOUR) return nearnessOfV4(v4In(rest));
  const isLocal = (first & 0xfe00) === 0xfc00 || first >= 0xfe80 || address.startsWith('64:ff9b:1:');
  return isLocal ? 'private' : 'public';
}

/** IPv4-compatible and IPv4-mapped of RFC 4291, IPv4-translated of RFC 2765, NAT64 of RFC 6052. */
const V4_AFTER = new Set(
  [
    [0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0xffff],
    [0, 0, 0, 0, 0xffff, 0],
    [0x64, 0xff9b, 0, 0, 0, 0],
  ].map(String),
);

/** RFC 3056. */
const SIX_TO_FOUR = 0x2002;

const v4In = ([high = 0, low = 0]: number[]): number => high * 2 ** 16 + low;

/** All eight, also those that `::` stands for. */
function groupsOf(address: string): number[] {
  const [head = [], tail = []] = address.split('::').map((part) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16)),
  );
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

/** Where the demo model answers: in a document of Portside's. */
export const DEMO_URL = 'http://demo.localhost/v1';

/** Where the browser's own model answers: in a document of Portside's. */
export const BROWSER_URL = 'http://browser.localhost/v1';

/** Where a model's weights answer that the user brought: in a document of Portside's. */
export const GGUF_URL = 'http://gguf.localhost/v1';

/** Whether what is asked there stays inside of Portside: no request leaves it, and no access is needed. */
export const answersInside = (url: string): boolean => [DEMO_URL, BROWSER_URL, GGUF_URL].includes(url);

export function withoutSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}

/** The match pattern that covers an address. Patterns carry no port, so it covers every port of the host. */
export function originPattern(url: string): string {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}/*`;
}

/** A browser goes there. */
const WEB = /^(?:https?|wss?|ftp):$/;
/** How an address begins whose scheme names a host to connect to. */
const SCHEME =
  /https?:|\b(?:wss?|s?ftps?|git|ssh|svn|rsync|smb|nfs|ldaps?|rtmps?|rtsps?|gopher|dict|telnet|ircs?|imaps?|pop3s?|smtps?|socks[45]?[ah]?|rediss?|postgres(?:ql)?|mysql|mongodb(?:\+srv)?|amqps?|mqtts?):\/\//
    .source;
/** Without a scheme a host has a dot in it and ends what it stands in, or a path follows: code has comments, too. */
// oxlint-disable-next-line portside/linear-regex -- a part: what it stands in begins behind no sign of a host
const HOST_ALONE = /(?=[^\s\\/?#<>]+\.[\p{L}\d-]+(?::\d+)?(?:[/?#&]|$))/u.source;
/** Up to what no address has in it, also as it stands in Markdown. */
const RUN = new RegExp(`(?:${SCHEME}|(?<![\\w:/\\\\.-])//${HOST_ALONE})[^\\s<>]*`, 'giu');
/** Where another one begins in it: also in its path or query, where a site may lead on to it. */
const NEXT = new RegExp(`(?=${SCHEME})|(?<=[=?&#])(?=[\\\\/]{2,}${HOST_ALONE})`, 'iu');
const AUTHORITY = /^([a-z][a-z\d+]*:)?[\\/]*([^/?#]*)/i;
/** So often what stands within an address is encoded, such as what a sign-in passes on. */
const ENCODINGS = 2;
/** With the port, without the punctuation of the sentence around it. */
const HOST = /^(?:\[[\da-f:.]*\]|(?:[.。．｡]*(?:[^\p{P}\p{S}]|[-%_]))*)(?::\d+)?/iu;

/**
 * The addresses of the web among a call's arguments, also within longer texts and other addresses, up to the host: each origin,
 * and each user name before one, once. Each is what a browser reads; where others may read another one, or a text mean another
 * one, that is there as well. What other schemes name may be anything, such as a server's own resource.
 */
export function webAddressesIn(value: unknown): URL[] {
  return [...new Set(allIn(value).flatMap(addressesIn))]
    .flatMap((address) => URL.parse(address) ?? [])
    .filter(isNew());
}

const BEGINS = String.raw`(?<![\p{L}\p{M}\d_./\\:%-])`;
/** In a run of labels none but the first begins a name: each would be read to the run's end. */
const IS_LATER = String.raw`(?<=${BEGINS}(?:[\p{L}\p{M}\d-]+[.。．｡]){1,20}?)`;
/**
 * A host without a scheme: a name, of no more labels than DNS takes, and of none that is longer however it is composed, or an
 * address also in octal, in hexadecimal or as one number.
 */
const NAME = String.raw`(?:(?!${IS_LATER})(?:[\p{L}\p{M}\d-]{1,255}[.。．｡]){1,126}\p{L}[\p{L}\d-]{1,255}|localhost|(?:\d{1,4}\.){3}\d{1,4}|0x[\da-f]{1,8}(?:\.(?:0x)?[\da-f]{1,8}){0,3}|\d{9,10}|\d{8}(?=:)|\[[\da-f:.]+\])[.。．｡]?`;
/** One that a port, a path or a query follows, as programs take one; code has question marks, too. */
const BARE = new RegExp(String.raw`${BEGINS}${NAME}(?=:\d|\/|\?(?=[^\s.?)]))`, 'giu');
/** What an argument that is a host is called, and that one. */
const HOST_KEY = /host|domain|server|proxy|endpoint|url/i;
const WHOLE = new RegExp(String.raw`^\s*(${NAME})\s*(?:$|[:/?#])`, 'iu');

/**
 * The origins of these, also where `URL` knows none, as of `git:`, and those that a host names without a scheme, also in the
 * query of another one.
 */
export const webOriginsIn = (value: unknown): string[] => [
  ...webAddressesIn(value).map(({ origin, protocol, host }) =>
    origin === 'null' ? `${protocol}//${host}` : origin,
  ),
  ...[...new Set([...allIn(value).flatMap(decodedOf).flatMap(bareIn), ...namedIn(value)])].flatMap(
    (host) => URL.parse(`https://${host}`)?.origin ?? [],
  ),
];

const bareIn = (text: string): string[] =>
  [text.replaceAll(RUN, ' '), ...[...text.matchAll(RUN)].map(queryOf)].flatMap((each) =>
    [...each.matchAll(BARE)].map(([host]) => host),
  );

const queryOf = ([run]: RegExpExecArray): string => run.replace(/^[^?#]*/, '').replaceAll(RUN, ' ');

/** What is a host by the name of its argument. */
const namedIn = (value: unknown): string[] =>
  textsIn(value)
    .flatMap(({ text, of = '' }) => (HOST_KEY.test(of) ? decodedOf(text) : []))
    .flatMap((text) => WHOLE.exec(text)?.slice(1) ?? []);

const allIn = (value: unknown): string[] => [...new Set(textsIn(value).map(({ text }) => text))];

function isNew(): (url: URL) => boolean {
  const known = new Set<string>();
  return ({ href }) => known.size < known.add(href).size;
}

function addressesIn(value: string): string[] {
  // A browser takes more for an address than a text shows, such as one with line breaks in its host.
  const bare = value.trim().replace(/^[\s\p{Cc}]+|[\t\n\r]/gu, '');
  const whole = WEB.test(URL.parse(bare)?.protocol ?? '') ? readingsOf(bare) : [];
  const texts = whole.length > 0 ? [...new Set([value, bare])] : [value];
  const pieces = texts.flatMap(decodedOf).flatMap(runsIn).flatMap(readingsOf);
  return [...whole, ...pieces.filter((piece) => !whole.includes(piece)).flatMap(withoutText)];
}

const runsIn = (text: string): string[] => [...text.matchAll(RUN)].flatMap(([run]) => run.split(NEXT));

/** A text as it is, and as who passes on a part of it may read that. */
function decodedOf(text: string): string[] {
  const all = [text];
  for (let last = text; all.length <= ENCODINGS; all.push(last))
    last = last
      .replaceAll(/(?:%[\da-f]{2})+/gi, (run) => new TextDecoder().decode(bytesOf(run)))
      .replaceAll(/&#(\d{1,7}|x[\da-f]{1,6});?|&(colon|sol|period);|\p{Cf}/giu, markedUp);
  return [...new Set(all.flatMap((each) => [each, each.replaceAll(/\p{DI}/gu, '')]))];
}

/** A reference of HTML's; what is invisible stands for nothing. */
function markedUp(_all: string, number?: string, name?: string): string {
  if (number === undefined) return name === undefined ? '' : (NAMED[name.toLowerCase()] ?? '');
  const code = Number(number.replace(/^x/i, '0x'));
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
}

const NAMED: Record<string, string> = { colon: ':', sol: '/', period: '.' };

const bytesOf = (encoded: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(encoded.slice(1).split('%'), (byte) => Number.parseInt(byte, 16));

/** Up to the host: a backslash ends it for browsers; parsers that follow RFC 3986 look for a host after that, too. */
function readingsOf(address: string): string[] {
  const [, scheme = 'https:', authority = ''] = AUTHORITY.exec(address) ?? [];
  const [read = ''] = authority.split('\\', 1);
  // Else none comes after it, as in a text whose line breaks are written `\n`.
  const hasOther = /[@.][[%\p{L}\p{N}]/u.test(authority.slice(read.length));
  return [read, ...(hasOther ? [authority.replaceAll('\\', '@')] : [])].map((each) => `${scheme}//${each}`);
}

/**
 * Without the text that may follow a host, and with it where that leads to another one: `good.example~.evil.example`. A
 * sentence's punctuation does not: no top-level domain has it.
 */
function withoutText(address: string): string[] {
  const start = Math.max(address.indexOf('//') + 2, address.lastIndexOf('@') + 1);
  const [host = ''] = HOST.exec(address.slice(start)) ?? [];
  const short = address.slice(0, start) + host;
  const [labels, all] = [labelsOf(short), labelsOf(address)];
  const [top = '', topOfAll = ''] = [labels.at(-1), all.at(-1)];
  const isOther =
    all.length > Math.max(labels.length, 1) || (top !== topOfAll && /^(?!xn--)[a-z\d-]+$/.test(topOfAll));
  return isOther ? [short, address] : [short];
}

const labelsOf = (address: string): string[] =>
  (URL.parse(address)?.hostname ?? '').split('.').filter(Boolean);
