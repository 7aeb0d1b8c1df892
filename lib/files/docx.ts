import mammoth from 'mammoth';
import { requireSmall } from './docx-size.ts';
import { causeOf, Unreadable } from '../unreadable.ts';
import type { FileContent } from './kind.ts';
import { requireLength } from './text.ts';

/** A part of the document as mammoth reads it (its `lib/documents.js`). */
type Part = {
  type: string;
  children?: Part[];
  value?: string;
  styleName?: string | null;
  numbering?: { isOrdered: boolean; level: string } | null;
  href?: string;
};

/** The text with what shapes it: headings, lists and tables as in Markdown. Pictures are left out, and counted. */
export async function readDocx(file: File): Promise<FileContent> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  await requireSmall(bytes);
  const document = await parsed(bytes.buffer);
  const pictures = countPictures(document);
  const text = blocksOf(document)
    .join('\n\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
  const left =
    pictures > 0 ? `\n\n(${pictures === 1 ? 'One picture is' : `${pictures} pictures are`} left out.)` : '';
  const mimeType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  return { text: requireLength(text) + left, mimeType };
}

/** mammoth hands out its tree only on the way to HTML, of which nothing is wanted here. */
async function parsed(arrayBuffer: ArrayBuffer): Promise<Part> {
  let document: Part = { type: 'document' };
  // Its build for Node, where tests run, takes the bytes under the other name.
  const input = { arrayBuffer, buffer: arrayBuffer };
  const keep = (whole: Part): Part => {
    document = whole;
    return { ...whole, children: [] };
  };
  try {
    await mammoth.convertToHtml(input, { transformDocument: keep });
  } catch (error) {
    throw new Unreadable({ why: 'broken', kind: 'docx', cause: causeOf(error) });
  }
  return document;
}

/** Paragraphs and tables; what belongs together, such as the items of a list, as one. */
function blocksOf({ children = [] }: Part): string[] {
  const blocks: string[] = [];
  let listed = false;
  for (const child of children) {
    const text = child.type === 'table' ? table(child) : paragraph(child);
    const isItem = Boolean(child.numbering);
    const last = blocks.length - 1;
    if (isItem && listed) blocks[last] += `\n${text}`;
    else if (text !== '') blocks.push(text);
    listed = isItem;
  }
  return blocks;
}

/** Level of a list in Word. A file may say any number. */
const DEEPEST = 8;

function paragraph(part: Part): string {
  const text = inline(part).trim();
  if (text === '') return '';
  const level = /^(?:heading ([1-6])|title)$/i.exec(part.styleName ?? '');
  if (level) return `${'#'.repeat(Number(level[1] ?? 1))} ${text}`;
  if (!part.numbering) return text;
  const { level: depth, isOrdered } = part.numbering;
  const indent = '  '.repeat(Math.max(0, Math.min(Number(depth), DEEPEST)));
  return `${indent}${isOrdered ? '1.' : '-'} ${text}`;
}

function table({ children: rows = [] }: Part): string {
  const lines = rows.map(({ children: cells = [] }) => {
    const texts = cells.map((cell) =>
      blocksOf(cell)
        .join(' ')
        .replaceAll(/\s+/g, (space) => (space.includes('\n') ? ' ' : space))
        .replaceAll('|', '\\|'),
    );
    return `| ${texts.join(' | ')} |`;
  });
  const [head = '', ...rest] = lines;
  const columns = rows[0]?.children?.length ?? 0;
  return [head, `|${' --- |'.repeat(columns)}`, ...rest].join('\n');
}

function inline({ type, value = '', children = [], href }: Part): string {
  if (type === 'text') return value;
  if (type === 'tab') return '\t';
  if (type === 'break') return '\n';
  const text = children.map(inline).join('');
  return type === 'hyperlink' && href && href !== text ? `[${text}](${href})` : text;
}

const countPictures = ({ type, children = [] }: Part): number =>
  children.reduce((sum, child) => sum + countPictures(child), type === 'image' ? 1 : 0);
