import * as dom from './dom.ts';
import { drawnRows } from './drawn.ts';
import { createLook, isAnySeen, type Look, type LookAt, placeOf } from './hidden.ts';
import { oneLine, textIn, type Words } from './inner-words.ts';
import { drawnOnly, leftOut } from './notes.ts';
import { refOf } from './refs.ts';
import { groundUnder } from './seen.ts';

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
  const look = createLook(document, groundUnder(document));
  const wanted = all.filter((table) => ref === '' || refOf(table) === ref);
  let unseen = 0;
  const seen = wanted.flatMap((table) => {
    const place = placeOf(look, table);
    if (isAnySeen(place)) return [{ table, kind: place.kind }];
    unseen += (dom.textContent(table) ?? '').trim().length;
    return [];
  });
  const most = ref === '' ? FIRST_ROWS : MOST_ROWS;
  const texts = seen.slice(0, MOST_TABLES).map(({ table, kind }) => told(look, table, kind, from, most));
  return [...texts, ...(unseen > 0 ? [leftOut(unseen)] : [])].join('\n\n');
}

type Kind = Look['kind'] | null;

function told(look: LookAt, table: Element, kind: Kind, from: number, most: number): string {
  const all = dom
    .select(table, 'tr, [role="row"]')
    .filter((row) => Element.prototype.closest.call(row, TABLES) === table);
  const words: Words = { look, hidden: 0 };
  const caption = dom.select(table, 'caption').find((each) => dom.parentNode(each) === table);
  const name = oneLine(
    dom.attribute(table, 'aria-label') ?? (caption ? textIn(words, caption, table, kind) : ''),
  );
  const head = `[${refOf(table)}]${name && ` ${name}`}: `;
  if (from > 0 && from >= all.length)
    return `${head}it has ${all.length} rows, counted from 0: none at ${from}`;
  const { lines, end } = linesOf(words, { table, kind }, all, from, most);
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
  { table, kind }: { table: Element; kind: Kind },
  rows: Element[],
  from: number,
  most: number,
): { lines: string[]; end: number } {
  const lines: string[] = [];
  let left = MOST_TEXT;
  let end = from;
  for (const row of rows.slice(from, from + most)) {
    const place = placeOf(words.look, row, table, kind);
    if (!isAnySeen(place)) {
      words.hidden += (dom.textContent(row) ?? '').trim().length;
      end += 1;
      continue;
    }
    const cells = dom
      .select(row, CELLS)
      .filter((cell) => Element.prototype.closest.call(cell, 'tr, [role="row"]') === row)
      .map((cell) => oneLine(textIn(words, cell, row, place.kind)));
    const line = `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
    left -= line.length;
    if (left < 0 && lines.length > 0) break;
    lines.push(line.slice(0, MOST_TEXT));
    end += 1;
  }
  return { lines, end };
}
