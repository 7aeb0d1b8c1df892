import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonTable } from '../../../lib/state/chat/json-nodes.ts';
import { visible } from '../../../lib/state/shown-text.ts';
import './result-table.css';
import { t } from '../../../locales/texts/panel.ts';

const FIRST_ROWS = 50;
/** Characters of a cell; the tree has the whole. */
const SHORT = 200;

const cell = (text: string): string => visible(text.length > SHORT ? `${text.slice(0, SHORT)}…` : text);

/** A list of flat objects. Of very many rows the first, until all are asked for. */
export function ResultTable({ table: { columns, rows } }: { table: JsonTable }): JSX.Element {
  const [whole, setWhole] = useState(false);
  const shown = whole ? rows : rows.slice(0, FIRST_ROWS);
  return (
    <>
      <div class="result-table" role="region" aria-label={t(($) => $.card.table)} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col" dir="auto">
                  {cell(column)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, position) => (
              <tr key={position}>
                {columns.map((column, index) => (
                  <td key={column} dir="auto">
                    {cell(row[index] ?? '')}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < rows.length && (
        <p class="shot">
          <button type="button" class="link small" onClick={() => setWhole(true)}>
            {t(($) => $.card.rows, { count: rows.length })}
          </button>
        </p>
      )}
    </>
  );
}
