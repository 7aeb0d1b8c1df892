import * as dom from './dom.ts';
import { refOf } from './refs.ts';
import { withoutUnseen } from './unseen.ts';

/** Rows at once, those of a table that is only named, and characters in all of them. */
const MOST_ROWS = 500;
const FIRST_ROWS = 3;
const MOST_TEXT = 100_000;
/** Tables that are named. */
const MOST_TABLES = 50;
/** Milliseconds. */
const MOST_MS = 1_500;

const TABLES = 'table, [role="table"], [role="grid"], [role="treegrid"]';
const CELLS = 'td, th, [role="cell"], [role="gridcell"], [role="columnheader"], [role="rowheader"]';

/**
 * The tables of this document that are seen, each under its name with its first rows; or rows of one of them. Empty
 * where there are none.
 * @param ref of the one that is wanted
 * @param from its row to begin at
 */
export function readTables(document: Document, ref = '', from = 0): string {
  const tables = dom
    .selectDeep(document, TABLES, performance.now() + MOST_MS)
    .filter((table) => Element.prototype.checkVisibility.call(table, { visibilityProperty: true }));
  const wanted = tables.filter((table) => ref === '' || refOf(table) === ref).slice(0, MOST_TABLES);
  return wanted.map((table) => told(table, from, ref === '' ? FIRST_ROWS : MOST_ROWS)).join('\n\n');
}

function told(table: Element, from: number, most: number): string {
  const all = dom
    .select(table, 'tr, [role="row"]')
    .filter((row) => Element.prototype.closest.call(row, TABLES) === table);
  const lines = linesOf(all.slice(from), most);
  const caption = dom.select(table, 'caption')[0];
  const name = cellText(dom.attribute(table, 'aria-label') ?? (caption && dom.textContent(caption)));
  const end = from + lines.length;
  const next = end < all.length ? `, the next is row ${end}` : '';
  return `[${refOf(table)}]${name && ` ${name}`}: rows ${from} to ${end} of ${all.length}${next}\n${lines.join('\n')}`;
}

/** Rows between bars. */
function linesOf(rows: Element[], most: number): string[] {
  const lines: string[] = [];
  let left = MOST_TEXT;
  for (const row of rows.slice(0, most)) {
    const cells = dom
      .select(row, CELLS)
      .filter((cell) => Element.prototype.closest.call(cell, 'tr, [role="row"]') === row)
      .map((cell) => cellText(cell instanceof HTMLElement ? cell.innerText : dom.textContent(cell)));
    const line = `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
    left -= line.length;
    if (left < 0 && lines.length > 0) break;
    lines.push(line.slice(0, MOST_TEXT));
  }
  return lines;
}

const cellText = (text: string | null | undefined): string =>
  withoutUnseen(text ?? '')
    .text.replaceAll(/\s+/g, ' ')
    .trim();
