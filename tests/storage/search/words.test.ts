import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distinctWords, termsOf, wordsIn } from '../../../lib/storage/search/words.ts';

const words = (text: string): string[] => [...wordsIn(text)].map(({ word }) => word);

describe('the words of a text', () => {
  it('are the same whatever their case and accents', () => {
    expect(words('Ärger ÉCLAIR naïve İstanbul Straße ΣΊΣΥΦΟΣ Łódź')).toEqual(
      words('arger eclair naive istanbul strasse σισυφοσ lodz'),
    );
  });

  it('are the same in whatever form Unicode has them', () => {
    expect(words('한국어 が ﬁne Å')).toEqual(words('한국어 が ﬁne Å'.normalize('NFD')));
  });

  it('keep the marks that make another letter', () => {
    expect(words('が')).not.toEqual(words('か'));
  });

  it('are found in texts without spaces', () => {
    expect(words('私は東京に住んでいます')).toEqual(expect.arrayContaining(['私', '東京']));
    expect(words('ฉันรักภาษาไทย').length).toBeGreaterThan(2);
  });

  it.each([
    ['foo_bar', ['foo_bar', 'foo', 'bar']],
    ['issue-1708', ['issue-1708', 'issue', '1708']],
    ['getUserName', ['getusername', 'get', 'username', 'user', 'name']],
    ['HTTPServer', ['httpserver', 'http', 'server']],
    ['v1.2.3', ['v1.2.3', 'v1', '2.3', '2', '3']],
    ['1,000.50', ['1,000.50', '1', '000.50', '000', '50']],
    ['me@example.com', ['me@example.com', 'me', 'example.com', 'example', 'com']],
    ['Anna’s', ["anna's", 'anna', 's']],
    ['lib/storage/a.ts', ['lib', 'storage', 'a.ts', 'a', 'ts']],
  ])('of %s are the whole, what it ends with and its parts', (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it('are no longer than 64 characters, and a long one is no name', () => {
    expect(words('aB'.repeat(100))).toEqual(['ab'.repeat(32)]);
  });

  it('are at most 5,000 different ones, from the first 100,000 characters', () => {
    const many = Array.from({ length: 9_000 }, (_, index) => `w${index}`).join(' ');
    expect(distinctWords(many)).toHaveLength(5_000);
    expect(distinctWords(`${' '.repeat(100_000)}late`)).toEqual([]);
  });

  it('stand where they are said to stand', () => {
    const any = fc.string({ unit: 'binary', maxLength: 60 });
    fc.assert(
      fc.property(any, (text) => {
        const all = [...wordsIn(text)];
        expect(all.filter(({ word, start, end }) => !words(text.slice(start, end)).includes(word))).toEqual(
          [],
        );
      }),
    );
  });

  it('of a part of a text are those of the text, whatever surrounds it', () => {
    const name = fc.stringMatching(/^[a-zäÉ0-9]{1,8}(_[a-z]{1,5}){0,3}$/);
    fc.assert(
      fc.property(name, fc.string(), fc.string(), (text, before, after) => {
        expect(words(`${before} ${text} ${after}`)).toEqual(expect.arrayContaining(words(text)));
      }),
    );
  });
});

describe('what is looked for', () => {
  it('is each word once, names whole, at most six', () => {
    expect(termsOf('Foo_Bar foo_bar is x').map(({ word }) => word)).toEqual(['foo_bar', 'is', 'x']);
    expect(termsOf('a b c d e f g h')).toHaveLength(6);
  });

  it('may go on where it is the last word, or long enough', () => {
    expect(termsOf('of message i')).toEqual([
      { word: 'of', isPrefix: false },
      { word: 'message', isPrefix: true },
      { word: 'i', isPrefix: true },
    ]);
  });
});
