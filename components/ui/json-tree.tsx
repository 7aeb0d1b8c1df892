import { ChevronRight } from 'lucide';
import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { JsonNode } from '../../lib/state/chat/json-nodes.ts';
import { firstOpen, jsonRows, SHORT, type JsonRow, type JsonSlice } from '../../lib/state/chat/json-rows.ts';
import { visible } from '../../lib/state/shown-text.ts';
import { Icon } from './icon.tsx';
import './json-tree.css';
import { t } from '../../locales/texts/panel.ts';

/** A JSON object or list. One stop of the Tab key; arrows move in it, Left and Right close and open. Text is never markup. */
export function JsonTree({ value, label }: { value: JsonNode; label: string }): JSX.Element {
  const tree = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(() => firstOpen(value));
  const [reached, setReached] = useState('');
  const rows = useMemo(() => jsonRows(value, open), [value, open]);
  const at = Math.max(
    0,
    rows.findIndex(({ path }) => path === reached),
  );

  const toggle = (path: string): void => {
    const next = new Set(open);
    if (!next.delete(path)) next.add(path);
    setOpen(next);
    setReached(path);
  };
  const moveTo = (row: JsonRow | undefined): void => {
    if (!row) return;
    setReached(row.path);
    tree.current?.querySelector<HTMLElement>(`[data-path="${row.path}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[at];
    if (!row || event.ctrlKey || event.altKey || event.metaKey) return;
    const does = keyDoes(event.key, rows, at);
    if (does === null) return;
    event.preventDefault();
    if (does === 'toggle') toggle(row.path);
    else moveTo(does);
  };
  return (
    <div class="json-tree" role="tree" dir="ltr" aria-label={label} ref={tree} onKeyDown={onKeyDown}>
      {rows.map((row, index) => (
        <Row key={row.path} row={row} isReached={index === at} toggle={toggle} reach={setReached} />
      ))}
    </div>
  );
}

/** What a key does on the row at `at`: the row to go to, or that this one is opened or closed; null for nothing. */
function keyDoes(key: string, rows: JsonRow[], at: number): JsonRow | 'toggle' | null {
  const { open, level = 1 } = rows[at] ?? {};
  switch (key) {
    case 'ArrowDown':
      return rows[at + 1] ?? null;
    case 'ArrowUp':
      return rows[at - 1] ?? null;
    case 'Home':
      return rows[0] ?? null;
    case 'End':
      return rows.at(-1) ?? null;
    case 'ArrowRight':
      return open === false ? 'toggle' : open ? (rows[at + 1] ?? null) : null;
    case 'ArrowLeft':
      return open ? 'toggle' : (rows.slice(0, at).findLast((row) => row.level < level) ?? null);
    case 'Enter':
    case ' ':
      return open === undefined ? null : 'toggle';
    default:
      return null;
  }
}

function Row(props: {
  row: JsonRow;
  isReached: boolean;
  toggle: (path: string) => void;
  reach: (path: string) => void;
}): JSX.Element {
  const { row, isReached, toggle, reach } = props;
  const { path, level, name, node, open } = row;
  const branch = open !== undefined && node.type !== 'string';
  return (
    <div
      role="treeitem"
      data-path={path}
      aria-level={level}
      aria-setsize={row.siblings}
      aria-posinset={row.position}
      aria-expanded={open}
      tabIndex={isReached ? 0 : -1}
      style={`--level: ${level - 1}`}
      onFocus={() => reach(path)}
      onClick={branch ? () => toggle(path) : undefined}
    >
      {branch ? <Icon of={ChevronRight} small class="turn" /> : <span class="stem" />}
      <span>
        {name && <span class={name.isKey ? 'k' : 'k c'}>{visible(name.text)}</span>}
        <Value node={node} open={open} toggle={() => toggle(path)} />
      </span>
    </div>
  );
}

function Value(props: {
  node: JsonNode | JsonSlice;
  open: boolean | undefined;
  toggle: () => void;
}): JSX.Element {
  const { node, open, toggle } = props;
  switch (node.type) {
    case 'slice':
      return (
        <span class="c">
          {node.from === node.to ? node.from : t(($) => $.json.slice, { from: node.from, to: node.to })}
        </span>
      );
    case 'array':
      return <span class="c">{t(($) => $.json.items, { count: node.items.length })}</span>;
    case 'object':
      return (
        <span class="c">
          {open ? t(($) => $.json.entries, { count: node.entries.length }) : keysOf(node.entries)}
        </span>
      );
    case 'number':
      return <span class="n">{node.text}</span>;
    case 'word':
      return <span class="b">{node.text}</span>;
    case 'string':
      return <Words text={node.text} open={open} toggle={toggle} />;
  }
}

/** Enter, Left and Right do what the button does: it is no stop of its own. */
function Words(props: { text: string; open: boolean | undefined; toggle: () => void }): JSX.Element {
  const { text, open, toggle } = props;
  const shown = open === false ? `${text.slice(0, SHORT).replace(/[\ud800-\udbff]$/, '')}…` : text;
  return (
    <>
      <span class="s" dir="auto">
        {visible(JSON.stringify(shown))}
      </span>
      {open !== undefined && (
        <button type="button" class="link" tabIndex={-1} onClick={toggle}>
          {open ? t(($) => $.json.less) : t(($) => $.tool.showAllCharacters, { characters: text.length })}
        </button>
      )}
    </>
  );
}

/** So many keys say what an object is. */
const FEW_KEYS = 4;

function keysOf(entries: { key: string }[]): string {
  const keys = entries.slice(0, FEW_KEYS).map(({ key }) => visible(key.slice(0, 24)));
  return entries.length === 0 ? '{ }' : `{ ${keys.join(', ')}${entries.length > FEW_KEYS ? ', …' : ''} }`;
}
