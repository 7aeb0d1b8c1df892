import { describe, expect, it } from 'vitest';
import { requireHttpUrl, requireOwnSecret, requireTimeout } from '../../entrypoints/background/input.ts';

describe('an address', () => {
  it.each(['http://127.0.0.1:3001/mcp', ' https://example.com/v1 '])('may be %j', (url) => {
    expect(requireHttpUrl(url, 'url')).toBe(url.trim());
  });

  it.each([
    ['', 'URL is required.'],
    ['example.com', 'URL is not a web address.'],
    ['javascript:alert(1)', 'URL is not a web address.'],
    [
      'https://user:hush@example.com/',
      'URL contains a user name or a password, which the browser does not send.',
    ],
  ])('%j is refused in words', (url, message) => {
    expect(() => requireHttpUrl(url, 'url')).toThrow(message);
  });
});

describe('a stored secret', () => {
  it('stays with its origin: another path is fine, another host, port or protocol is not', () => {
    expect(() => requireOwnSecret('https://a.example/v1', 'https://a.example/v2', 'key')).not.toThrow();
    for (const other of ['https://b.example/v1', 'https://a.example:444/v1', 'http://a.example/v1']) {
      expect(() => requireOwnSecret('https://a.example/v1', other, 'key')).toThrow(
        'The stored key belongs to',
      );
    }
  });
});

describe('a tool timeout', () => {
  it.each([0, 1.5, Number.NaN, 2 ** 31])('of %s ms is refused', (value) => {
    expect(() => requireTimeout(value)).toThrow('Tool timeout must be a whole number of milliseconds');
  });
});
