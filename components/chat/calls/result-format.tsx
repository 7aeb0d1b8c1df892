import type { JSX } from 'preact';
import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { jsonNodes, jsonTable } from '../../../lib/state/chat/json-nodes.ts';
import type { ToolResult } from '../../../lib/types/tools/tool-result.ts';
import { t } from '../../../locales/texts/panel.ts';

type Format = 'table' | 'structured' | 'text';

const nameOf = (format: Format): string =>
  format === 'table' ? t(($) => $.card.table) : t(($) => $.tool[format]);

/** The ways in which a result can be read, and the one that is chosen. Data is what the server calls that, else text that is JSON. A list of flat objects is a table first. */
export function useResultFormat({ text, structured }: ToolResult) {
  const id = useId();
  const [chosen, choose] = useState<Format | null>(null);
  const source = structured === undefined ? text : (JSON.stringify(structured) ?? '');
  const data = useMemo(() => jsonNodes(source), [source]);
  const table = useMemo(() => jsonTable(data), [data]);
  const formats: Format[] = [
    ...(table ? (['table'] as const) : []),
    ...(data ? (['structured'] as const) : []),
    ...(text !== '' || !data ? (['text'] as const) : []),
  ];
  const shown = chosen !== null && formats.includes(chosen) ? chosen : (formats[0] ?? 'text');
  const copied = (): string => (shown === 'text' && text !== '' ? text : source);
  return { id, formats, shown, choose, data, table, copied };
}

export type ResultFormat = ReturnType<typeof useResultFormat>;

/** Tabs, where there is more than one way. */
export function FormatTabs({ id, formats, shown, choose }: ResultFormat): JSX.Element | null {
  const tabs = useRef<HTMLDivElement>(null);
  if (formats.length < 2) return null;
  const onKeyDown = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = by && formats.at((formats.indexOf(shown) + by) % formats.length);
    if (!next) return;
    event.preventDefault();
    choose(next);
    tabs.current?.querySelector<HTMLElement>(`[data-format="${next}"]`)?.focus();
  };
  return (
    <div class="seg" role="tablist" aria-label={t(($) => $.tool.format)} ref={tabs} onKeyDown={onKeyDown}>
      {formats.map((format) => (
        <button
          key={format}
          type="button"
          role="tab"
          id={`${id}-${format}`}
          data-format={format}
          aria-selected={format === shown}
          aria-controls={`${id}-panel`}
          tabIndex={format === shown ? 0 : -1}
          onClick={() => choose(format)}
        >
          {nameOf(format)}
        </button>
      ))}
    </div>
  );
}
