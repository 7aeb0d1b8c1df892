import { JSON_TOKENS } from '../shown-text.ts';

/**
 * A JSON value as it was written: numbers keep their digits, and a key that comes twice is there twice. `text` of a
 * string is what it means, that of a `number` and of a `word` (true, false, null) what stood there.
 */
export type JsonNode =
  | { type: 'object'; entries: { key: string; node: JsonNode }[] }
  | { type: 'array'; items: JsonNode[] }
  | { type: 'string' | 'number' | 'word'; text: string };

/** Nested deeper than this, JSON is shown as text: a tree would not be readable. */
const DEEPEST = 50;

/** Undefined for what is no JSON object or list, or nested too deeply. */
export function jsonNodes(text: string): JsonNode | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    JSON.parse(text);
  } catch {
    return undefined; // other text
  }
  return build(text);
}

/** @param text that is known to be JSON */
function build(text: string): JsonNode | undefined {
  const open: { node: JsonNode; key: string | null }[] = [];
  let root: JsonNode | undefined;
  const put = (node: JsonNode): void => {
    const parent = open.at(-1);
    if (!parent) root = node;
    else if (parent.node.type === 'array') parent.node.items.push(node);
    else if (parent.node.type === 'object') {
      parent.node.entries.push({ key: parent.key ?? '', node });
      parent.key = null;
    }
  };
  for (const [token] of text.matchAll(JSON_TOKENS)) {
    const parent = open.at(-1);
    if (token === '{' || token === '[') {
      const node: JsonNode = token === '{' ? { type: 'object', entries: [] } : { type: 'array', items: [] };
      put(node);
      if (open.push({ node, key: null }) > DEEPEST) return undefined;
    } else if (token === '}' || token === ']') open.pop();
    else if (token.startsWith('"')) {
      const value = String(JSON.parse(token));
      if (parent?.node.type === 'object' && parent.key === null) parent.key = value;
      else put({ type: 'string', text: value });
    } else if (token !== ':' && token !== ',') {
      put({ type: /^[-\d]/.test(token) ? 'number' : 'word', text: token });
    }
  }
  return root;
}

/** A list of flat objects as rows and columns, or an object that holds nothing but such a list. */
export type JsonTable = { columns: string[]; rows: (string | undefined)[][] };

/** More columns than this are no readable table. */
const MOST_COLUMNS = 24;

export function jsonTable(node: JsonNode | undefined): JsonTable | undefined {
  if (node?.type === 'object') {
    const [only, ...others] = node.entries;
    return only?.node.type === 'array' && others.length === 0 ? jsonTable(only.node) : undefined;
  }
  if (node?.type !== 'array' || node.items.length < 2) return undefined;
  const columns = new Map<string, number>();
  const rows: (string | undefined)[][] = [];
  for (const item of node.items) {
    if (item.type !== 'object') return undefined;
    const row: (string | undefined)[] = [];
    for (const { key, node: value } of item.entries) {
      if (!('text' in value)) return undefined;
      const column = columns.get(key) ?? columns.size;
      columns.set(key, column);
      row[column] = value.text;
    }
    rows.push(row);
  }
  const { size } = columns;
  return size > 0 && size <= MOST_COLUMNS ? { columns: [...columns.keys()], rows } : undefined;
}
