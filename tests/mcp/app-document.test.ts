import { describe, expect, it } from 'vitest';
import { toAppDocument } from '../../lib/mcp/apps/document.ts';
import { readToolApp } from '../../lib/mcp/offer/read-tools.ts';

const mimeType = 'text/html;profile=mcp-app';
const opened = (csp: Record<string, unknown>, host: string | null = 'mcp.example.com') =>
  toAppDocument({ contents: [{ uri: 'ui://a', mimeType, text: '<p>', _meta: { ui: { csp } } }] }, host);
const directive = (name: string, csp: Record<string, unknown>, host?: string | null): string | undefined =>
  opened(csp, host)
    ?.policy.split('; ')
    .find((each) => each.startsWith(`${name} `));

describe('the document of an app', () => {
  it('is HTML of the profile, as text or base64, and nothing else', () => {
    const blob = btoa('<p>hi');
    expect(toAppDocument({ contents: [{ mimeType: 'text/html; profile=mcp-app', blob }] }, null)?.html).toBe(
      '<p>hi',
    );
    for (const contents of [
      undefined,
      [],
      [{ mimeType: 'text/html', text: '<p>' }],
      [{ mimeType }],
      [{ mimeType, blob: '%' }],
    ])
      expect(toAppDocument({ contents }, null)).toBeUndefined();
  });

  it('reaches nothing that its resource does not declare', () => {
    expect(directive('default-src', {})).toBe("default-src 'none'");
    expect(directive('connect-src', {})).toBe('connect-src data: blob:');
    expect(directive('frame-src', {})).toBe("frame-src 'none'");
    expect(directive('form-action', {})).toBe("form-action 'none'");
    expect(
      directive('connect-src', { connectDomains: ['wss://a.example:8443', 'https://*.b.example'] }),
    ).toBe('connect-src data: blob: wss://a.example:8443 https://*.b.example');
    expect(directive('img-src', { resourceDomains: ['https://cdn.example/'] })).toContain(
      ' https://cdn.example/',
    );
  });

  it('takes no declaration that would widen or end a directive', () => {
    const bad = [
      '*',
      'https:',
      'https://*',
      "'self'",
      'https://a.example; script-src *',
      'https://a.example/path b',
      'data:',
      'javascript:1',
      5,
      null,
    ];
    expect(directive('connect-src', { connectDomains: bad })).toBe('connect-src data: blob:');
    expect(directive('frame-src', { frameDomains: 'https://a.example' })).toBe("frame-src 'none'");
  });

  it('reaches nothing nearer to the user than its server', () => {
    const connectDomains = ['http://127.0.0.1:11434', 'http://router.local', 'https://a.example'];
    expect(directive('connect-src', { connectDomains })).toBe('connect-src data: blob: https://a.example');
    expect(directive('connect-src', { connectDomains }, null)).toContain('http://127.0.0.1:11434');
    // A wildcard stands for what an address begins with as well.
    const ends = ['ws://*.0.0.1:*', 'http://*.168.1.1', 'http://*.1', 'http://*.localhost', 'http://*.lan'];
    expect(directive('connect-src', { connectDomains: ends })).toBe('connect-src data: blob:');
    expect(directive('frame-src', { frameDomains: ends })).toBe("frame-src 'none'");
    expect(directive('connect-src', { connectDomains: ends }, '192.168.1.9')).not.toContain('.1');
  });
});

describe('what a tool says of its app', () => {
  it('is an address of a UI resource, and who may call the tool', () => {
    expect(readToolApp({ ui: { resourceUri: 'ui://a', visibility: ['app'] } })).toEqual({
      uri: 'ui://a',
      only: 'app',
    });
    expect(readToolApp({ 'ui/resourceUri': 'ui://old' })).toEqual({ uri: 'ui://old' });
    expect(readToolApp({ ui: { visibility: ['model', 'app'] } })).toBeUndefined();
    for (const meta of [undefined, 5, {}, { ui: 'ui://a' }, { ui: { resourceUri: 'https://a.example' } }])
      expect(readToolApp(meta)).toBeUndefined();
  });
});
