import type { Tokens } from 'marked';
import { addTo, drawn, settle, watchWidth, type Ink, type Shared } from './ink.ts';
import { drawText } from './inline.ts';
import { mend } from './mend.ts';
import { Sequence, type View } from './sequence.ts';
import { t } from '../../locales/texts/panel.ts';

/** Rows that are laid out together: each of a table's can change the width of its columns. */
const MOST = 50;

/** Characters of a cell that stand in one line, however narrow the panel: the table scrolls rather than squeezes. */
const ONE_LINE = 20;

type Row = { type: 'row'; raw: string; cells: Tokens.TableCell[] };

/**
 * A table, whose rows are drawn one by one. A long one goes on in another with the same head, as in print.
 * @param further where it goes on
 */
export function tableView(place: Element, shared: Shared, further: () => Element): View<Tokens.Table> {
  const elements: HTMLElement[] = [];
  let header: Tokens.TableCell[] = [];
  let body: Element | undefined;
  const cellsOf = (cells: Tokens.TableCell[], final: boolean, open?: Tokens.TableCell): ChildNode[] =>
    drawn(shared, final, (into, ink) => {
      for (const cell of cells) into.append(cellOf(cell, ink, cell === open));
    });
  /** Wider than the panel it scrolls by itself. */
  const begin = (into: Element): Element => {
    const frame = addTo(into, 'div', 'table');
    frame.role = 'group';
    frame.ariaLabel = t(($) => $.markdown.table);
    const table = addTo(frame, 'table');
    addTo(addTo(table, 'thead'), 'tr').append(...cellsOf(header, true));
    elements.push(frame);
    return addTo(table, 'tbody');
  };
  const rows = new Sequence<Row>(() => {
    if (!body || body.childElementCount >= MOST) body = begin(further());
    const row = addTo(body, 'tr');
    return {
      elements: [row],
      leaf: () => row.lastElementChild ?? row,
      draw: ({ cells }, open) => {
        const nodes = cellsOf(cells, !open, open ? cells.findLast(({ text }) => text !== '') : undefined);
        if (open) settle(row, nodes);
        else row.replaceChildren(...nodes);
      },
    };
  });
  return {
    elements,
    leaf: () => rows.leaf() ?? body ?? place,
    draw: (token, open) => {
      // The line beneath the head may still say how its columns are aligned.
      if (!body || String(token.align) !== String(header.map(({ align }) => align))) {
        for (const frame of elements.splice(0)) frame.remove();
        header = token.header;
        body = begin(place);
      }
      rows.draw(token.rows.map(rowOf), open);
      if (!open)
        for (const frame of elements) if (frame.firstElementChild) watchWidth(frame.firstElementChild);
    },
  };
}

/** What a row says; cells that it leaves out are still to come. */
const rowOf = (cells: Tokens.TableCell[]): Row => ({
  type: 'row',
  raw: cells
    .map(({ text }) => text)
    .join('|')
    .replace(/(?<!\|)\|+$/, ''),
  cells,
});

function cellOf({ text, align, header }: Tokens.TableCell, ink: Ink, isOpen: boolean): HTMLElement {
  const cell = document.createElement(header ? 'th' : 'td');
  if (header) cell.scope = 'col';
  if (align) ink.after.push(() => cell.classList.add(align === 'right' ? 'end' : align));
  drawText(isOpen ? mend(text) : text, cell, ink);
  if (cell.textContent.length > ONE_LINE) ink.after.push(() => cell.classList.add('long'));
  cell.dir = 'auto';
  return cell;
}
