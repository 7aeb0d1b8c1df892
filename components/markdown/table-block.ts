import type { Tokens } from 'marked';
import type { Block, Further } from './block.ts';
import { drawn, settle, type Ink, type Shared } from './ink.ts';
import { drawInline } from './inline.ts';
import { lexTable } from './lexer.ts';
import { bulletOf, indentOf, interrupts, isBlank } from './lines.ts';
import { mend } from './mend.ts';
import { watchWidth } from './scrolls.ts';
import { t } from '../../locales/texts/panel.ts';

/** A row longer than this is shown as text. */
const LONGEST_ROW = 20_000;

/** Rows that are laid out together: each of a table's can change the width of its columns. */
const MOST = 50;

/** Characters of a cell that stand in one line, however narrow the panel: the table scrolls rather than squeezes. */
const ONE_LINE = 20;

/** A table, whose rows are drawn one by one. A long one goes on in another with the same head, as in print. */
export class TableBlock implements Block {
  readonly #shared: Shared;
  readonly #head: string;
  readonly #further: Further;
  #body: HTMLElement;
  /** The last row, which may go on. */
  #row: string | undefined;
  #element: HTMLTableRowElement | undefined;
  #stale = false;

  /** @param head the first two lines */
  constructor(into: Element, shared: Shared, head: string, further: Further) {
    this.#shared = shared;
    this.#head = head;
    this.#further = further;
    this.#body = this.#begin(into);
  }

  #begin(into: Element): HTMLElement {
    const body = document.createElement('tbody');
    const token = lexTable(this.#head);
    const table = drawn(this.#shared, true, (holder, ink) => token && holder.append(tableOf(token, ink)));
    into.append(...table);
    into.lastElementChild?.querySelector('table')?.append(body);
    return body;
  }

  take(line: string): boolean {
    if (isBlank(line) || interrupts(line) || indentOf(line) >= 4 || bulletOf(line)) return false;
    this.#closeRow();
    this.#row = line;
    this.#stale = true;
    return true;
  }

  more(text: string): void {
    if (this.#row === undefined || this.#row.length > LONGEST_ROW) return;
    this.#row += text;
    this.#stale = true;
  }

  draw(open: boolean): void {
    if (this.#row === undefined || !this.#stale) return;
    this.#stale = false;
    const row = open ? mend(this.#row) : this.#row;
    const cells = lexTable(this.#head, row)?.rows[0] ?? [];
    if (!this.#element) {
      if (this.#body.childElementCount >= MOST) {
        this.#watch();
        this.#body = this.#begin(this.#further());
      }
      this.#body.append((this.#element = document.createElement('tr')));
    }
    const nodes = drawn(this.#shared, !open, (into, ink) => {
      for (const cell of cells) into.append(cellOf(cell, 'td', ink));
      if (cells.length === 0) into.append(row);
    });
    if (open) settle(this.#element, nodes);
    else this.#element.replaceChildren(...nodes);
  }

  close(): void {
    this.#closeRow();
    this.#watch();
  }

  #closeRow(): void {
    this.#stale = true;
    this.draw(false);
    this.#row = this.#element = undefined;
  }

  /** No more rows come into the table. */
  #watch(): void {
    if (this.#body.parentElement) watchWidth(this.#body.parentElement);
  }

  leaf = (): Element => this.#element?.lastElementChild ?? this.#body;
  lazy = (): boolean => false;
}

/** The table with its head; wider than the panel it scrolls by itself. */
export function tableOf(token: Tokens.Table, ink: Ink): HTMLElement {
  const frame = document.createElement('div');
  const table = document.createElement('table');
  const head = document.createElement('thead');
  const row = document.createElement('tr');
  for (const cell of token.header) row.append(cellOf(cell, 'th', ink));
  head.append(row);
  table.append(head);
  frame.append(table);
  ink.after.push(() => {
    frame.className = 'table';
    frame.role = 'group';
    frame.ariaLabel = t(($) => $.markdown.table);
  });
  return frame;
}

function cellOf({ tokens, align }: Tokens.TableCell, name: 'th' | 'td', ink: Ink): HTMLTableCellElement {
  const cell = document.createElement(name);
  if (name === 'th') cell.scope = 'col';
  if (align) ink.after.push(() => cell.classList.add(align === 'right' ? 'end' : align));
  drawInline(tokens, cell, ink);
  if (cell.textContent.length > ONE_LINE) ink.after.push(() => cell.classList.add('long'));
  cell.dir = 'auto';
  return cell;
}
