import mammoth from 'mammoth';
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

/** Bytes of all parts of a document, unpacked: XML takes some thirty a character, and no model reads more than a million. */
const MOST_BYTES = 50_000_000;

/**
 * Unpacks a ZIP archive (PKWARE APPNOTE, 4.3) without keeping any of it: a small one can hold more than there is memory for,
 * whatever it says of its size, and who reads it would find that out at its end.
 * @throws Unreadable
 */
async function requireSmall(archive: Uint8Array<ArrayBuffer>): Promise<void> {
  let size = 0;
  try {
    for (const part of partsOf(archive)) {
      for await (const piece of part) {
        size += piece.length;
        if (size > MOST_BYTES) throw new Unreadable({ why: 'inflated', most: MOST_BYTES });
      }
    }
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable({ why: 'broken', kind: 'docx', cause: causeOf(error) });
  }
}

type Stream = ReadableStream<Uint8Array<ArrayBuffer>>;

/** In the order of the central directory, which is what counts. @throws Error */
function partsOf(archive: Uint8Array<ArrayBuffer>): Stream[] {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = endOf(view);
  const [size, begin] = [view.getUint32(end + 12, true), view.getUint32(end + 16, true)];
  // Readers differ in how they find a directory that stands elsewhere.
  if (begin + size !== end) throw new Error('Its directory is not where it says.');
  // 0xffff sends readers on to the directory of a ZIP64 (4.4.1.4), which is not the one that is measured.
  for (let at = end + 4; at < end + 12; at += 2)
    if (view.getUint16(at, true) === 0xffff) throw new Error('It has another directory.');
  const parts: Stream[] = [];
  for (let at = begin; at < end;) {
    const local = view.getUint32(at + 42, true);
    const data = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const packed = new Blob([archive.subarray(data, data + view.getUint32(at + 20, true))]).stream();
    const isDeflated = view.getUint16(at + 10, true) === 8;
    parts.push(isDeflated ? packed.pipeThrough(new DecompressionStream('deflate-raw')) : packed);
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return parts;
}

/** Where the record that ends it begins. @throws Error */
function endOf(view: DataView): number {
  for (let at = view.byteLength - 22; at >= 0; at -= 1)
    if (view.getUint32(at, true) === 0x06054b50) return at;
  throw new Error('It has no directory.');
}
