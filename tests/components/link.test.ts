import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { misleads, names } from '../../components/markdown/link.ts';

const docs = 'https://www.example.com/docs/README.md';

describe('a link’s text', () => {
  it.each([
    ['example.com', docs, false],
    ['Example.com: the docs', docs, false],
    ['the docs', docs, false],
    ['version 3.14', docs, false],
    [docs, docs, false],
    ['www.example.com/docs/README.md', docs, false],
    ['jane.doe@example.com', 'mailto:jane.doe@example.com', false],
    // Of a file or of a host, as in Moldova.
    ['README.md', docs, true],
    ['bank.example', docs, true],
    ['sparkasse.de', 'https://evil.example/sparkasse.de', true],
    ['see https://www.sparkasse.de/login', 'https://evil.example/www.sparkasse.de/login', true],
    ['sparkasse.de@evil.example', 'https://evil.example/sparkasse.de', true],
    ['evil.example sparkasse.de', 'https://evil.example/sparkasse.de', true],
    ['bank.xn--p1ai', 'https://evil.example/bank.xn--p1ai', true],
    ['банк。рф', 'https://evil.example/', true],
    ['बैंक.भारत', 'https://evil.example/', true],
    ['sparkasse.\u00adde', 'https://evil.example/', true],
    ['example.co', docs, true],
    ['example.com-bank.de', docs, true],
    ['jane@sparkasse.de', 'mailto:sparkasse.de@evil.example', true],
    ['jane@bank.example', 'mailto:jane@bаnk.example', true], // Cyrillic
    ['mailto:%zz@bank.example', docs, true],
    ['your router, 192.168.1.1', 'http://92.168.1.1/', true],
    ['your router, 192.168.1.1', 'http://192.168.1.1/', false],
    ['→', docs, true],
    [`bank.example ${'x'.repeat(1000)}`, docs, true],
    ['x'.repeat(48_000), docs, true],
  ])('has its host said beside it where it misleads: %.40s to %s, %s', (text, address, expected) => {
    expect(misleads(text, new URL(address))).toBe(expected);
  });
});

it.each([
  ['See example.com.', docs, true],
  ['http://localhost:8000/', 'http://localhost:8000/', true],
  ['http://localhost/', 'http://host/', false],
  ['http://10.0.0.11/', 'http://10.0.0.1/', false],
])('says where it leads, in whole words: %s to %s, %s', (text, address, expected) => {
  expect(names(text, new URL(address))).toBe(expected);
});

it.each(['sidepanel', 'options'])(
  '%s has no name looked up for a link before it is followed',
  async (page) => {
    const html = await readFile(`entrypoints/${page}/index.html`, 'utf8');
    expect(html).toContain('<meta http-equiv="x-dns-prefetch-control" content="off" />');
  },
);
