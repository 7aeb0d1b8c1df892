import { describe, expect, it } from 'vitest';
import { faultsOf } from '../../lib/types/blocked-site.ts';

describe('a line of the sites where nothing may be done', () => {
  it.each([
    'bank.example',
    'intranet',
    'localhost',
    '192.168.0.1',
    '[::1]',
    'bücher.example',
    '*.bank.example.',
    'https://*.bank.example/*',
    '*://bank.example:8443/cart',
    '"a.example", b.example; localhost',
    '',
  ])('is taken: %s', (line) => expect(faultsOf(line)).toEqual([]));

  it.each([
    ['bank.*', 'bank.*', 'star'],
    ['a.example, bank.*.example', 'bank.*.example', 'star'],
    ['chrome://settings', 'chrome://settings', 'scheme'],
    ['file:///home', 'file:///home', 'scheme'],
    ['10.0.0.0/8', '10.0.0.0/8', 'range'],
    ['192.168', '192.168', 'range'],
    ['192.168.*', '192.168.*', 'star'],
    ['my bank', 'my', 'noHost'],
    ['# bank.example', '#', 'noHost'],
    ['bank.example/ pages', 'pages', 'noHost'],
    ['about:blank', 'about:blank', 'noHost'],
    ['https://', 'https://', 'noHost'],
    ['*', '*', 'noHost'],
    ['a..example', 'a..example', 'noHost'],
  ])('is no host: %s', (line, site, why) =>
    expect(faultsOf(`a.example\n${line}\n`)).toEqual([{ line: 2, site, why }]),
  );
});
