import { describe, expect, it } from 'vitest';
import { cutBySections } from '../../../../lib/tools/page/reading/compose.ts';

const chapter = (number: number): string => `## Chapter ${number}\n\n${'word '.repeat(60)}\n\n`;
const book = Array.from({ length: 10 }, (_each, at) => chapter(at + 1)).join('');

describe('a long page', () => {
  it('is cut before a section; what follows is named, with where it begins', () => {
    const { text, isCut } = cutBySections(book, 1_000, 'page-1');
    expect(isCut).toBe(true);
    const offset = Number(/"offset":(\d+)/.exec(text)?.[1]);
    expect(book.slice(offset)).toMatch(/^## Chapter 4\n/);
    expect(text.slice(0, text.indexOf('\n\n[Cut:'))).toBe(book.slice(0, offset).trimEnd());
    expect(text).toContain('read_more: {"result":"page-1"');
    const named = [...text.matchAll(/^## Chapter (\d+) \(offset (\d+)\)/gm)];
    expect(named.map(([, number]) => Number(number))).toEqual([4, 5, 6, 7, 8, 9, 10]);
    for (const [, number, at] of named) {
      expect(book.slice(Number(at))).toMatch(new RegExp(`^## Chapter ${number}\\n`));
    }
  });

  it('without sections is cut before a paragraph, a line or a word', () => {
    const cutOf = (page: string): string => cutBySections(page, 100, 'p').text.split('\n\n[Cut:')[0] ?? '';
    expect(cutOf(`${'a'.repeat(80)}\n\n${'b'.repeat(80)}`)).toBe('a'.repeat(80));
    expect(cutOf(`${'a'.repeat(80)}\n${'b'.repeat(80)}`)).toBe('a'.repeat(80));
    expect(cutOf(`${'a'.repeat(80)} ${'b'.repeat(80)}`)).toBe('a'.repeat(80));
    expect(cutOf('a'.repeat(200))).toBe('a'.repeat(100));
  });

  it('is cut between characters', () => {
    const { text } = cutBySections(`a${'🙂'.repeat(100)}`, 100, 'p');
    expect(text).not.toMatch(/(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])/);
  });

  it('has no sections in its code', () => {
    const page = `${'word '.repeat(30)}\n\n\`\`\`\n# no heading\n\`\`\`\n\n# A heading\n\n${'word '.repeat(30)}`;
    const { text } = cutBySections(page, 100, 'p');
    expect(text).toContain('# A heading (offset');
    expect(text).not.toContain('# no heading (offset');
  });
});

it('a short page stays as it is', () => {
  expect(cutBySections('# Short', 100, 'p')).toEqual({ text: '# Short', isCut: false });
});
