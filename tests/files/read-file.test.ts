import { describe, expect, it } from 'vitest';
import type { FileContent } from '../../lib/files/kind.ts';
import { errorOf } from '../../lib/reader/failures.ts';
import { Unreadable } from '../../lib/unreadable.ts';
import { readFile } from '../fakes/read-file.ts';
import { docx, item, lockedPdf, paragraph, pdf, withZip64Directory } from './made.ts';

const read = (name: string, content: BlobPart, { type = '' } = {}): Promise<FileContent> =>
  readFile(new File([content], name, { type }));

/** What a user is told of a file that can't be read: the message, the cause if there is one, what to do. */
async function refusal(name: string, content: BlobPart, type?: string): Promise<string> {
  const failed = await read(name, content, type === undefined ? {} : { type }).then(
    () => undefined,
    (error: unknown) => (error instanceof Unreadable ? errorOf(error.failure, name) : undefined),
  );
  return [failed?.message, failed?.detail, failed?.fix].filter(Boolean).join(' ');
}

const utf16 = (text: string, big: boolean): Uint8Array<ArrayBuffer> => {
  const view = new DataView(new ArrayBuffer(2 * text.length + 2));
  [...`\ufeff${text}`].forEach((char, at) => view.setUint16(2 * at, char.charCodeAt(0), !big));
  return new Uint8Array(view.buffer);
};

describe('a text', () => {
  it.each([
    ['notes.txt', 'text/plain'],
    ['table.csv', 'text/csv'],
    ['table.TSV', 'text/tab-separated-values'],
    ['data.json', 'application/json'],
    ['README.md', 'text/markdown'],
    ['page.html', 'text/html'],
    ['drawing.svg', 'application/xml'],
    ['main.ts', 'text/plain'],
    ['Makefile', 'text/plain'],
    ['constructor', 'text/plain'],
  ])('%s is read as it stands there, as %s', async (name, mimeType) => {
    expect(await read(name, '<b>one</b>,two\n')).toEqual({ text: '<b>one</b>,two\n', mimeType });
  });

  it('is what its bytes say, whatever the system calls it', async () => {
    expect(await read('main.ts', 'let a = 1;', { type: 'video/mp2t' })).toMatchObject({ text: 'let a = 1;' });
  });

  it.each([
    ['UTF-8', new TextEncoder().encode('Grüße €')],
    ['UTF-8 with a mark', new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode('Grüße €')])],
    ['little-endian UTF-16', utf16('Grüße €', false)],
    ['big-endian UTF-16', utf16('Grüße €', true)],
    ['windows-1252', new Uint8Array([0x47, 0x72, 0xfc, 0xdf, 0x65, 0x20, 0x80])],
  ])('may be written in %s', async (_name, bytes) => {
    expect((await read('a.txt', bytes)).text).toBe('Grüße €');
  });

  it('has one kind of line ends', async () => {
    expect((await read('a.txt', 'one\r\ntwo\rthree\n')).text).toBe('one\ntwo\nthree\n');
  });

  it('may hold the colours of a terminal', async () => {
    expect((await read('build.log', '\u001b[31mred\u001b[0m')).text).toContain('red');
  });

  it('that is too long is refused with the limit in words', async () => {
    expect(await refusal('a.txt', 'x'.repeat(1_000_001))).toBe(
      'The file is too long to attach. It has 1,000,001 characters of text; Portside attaches up to 1,000,000. Attach part of it.',
    );
    expect(await refusal('a.txt', 'x'.repeat(4_000_001))).toBe(
      'The file is too large to attach. Its size is 4 MB; the limit for text files is 4 MB. Attach part of it.',
    );
  });
});

describe('a PDF', () => {
  it('gives the text of each page', async () => {
    const { text, mimeType } = await read('a.pdf', pdf([['First line', 'second line'], [], ['Third page']]));
    expect(mimeType).toBe('application/pdf');
    expect(text).toBe(
      '[Page 1 of 3]\nFirst line\nsecond line\n\n[Page 2 of 3]\n\n\n[Page 3 of 3]\nThird page',
    );
  });

  it('is known by its bytes, not by its name', async () => {
    expect((await read('invoice.txt', pdf([['Total']]))).text).toContain('Total');
  });

  it('says that it holds no text, when it was scanned', async () => {
    expect(await refusal('scan.pdf', pdf([[], []]))).toMatch(
      /has no text: its 2 pages are blank or images.*recognition/,
    );
  });

  it('says that it is locked', async () => {
    expect(await refusal('locked.pdf', lockedPdf())).toMatch(/locked with a password.*without the password/);
  });

  it('says that it is damaged', async () => {
    expect(await refusal('broken.pdf', '%PDF-1.7 and then nothing')).toMatch(/^The PDF can’t be read/);
  });
});

describe('a Word document', () => {
  it('gives headings, lists and tables as in Markdown', async () => {
    const cells = (...texts: string[]): string =>
      `<w:tr>${texts.map((text) => `<w:tc>${paragraph(text)}</w:tc>`).join('')}</w:tr>`;
    const bytes = docx(
      [
        paragraph('Plan', '<w:pStyle w:val="Heading2"/>'),
        paragraph('A &lt;first&gt; paragraph.'),
        item('milk', 1),
        item('semi-skimmed', 1, 1),
        item('one', 2),
        `<w:tbl>${cells('Name', 'a|b')}${cells('x', 'y')}</w:tbl>`,
      ].join(''),
    );
    const { text } = await read('plan.docx', bytes);
    expect(text).toBe(
      [
        '## Plan',
        'A <first> paragraph.',
        '- milk\n  - semi-skimmed\n1. one',
        '| Name | a\\|b |\n| --- | --- |\n| x | y |',
      ].join('\n\n'),
    );
  });

  it('that unpacks to more than any text takes is refused, whatever it says of its size', async () => {
    const bomb = docx(paragraph(' '.repeat(60_000_000)), { packed: true, claims: 100 });
    expect(bomb.length).toBeLessThan(100_000);
    expect(await refusal('a.docx', bomb)).toBe(
      'The Word document is too large to attach. Unpacked, it takes up more than 50 MB. Attach part of it.',
    );
    expect((await read('a.docx', docx(paragraph('Fair weather'), { packed: true }))).text).toBe(
      'Fair weather',
    );
  });

  it('with a ZIP64’s directory beside the one that is measured is refused', async () => {
    const [shown, hidden] = ['Fair', 'Foul'].map((text) => docx(paragraph(text), { packed: true }));
    expect(await refusal('a.docx', withZip64Directory(shown!, hidden!))).toMatch(
      /^The Word document can’t be read/,
    );
  });

  it('has its lists no deeper than Word makes them, whatever it says', async () => {
    const items = [item('milk', 1, -1), item('bread', 1, 100_000_000)];
    const { text } = await read('a.docx', docx(items.join('')));
    expect(text).toBe(`- milk\n${' '.repeat(16)}- bread`);
  });

  it('says that it is empty, or damaged', async () => {
    expect(await refusal('a.docx', docx(''))).toMatch(/^The file is empty/);
    expect(await refusal('a.docx', 'PK\u0003\u0004 and then nothing')).toMatch(
      /^The Word document can’t be read/,
    );
  });
});

describe('what Portside can’t read', () => {
  it.each([
    ['sheet.xlsx', 'PK\u0003\u0004xl/workbook.xml', 'CSV'],
    ['locked.docx', '\u00d0\u00cf\u0000', 'password'],
    ['old.doc', '\u00d0\u00cf\u0000', 'DOCX'],
    ['talk.pptx', 'PK\u0003\u0004ppt/slides', 'PDF'],
    ['all.zip', 'PK\u0003\u0004all', 'Unpack'],
    ['program.exe', 'MZ\u0000\u0001', 'Text and code'],
  ])('%s is refused with what to do instead', async (name, content, way) => {
    expect(await refusal(name, content)).toMatch(new RegExp(`can’t read this kind of file.*${way}`));
  });

  it.each(['view.PNG', 'photo.jpeg', 'paper.pdf', 'letter.docx'])(
    '%s is refused when it is only text',
    async (name) => {
      const ending = name.split('.')[1]?.toLowerCase();
      expect(await refusal(name, 'Not found')).toMatch(
        `The file’s name ends in .${ending}, but it is plain text.`,
      );
    },
  );

  it('is refused by its first bytes, however large it is', async () => {
    expect(await refusal('disk.img', new Uint8Array(50_000_000))).toMatch(/can’t read this kind of file/);
  });

  it('an empty file', async () => {
    expect(await refusal('a.txt', '')).toMatch(/^The file is empty/);
    expect(await refusal('a.txt', ' \n')).toMatch(/^The file is empty/);
  });
});
