import type { JSX } from 'preact';
import { pretty, visible } from '../../../lib/state/shown-text.ts';
import type { ToolResult } from '../../../lib/types/tools/tool-result.ts';
import { JsonTree } from '../../ui/json-tree.tsx';
import { Media, type ReadLink } from './content-block.tsx';
import { Raw } from '../message/raw.tsx';
import { FormatTabs, useResultFormat, type ResultFormat } from './result-format.tsx';
import { Moments } from './result-pictures.tsx';
import { t } from '../../../locales/texts/panel.ts';
import { useState } from 'preact/hooks';
import type { JsonTable } from '../../../lib/state/chat/json-nodes.ts';
import './result-table.css';

/** What came of a call, with the ways to read it above it. */
export function Result({ result, read }: { result: ToolResult; read?: ReadLink }): JSX.Element {
  const format = useResultFormat(result);
  return (
    <>
      {format.formats.length > 1 && (
        <div class="formats">
          <FormatTabs {...format} />
        </div>
      )}
      <ResultBody result={result} format={format} {...(read && { read })} />
    </>
  );
}

/** Its data or its text, then what is neither. */
export function ResultBody(props: {
  result: ToolResult;
  format: ResultFormat;
  read?: ReadLink;
}): JSX.Element {
  const { result, format, read } = props;
  const { text, blocks = [], dropped, omitted } = result;
  // Text that is only for the user is not in what the model reads.
  const media = blocks.filter((block) =>
    block.type === 'text' ? !text.includes(block.text) : block.type !== 'image' || !block.moment,
  );
  const says = text !== '' || format.data !== undefined || media.length === 0;
  const { id, shown, formats } = format;
  return (
    <>
      {says &&
        (formats.length > 1 ? (
          <div class="part-panel" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown}`}>
            <Shown key={shown} text={text} format={format} />
          </div>
        ) : (
          <Shown text={text} format={format} />
        ))}
      <Moments blocks={blocks} />
      {media.map((block, position) => (
        <Media key={position} block={block} {...(read && { read })} />
      ))}
      {omitted !== undefined && (
        <p class="shot small subtle">{t(($) => $.tool.omitted, { characters: omitted })}</p>
      )}
      {dropped && <p class="shot small subtle">{t(($) => $.tool.dropped)}</p>}
    </>
  );
}

function Shown({ text, format }: { text: string; format: ResultFormat }): JSX.Element {
  const { shown, data, table } = format;
  if (shown === 'table' && table) return <ResultTable table={table} />;
  if (shown === 'structured' && data) return <JsonTree value={data} label={t(($) => $.tool.result)} />;
  return <Raw text={pretty(text)} />;
}

const FIRST_ROWS = 50;
/** Characters of a cell; the tree has the whole. */
const SHORT = 200;

const cell = (text: string): string => visible(text.length > SHORT ? `${text.slice(0, SHORT)}…` : text);

/** A list of flat objects. Of very many rows the first, until all are asked for. */
function ResultTable({ table: { columns, rows } }: { table: JsonTable }): JSX.Element {
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
