import { describe, expect, it } from 'vitest';
import { isNearer, nearnessOf, webAddressesIn } from '../lib/origins.ts';

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
    ['http://[::ffff:10.0.0.1]', 'private'],
    ['http://nas', 'private'],
    ['http://printer.local', 'private'],
    ['http://Wiki.Corp.Internal', 'private'],
    ['https://example.com', 'public'],
    ['https://local.example', 'public'],
    ['https://8.8.8.8', 'public'],
    ['https://[2606:4700::1111]', 'public'],
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

it('the origins that a call reaches are those of the web addresses among its arguments, however deep', () => {
  const args = {
    url: 'https://a.example/x?to=https://hidden.example',
    more: [{ link: ' HTTP://B.example:8080 ' }, 'file:///etc', 'see https://c.example', 5, null],
  };
  expect(webAddressesIn(args).map(({ origin }) => origin)).toEqual([
    'https://a.example',
    'http://b.example:8080',
  ]);
});
