import Turndown from 'turndown';

/** What a page shows as Markdown: links and emphasis, lists, code, and tables as rows between bars. */
export function toMarkdown(content: HTMLElement): string {
  const turndown = converter();
  const texts = pieces(content).map((piece) =>
    isDataTable(piece) ? tableRows(piece, turndown) : turndown.turndown(held(piece)),
  );
  return tidy(texts.join('\n\n'));
}

/** The converter takes what is inside of what it is given. */
function held(piece: HTMLElement): HTMLElement {
  if (!BLOCKS.test(piece.nodeName)) return piece;
  const holder = piece.ownerDocument.createElement('div');
  holder.append(piece);
  return holder;
}

/** Tags that hold nothing but blocks, and those that are blocks. */
const HOLDERS = /^(BODY|MAIN|ARTICLE|SECTION|DIV|HEADER|FOOTER|ASIDE|NAV|FORM|FIGURE)$/;
const BLOCKS = /^(P|H[1-6]|UL|OL|DL|TABLE|PRE|BLOCKQUOTE|HR|ADDRESS|DETAILS)$/;

/** The converter copies all that it has so far at every block: a long page would take it a minute in one piece. */
function pieces(content: HTMLElement): HTMLElement[] {
  const inside = [...content.childNodes].filter(
    (node) => node.nodeName !== '#text' || node.textContent?.trim() !== '',
  );
  const isSplit = HOLDERS.test(content.nodeName) && inside.every(isBlock);
  return isSplit ? inside.flatMap((node) => pieces(node as HTMLElement)) : [content];
}

const isBlock = ({ nodeName }: Node): boolean => HOLDERS.test(nodeName) || BLOCKS.test(nodeName);

function converter(): Turndown {
  const turndown = new Turndown({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
    hr: '---',
  });
  turndown.escape = (text) => text; // it is never rendered, and a backslash costs a token
  turndown.addRule('picture', {
    filter: 'img',
    replacement: (_content, node) => `[Picture: ${(node as Element).getAttribute('alt') ?? ''}]`,
  });
  turndown.addRule('box', {
    filter: ['details', 'summary', 'dialog', 'legend', 'search'],
    replacement: (content) => `\n\n${content}\n\n`,
  });
  turndown.addRule('struck', {
    filter: ['del', 's'],
    replacement: (content) => (content.trim() === '' ? content : `~~${content}~~`),
  });
  turndown.addRule('anchor', {
    // A link without a target, and one without words, say nothing.
    filter: (node) => node.nodeName === 'A' && (!node.getAttribute('href') || node.textContent.trim() === ''),
    replacement: (content) => content,
  });
  turndown.addRule('table', {
    filter: (node) => node.nodeName === 'TABLE' && isDataTable(node),
    replacement: (_content, node) => `\n\n${tableRows(node as HTMLTableElement, turndown)}\n\n`,
  });
  return turndown;
}

/** Its rows between bars, a line each; the first of them is the head. */
function tableRows(table: HTMLTableElement, turndown: Turndown): string {
  const lines = [...table.rows].map((row) => {
    const cells = [...row.cells].flatMap((cell) => [
      ` ${cellText(cell, turndown)} |`,
      ...Array<string>(columnsOf(cell) - 1).fill('  |'),
    ]);
    return { text: `|${cells.join('')}`, columns: cells.length };
  });
  const [head, ...rest] = lines;
  if (!head) return '';
  return [head.text, `|${' --- |'.repeat(head.columns)}`, ...rest.map(({ text }) => text)].join('\n');
}

function cellText(cell: HTMLElement, turndown: Turndown): string {
  const text = cell.childElementCount === 0 ? cell.textContent : turndown.turndown(cell);
  return text.trim().replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');
}

const known = new WeakMap<Element, boolean>();

/** Not one that only puts things side by side. */
function isDataTable(table: Element): table is HTMLTableElement {
  if (!(table instanceof HTMLTableElement)) return false;
  const before = known.get(table);
  if (before !== undefined) return before;
  const isLayout =
    /^(presentation|none)$/.test(table.getAttribute('role') ?? '') || table.querySelector('table') !== null;
  const isData = !isLayout && (table.rows[0]?.cells.length ?? 0) > 1;
  known.set(table, isData);
  return isData;
}

/** No more than people give a cell: the number is the page's. */
const columnsOf = (cell: Element): number =>
  Math.min(50, Math.max(1, Number.parseInt(cell.getAttribute('colspan') ?? '1', 10) || 1));

/** Without spaces at the ends of lines and without more than one empty line. */
const tidy = (text: string): string =>
  text
    .replaceAll(/(?<![^\S\n])[^\S\n]+$/gm, '')
    .replaceAll(/^( *(?:-|\d+\.)) +/gm, '$1 ')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
