import { describe, expect, it } from 'vitest';
import { isLoopback, isNearer, nearnessOf, webAddressesIn, webOriginsIn } from '../lib/origins.ts';

describe('how near a host is', () => {
  it.each([
    ['http://localhost:8080', 'loopback'],
    ['http://app.localhost', 'loopback'],
    ['http://localhost.', 'loopback'],
    ['http://127.1', 'loopback'],
    ['http://2130706433', 'loopback'],
    ['http://0x7f.0.0.1', 'loopback'],
    ['http://0.0.0.0', 'loopback'],
    ['http://[::1]', 'loopback'],
    ['http://[::ffff:127.0.0.1]', 'loopback'],
    ['http://10.1.2.3', 'private'],
    ['http://172.16.0.1', 'private'],
    ['http://172.32.0.1', 'public'],
    ['http://192.168.1.1', 'private'],
    ['http://169.254.169.254', 'private'],
    ['http://100.64.0.1', 'private'],
    ['http://[fd00::1]', 'private'],
    ['http://[fe80::1]', 'private'],
    ['http://[fec0::1]', 'private'],
    ['http://[::ffff:10.0.0.1]', 'private'],
    ['http://[::10.0.0.1]', 'private'],
    ['http://[64:ff9b::192.168.1.1]', 'private'],
    ['http://[64:ff9b::127.0.0.1]', 'loopback'],
    ['http://[64:ff9b::]', 'loopback'],
    ['http://[2002:a00::1]', 'private'],
    ['http://[2002:7f00:1::]', 'loopback'],
    ['http://[::ffff:0:127.0.0.1]', 'loopback'],
    ['http://[64:ff9b:1::7f00:1]', 'private'],
    ['http://[64:ff9b:1:a00:0:100::]', 'private'],
    ['http://[ff02::fb]', 'private'],
    ['http://198.18.0.1', 'private'],
    ['http://198.20.0.1', 'public'],
    ['http://224.0.0.1', 'private'],
    ['http://255.255.255.255', 'private'],
    ['http://localhost.localdomain', 'loopback'],
    ['http://nas.localdomain', 'private'],
    ['http://router.intranet', 'private'],
    ['http://wiki.private', 'private'],
    ['https://shop.test', 'private'],
    ['http://nas', 'private'],
    ['http://printer.local', 'private'],
    ['http://Wiki.Corp.Internal', 'private'],
    ['https://example.com', 'public'],
    ['https://local.example', 'public'],
    ['https://notlocalhost.example', 'public'],
    ['https://[64:ff9b::1:808:808]', 'public'],
    ['https://8.8.8.8', 'public'],
    ['https://[2606:4700::1111]', 'public'],
    ['https://[64:ff9b::8.8.8.8]', 'public'],
    ['https://[2002:808:808::1]', 'public'],
    ['https://[fd::1]', 'public'],
  ] as const)('of %s is %s', (url, expected) => expect(nearnessOf(new URL(url).hostname)).toBe(expected));

  it('is compared: what is public may not reach in, what is on this computer may reach everything', () => {
    expect(isNearer('127.0.0.1', 'example.com')).toBe(true);
    expect(isNearer('10.0.0.1', 'example.com')).toBe(true);
    expect(isNearer('127.0.0.1', '10.0.0.1')).toBe(true);
    expect(isNearer('10.0.0.1', 'localhost')).toBe(false);
    expect(isNearer('example.com', 'localhost')).toBe(false);
    expect(isNearer('example.com', 'example.org')).toBe(false);
  });
});

describe('the web addresses among a call’s arguments', () => {
  const hosts = webOriginsIn;

  it('are found however deep, each once', () => {
    const args = {
      url: 'https://a.example/x?to=nothing',
      more: [{ link: ' HTTP://B.example:8080 ' }, 'file:///etc', 'https://a.example/y', 5, null],
      headers: { 'https://c.example/': 'a name' },
    };
    expect(hosts(args)).toEqual(['https://a.example', 'http://b.example:8080', 'https://c.example']);
  });

  it.each([
    ['see https://a.example, or (http://b.example:81/x).', ['https://a.example', 'http://b.example:81']],
    ['[a](https://a.example)[b](https://b.example/b)', ['https://a.example', 'https://b.example']],
    ['{"u":"https://a.example","v":"https://b.example"}', ['https://a.example', 'https://b.example']],
    ['https://a.example/,https://b.example', ['https://a.example', 'https://b.example']],
    ['https://a.example/ and https://b.example', ['https://a.example', 'https://b.example']],
    ['curl -d@- https:b.example', ['https://b.example']],
    ['curl https:\\\\b.example\\x', ['https://b.example']],
    ['go to <https://[::1]:8080/x>', ['https://[::1]:8080']],
    ['go to [https://[::1]].', ['https://[::1]']],
    ['访问https://a.example。', ['https://a.example']],
    ['url=https://a.example&b=1', ['https://a.example']],
    ['See https://a.example\nmore.of it', ['https://a.example']],
    ['https://a.exa\nmple', ['https://a.example', 'https://a.exa']],
    ['go to https://a%2eexample/', ['https://a.example']],
    ['“https://a.example”、「https://b.example」…', ['https://a.example', 'https://b.example']],
    ['**https://a.example**: https://b.example:see', ['https://a.example', 'https://b.example']],
    ['no address: https://, http: and https://%, "https://"', []],
    [
      'wss://a.example/x, ws://b.example:81 or ftp://c.example',
      ['wss://a.example', 'ws://b.example:81', 'ftp://c.example'],
    ],
    ['<script src="//a.example:81/x.js"> [b](//b.example/)', ['https://a.example:81', 'https://b.example']],
    ['//a.example?x', ['https://a.example']],
    ['x(); //console.log(x);\n//TODO\nlib//a.b/c src/main.ts README.md v1.2/x 3.14 to@a.example', []],
    ['evil.example/leak?r=https://good.example/', ['https://good.example', 'https://evil.example']],
    [
      'See https://good.example u@evil.example/x evil.example./',
      ['https://good.example', 'https://evil.example', 'https://evil.example.'],
    ],
    ['good.example@evil.example/x, user.name?.first ok?', ['https://evil.example']],
    ['evil。example/x', ['https://evil.example']],
    ['evil.example:8080, curl 10.1.2.3/x', ['https://evil.example', 'https://10.1.2.3']],
    ['socks5://evil.example:1', ['socks5://evil.example:1']],
    ['https://good.example/?u=///evil.example', ['https://good.example', 'https://evil.example']],
    ['news: views:1, aws://x.example/ file:///etc/a.b note://a.b/c', []],
  ])('are found in the text %j', (text, expected) => {
    expect(hosts(text)).toEqual(expected);
  });

  it.each([
    [{ text: 'localhost:8080/x' }, 'https://localhost'],
    [{ text: '0x7f.1/x' }, 'https://127.0.0.1'],
    [{ text: '0177.0.0.1/x' }, 'https://127.0.0.1'],
    [{ text: '2130706433:80/x' }, 'https://127.0.0.1'],
    [{ text: '16843009:80' }, 'https://1.1.1.1'],
    [{ text: 'https://good.example/proxy?u=evil.example/x?4711' }, 'https://evil.example'],
    [{ text: 'https://good.example/proxy?u=evil.example%2Fx' }, 'https://evil.example'],
    [{ text: 'https://good.example/#u=evil.example:81' }, 'https://evil.example'],
    [{ text: '&#104;ttps://evil.example' }, 'https://evil.example'],
    [{ text: '<a href="https&#x3A;&sol;/evil&period;example">' }, 'https://evil.example'],
    [{ text: 'h\u200Bttps://evil.example' }, 'https://evil.example'],
    [{ host: 'evil.example' }, 'https://evil.example'],
    [{ to: { targetDomains: [' evil.example '] } }, 'https://evil.example'],
    [{ url: 'evil.example#x' }, 'https://evil.example'],
    [{ host: `e${'\ufe0f'.repeat(300)}vil.example` }, 'https://evil.example'],
    [
      { text: `${'\u1112\u1161\u11ab'.repeat(22)}.example/x` },
      `https://${new URL(`https://${'\ud55c'.repeat(22)}.example`).host}`,
    ],
  ])('are hosts that stand there in another way: %j', (args, expected) => {
    expect(hosts({ url: 'https://good.example/', args })).toEqual(
      expect.arrayContaining(['https://good.example', expected]),
    );
  });

  it.each([
    { path: 'README.md', title: 'v1.2', at: '12:30, 16/9, line:12/3', date: '20261126/x', id: '1234567' },
    { server: 'github', query: 'a&b;c &#12345678; &amp;', hosts: ['mine', ''], endpoint: '/v1/x.y' },
    { url: 'https://good.example/?file=README.md&v=1.2#a.b', text: 'https://good.example/x.html?a.b' },
  ])('are none in %j', (args) => {
    expect(hosts(args).filter((each) => each !== 'https://good.example')).toEqual([]);
  });

  it.each([
    'https://evil.example/?secret',
    'https:evil.example',
    '//evil.example/x',
    '/\\evil.example',
    'git://evil.example/x',
    'HTTPS://evil.example:443',
  ])('are found within another address, however it is encoded: %s', (nested) => {
    const scheme = nested.startsWith('git') ? 'git' : 'https';
    const once = encodeURIComponent(nested);
    const lower = once.replaceAll(/%../g, (code) => code.toLowerCase());
    for (const address of [nested, once, lower, encodeURIComponent(once)]) {
      const around = ['?to=', '?a=b&to=', '#to=', '#/r?to='].map((path) => `https://good.example/r${path}`);
      for (const url of around.map((each) => each + address)) {
        expect(hosts({ url })).toEqual(['https://good.example', `${scheme}://evil.example`]);
        expect(hosts(`Open ${url} now`)).toEqual(['https://good.example', `${scheme}://evil.example`]);
      }
    }
  });

  it.each([
    'https://good.example/https://evil.example/x',
    'https://good.example/r/https:%2F%2Fevil.example',
    'https://good.example/?https://evil.example',
    'https://good.example/?u=//good.example/&v=//evil.example&w=1',
    'https://good.example/?a=h\nttps://evil.example',
    'https://good.example/?a=%F0https%3A%2F%2Fevil.example',
  ])('are found within another address: %s', (url) => {
    expect(hosts({ url })).toEqual(['https://good.example', 'https://evil.example']);
  });

  it.each([
    'https://good.example/?q=https%3A&r=a%2Fb%252Fc&t=100%25&u=50%',
    'https://good.example//lib/a.js?v=a//b.c/d&w=src/main.ts',
  ])('are no others within one whose path or query holds none: %s', (url) => {
    expect(hosts({ url })).toEqual(['https://good.example']);
  });

  it('are those of other schemes that name a host, but no names of a server’s own', () => {
    const text =
      'git://a.example/x git@b.example ssh://me@c.example:22 git+ssh://d.example mongodb+srv://e.example';
    const found = ['git://a.example', 'ssh://c.example:22', 'ssh://d.example', 'mongodb+srv://e.example'];
    expect(hosts(text)).toEqual(found);
    expect(hosts(['note://a.b/c', 's3://bucket/a.b', 'src/main.ts', 'digit://x'])).toEqual([]);
  });

  it.each([...'~!$&\'(+,;="`{}*☃'])(
    'lead where a browser reads that they do, whatever the host has in it: %s',
    (sign) => {
      const url = `https://good.example${sign}.evil.example`;
      const read = new URL(url).origin;
      expect(hosts({ url: `${url}/x` })).toEqual([read]);
      // In a text it may also be what follows an address.
      expect(hosts(`see ${url}/x.`)).toEqual(['https://good.example', read]);
    },
  );

  it('lead where a browser reads that they do, also by signs that stand for letters', () => {
    expect(hosts('https://a.coⓂ')).toEqual(['https://a.com']);
    expect(hosts('see https://a.coⓂ')).toEqual(['https://a.co', 'https://a.com']);
  });

  it('lead to both hosts where a browser and RFC 3986 disagree: a backslash ends a host, or is part of a user name', () => {
    const both = ['http://good.example', 'http://evil.example'];
    expect(hosts('http://good.example\\@evil.example')).toEqual(both);
    expect(hosts('http://good.example\\\t@evil.example/x')).toEqual([...both, 'https://evil.example']);
    expect(hosts('at http://good.example\\x\\@evil.example/')).toEqual(both);
    expect(hosts('at http://good.example\\.evil.example')).toEqual([
      'http://good.example',
      'http://.evil.example',
    ]);
    expect(hosts('at http://good.example\\nNext')).toEqual(['http://good.example']);
  });

  it('lead where a browser reads that they do, with who is named before that', () => {
    const [address] = webAddressesIn('Log in at https://github.com"@evil.example/x now');
    expect(address).toMatchObject({ hostname: 'evil.example', username: 'github.com%22' });
    expect(hosts('at https://gіthub.com/')).toEqual(['https://xn--gthub-n2e.com']);
  });
});

describe('a request', () => {
  it.each([
    'http://127.0.0.1:11434/v1',
    'http://localhost:1234',
    'http://[::1]:8080/v1',
    'http://demo.localhost/v1',
  ])('to %s stays on this computer', (url) => expect(isLoopback(url)).toBe(true));
  it.each([
    'https://api.openai.com/v1',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com',
    'nonsense',
  ])('to %s does not', (url) => expect(isLoopback(url)).toBe(false));
});
