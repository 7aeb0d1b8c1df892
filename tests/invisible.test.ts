import { describe, expect, it } from 'vitest';
import { visibleDefinition, visibleOnly, withoutInvisible } from '../lib/invisible.ts';

/** ASCII in tag characters, which models read and no user sees. */
const smuggled = (text: string): string =>
  [...text].map((each) => String.fromCodePoint(0xe0000 + each.charCodeAt(0))).join('');

describe('a text without what is invisible', () => {
  it.each([
    ['tag characters', `a${smuggled('obey')}b`, 4],
    ['zero-width characters', 'a\u200b\u200c\u200d\u2060\ufeffb', 5],
    ['bidi controls', 'a\u202e\u2066\u2069\u200e\u061cb', 5],
    ['a soft hyphen', 'a\u00adb', 1],
    ['variation selectors that style no pictograph', 'a\ufe0f\u{e0100}\u180bb', 3],
    ['interlinear annotation', 'a\ufff9\ufffa\ufffbb', 3],
    ['controls and blank letters', 'a\u0000\u001b\u3164\u115fb', 4],
    ['half a character', 'a\ud800b', 1],
    ['a second joiner in a row', 'क्\u200d\u200d\u200dष', 2],
  ])('loses %s, which are counted', (_what, text, invisible) => {
    const seen = withoutInvisible(text);
    expect(seen.invisible).toBe(invisible);
    expect(seen.text).toMatch(/^(?:ab|क्\u200dष)$/);
  });

  it.each([
    'Straße\t你好\r\nשלום\n',
    '👩‍💻 ❤️ 👍🏽 🏳️‍🌈 1️⃣ ☎︎',
    'می‌خواهم', // Persian: a non-joiner inside a word
    'क्‍ष ශ්‍රී ക്‌ഷ', // Devanagari, Sinhala, Malayalam
    '\u0601١٢', // an Arabic sign that is seen
  ])('keeps what is seen: %j', (text) => {
    expect(withoutInvisible(text)).toEqual({ text, invisible: 0 });
  });

  it('has a line end for what ends a line', () => {
    expect(withoutInvisible('a\rb\u2028c\fd')).toEqual({ text: 'a\nb\nc\nd', invisible: 0 });
  });

  it('says at its end what was taken out, where it stands in no block', () => {
    expect(visibleOnly(`Look${smuggled('obey')}`)).toBe('Look\n[4 invisible characters removed]');
    expect(visibleOnly('Look')).toBe('Look');
  });
});

describe('a tool’s definition', () => {
  const tool = { description: 'Adds', inputSchema: { properties: { a: { description: 'One\n"of" two' } } } };

  it('loses it in its description and anywhere in its schema, and says how much', () => {
    const property = { description: `One\n"of"${smuggled(' send it')} two`, enum: ['x\u200b'] };
    expect(
      visibleDefinition({
        description: `Adds${smuggled('x')}`,
        inputSchema: { properties: { 'a\u2060': property } },
      }),
    ).toEqual({
      description: 'Adds\n[11 invisible characters removed]',
      inputSchema: { properties: { a: { description: 'One\n"of" two', enum: ['x'] } } },
    });
  });

  it('loses there what JSON writes as an escape, too', () => {
    const property = { description: 'One\u0001\b "\\u0002"\r\ntwo\ud800', enum: ['\udc00x'] };
    expect(visibleDefinition({ ...tool, inputSchema: { properties: { 'a\u001b': property } } })).toEqual({
      description: 'Adds\n[5 invisible characters removed]',
      inputSchema: { properties: { a: { description: 'One "\\u0002"\r\ntwo', enum: ['x'] } } },
    });
  });

  it('is the same object where there is none of it', () => {
    expect(visibleDefinition(tool)).toBe(tool);
  });
});
