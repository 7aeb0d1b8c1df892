import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { misleads } from '../../components/markdown/link.ts';

const url = new URL('https://www.example.com/docs/README.md');

describe('a link’s text', () => {
  it.each([
    ['example.com', false],
    ['the docs', false],
    ['README.md', false],
    ['bank.example', true],
    ['→', true],
    [`bank.example ${'x'.repeat(1000)}`, true],
    ['x'.repeat(48_000), true],
  ])('has its host said beside it where it misleads: %.20s, %s', (text, expected) => {
    expect(misleads(text, url)).toBe(expected);
  });
});

it.each(['sidepanel', 'options'])(
  '%s has no name looked up for a link before it is followed',
  async (page) => {
    const html = await readFile(`entrypoints/${page}/index.html`, 'utf8');
    expect(html).toContain('<meta http-equiv="x-dns-prefetch-control" content="off" />');
  },
);
