import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandTemplate, templateVariables } from '../lib/uri-template.ts';
import './properties.ts';

/** RFC 6570, section 1.2 and 3.2, but for maps. */
const values = {
  var: 'value',
  hello: 'Hello World!',
  path: '/foo/bar',
  x: '1024',
  y: '768',
  empty: '',
  half: '50%',
  list: ['red', 'green', 'blue'],
};

describe('a URI template', () => {
  it.each([
    ['{var}', 'value'],
    ['{hello}', 'Hello%20World%21'],
    ['{half}', '50%25'],
    ['{+path}/here', '/foo/bar/here'],
    ['{+hello}', 'Hello%20World!'],
    ['{x,y}', '1024,768'],
    ['{x,hello,y}', '1024,Hello%20World%21,768'],
    ['{#path,x}/here', '#/foo/bar,1024/here'],
    ['X{.x,y}', 'X.1024.768'],
    ['{/var,x}/here', '/value/1024/here'],
    ['{;x,y}', ';x=1024;y=768'],
    ['{?x,y}', '?x=1024&y=768'],
    ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
    ['{var:3}', 'val'],
    ['{list}', 'red,green,blue'],
    ['{list*}', 'red,green,blue'],
    ['{/list*}', '/red/green/blue'],
    ['{?list*}', '?list=red&list=green&list=blue'],
    ['{?list}', '?list=red,green,blue'],
    ['{.list*}', '.red.green.blue'],
    ['{undefined}', ''],
    ['O{?undefined,x}', 'O?x=1024'],
    ['{?undefined,empty}', ''],
  ])('%s is %s', (template, uri) => {
    expect(expandTemplate(template, values)).toBe(uri);
  });

  it('divides the text of an exploded path', () => {
    const template = 'repo://{owner}/{repo}/contents{/path*}';
    const filled = { owner: 'me', repo: 'it', path: 'src/a b.ts' };
    expect(templateVariables(template)).toEqual(['owner', 'repo', 'path']);
    expect(expandTemplate(template, filled)).toBe('repo://me/it/contents/src/a%20b.ts');
  });

  it('lists each variable once, in order', () => {
    expect(templateVariables('{a}/{b,c:3}{?a,d*}')).toEqual(['a', 'b', 'c', 'd']);
    expect(templateVariables('note://all')).toEqual([]);
  });

  it('takes nothing from the prototype of the values', () => {
    expect(expandTemplate('{constructor}', {})).toBe('');
  });

  it('is expanded without a throw, whatever it holds, and leaves no variable in it', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'grapheme-composite' }), (template, value) => {
        const names = templateVariables(template);
        expandTemplate(template, Object.fromEntries(names.map((name) => [name, value])));
        expect(expandTemplate('x:{v}', { v: value })).toMatch(/^x:[\w.~%-]*$/);
      }),
    );
  });
});
