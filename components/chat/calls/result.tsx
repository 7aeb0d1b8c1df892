import type { JSX } from 'preact';
import { pretty } from '../../../lib/state/shown-text.ts';
import type { ToolResult } from '../../../lib/types/tool.ts';
import { JsonTree } from '../../ui/json-tree.tsx';
import { Media, type ReadLink } from './content-block.tsx';
import { Raw } from '../message/raw.tsx';
import { FormatTabs, useResultFormat, type ResultFormat } from './result-format.tsx';
import { Moments } from './result-pictures.tsx';
import { ResultTable } from './result-table.tsx';
import { t } from '../../../locales/texts/panel.ts';

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
