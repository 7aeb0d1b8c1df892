import * as dom from '../dom/dom.ts';
import { createLook, type Look } from '../dom/visibility/hidden.ts';
import { oneLine, textIn, type Words } from '../dom/inner-words.ts';
import { drawnOnly, leftOut } from './frame-readings.ts';
import { refOf } from '../dom/refs.ts';

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
  const all = dom.selectDeep(document, TABLES, performance.now() + MOST_MS);
  const look = createLook(document);
  const wanted = all.filter((table) => ref === '' || refOf(table) === ref);
  let unseen = 0;
  const seen = wanted.filter((table) => {
    const isSeen = look.placeOf(table).seen !== 'none';
    if (!isSeen) unseen += (dom.textContent(table) ?? '').trim().length;
    return isSeen;
  });
  const most = ref === '' ? FIRST_ROWS : MOST_ROWS;
  const texts = seen.slice(0, MOST_TABLES).map((table) => rowsOf(look, table, from, most));
  return [...texts, ...(unseen > 0 ? [leftOut(unseen)] : [])].join('\n\n');
}

function rowsOf(look: Look, table: Element, from: number, most: number): string {
  const all = dom
    .select(table, 'tr, [role="row"]')
    .filter((row) => Element.prototype.closest.call(row, TABLES) === table);
  const words: Words = { look, hidden: 0 };
  const caption = dom.select(table, 'caption').find((each) => dom.parentNode(each) === table);
  const name = oneLine(dom.attribute(table, 'aria-label') ?? (caption ? textIn(words, caption) : ''));
  const head = `[${refOf(table)}]${name && ` ${name}`}: `;
  if (from > 0 && from >= all.length)
    return `${head}it has ${all.length} rows, counted from 0: none at ${from}`;
  const { lines, end } = linesOf(words, all, from, most);
  const next = end < all.length ? `, the next is row ${end}` : '';
  const drawn = drawnRows(table);
  return [
    `${head}rows ${from} to ${end} of ${all.length}${next}`,
    ...lines,
    ...(drawn ? [drawnOnly(drawn)] : []),
    ...(words.hidden > 0 ? [leftOut(words.hidden)] : []),
  ].join('\n');
}

/** Rows between bars, without those that are not seen, and the row after the last. */
function linesOf(
  words: Words,
  rows: Element[],
  from: number,
  most: number,
): { lines: string[]; end: number } {
  const lines: string[] = [];
  let left = MOST_TEXT;
  let end = from;
  for (const row of rows.slice(from, from + most)) {
    if (words.look.placeOf(row).seen === 'none') {
      words.hidden += (dom.textContent(row) ?? '').trim().length;
      end += 1;
      continue;
    }
    const cells = dom
      .select(row, CELLS)
      .filter((cell) => Element.prototype.closest.call(cell, 'tr, [role="row"]') === row)
      .map((cell) => oneLine(textIn(words, cell)));
    const line = `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
    left -= line.length;
    if (left < 0 && lines.length > 0) break;
    lines.push(line.slice(0, MOST_TEXT));
    end += 1;
  }
  return { lines, end };
}

/**
 * Of a table or a list of which the page draws only a part: how many rows stand there, of how many it says that there
 * are (https://w3c.github.io/aria/#aria-rowcount, #aria-setsize; -1: the page does not know).
 */
export function drawnRows(element: Element): { rows: number; of: number } | undefined {
  const count = Number(dom.attribute(element, 'aria-rowcount') ?? NaN);
  if (count > 0 || count === -1) {
    const rows = dom.select(element, 'tr, [role="row"]').length;
    return count === -1 || rows < count ? { rows, of: count } : undefined;
  }
  const first = dom.attribute(element, 'role') === 'list' || dom.localName(element) === 'ul';
  if (!first) return undefined;
  const [item] = dom.select(element, '[aria-setsize]');
  const size = Number((item && dom.attribute(item, 'aria-setsize')) ?? NaN);
  const rows = Number.isNaN(size) ? 0 : dom.select(element, '[aria-setsize]').length;
  return size === -1 || rows < size ? { rows, of: size } : undefined;
}
