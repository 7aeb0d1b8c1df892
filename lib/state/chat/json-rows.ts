import type { JsonNode } from './json-nodes.ts';

/** A part of a list or an object that is too long to be shown at once: `from` to `to`, both included. */
export type JsonSlice = { type: 'slice'; from: number; to: number; of: JsonNode };

/** A line of the tree. `path` names it for good; only what is open has lines beneath it. */
export type JsonRow = {
  path: string;
  /** 1 for what stands in the value itself. */
  level: number;
  /** A key or a position; absent for a slice, which names its own. */
  name?: { text: string; isKey: boolean };
  node: JsonNode | JsonSlice;
  /** Absent where there is nothing to open: an empty list, a number, a string that is shown whole. */
  open?: boolean;
  /** Among its siblings, from 1. */
  position: number;
  siblings: number;
};

/** More than so many are shown as slices. */
const SLICE = 100;
/** Characters of a string that are shown before all of it is asked for. */
export const SHORT = 300;
/** Lines that stand open at first. */
const FIRST_ROWS = 16;

type Child = Pick<JsonRow, 'path' | 'name' | 'node'>;

const countOf = (node: JsonNode): number =>
  node.type === 'object' ? node.entries.length : node.type === 'array' ? node.items.length : 0;

/** What stands in `node`, from `from` on to before `to`; in so many slices that none of them is too long. */
function childrenOf(path: string, node: JsonNode | JsonSlice): Child[] {
  const [of, from, to] =
    node.type === 'slice' ? [node.of, node.from, node.to + 1] : ([node, 0, countOf(node)] as const);
  const count = to - from;
  if (count > SLICE) {
    const step = SLICE ** Math.floor(Math.log(count - 1) / Math.log(SLICE));
    return Array.from({ length: Math.ceil(count / step) }, (_, index) => {
      const first = from + index * step;
      const last = Math.min(first + step, to) - 1;
      return { path: `${path}/${first}-${last}`, node: { type: 'slice', from: first, to: last, of } };
    });
  }
  if (of.type === 'object') {
    return of.entries.slice(from, to).map(({ key, node: child }, index) => ({
      path: `${path}/${from + index}`,
      name: { text: key, isKey: true },
      node: child,
    }));
  }
  if (of.type !== 'array') return [];
  return of.items.slice(from, to).map((child, index) => ({
    path: `${path}/${from + index}`,
    name: { text: String(from + index), isKey: false },
    node: child,
  }));
}

const opens = (node: JsonNode | JsonSlice): boolean =>
  node.type === 'slice' || countOf(node) > 0 || (node.type === 'string' && node.text.length > SHORT);

/** The lines of a value that are to be seen; a closed part costs nothing, however much is in it. */
export function jsonRows(root: JsonNode, open: ReadonlySet<string>): JsonRow[] {
  const rows: JsonRow[] = [];
  const add = (path: string, node: JsonNode | JsonSlice, level: number): void => {
    const children = childrenOf(path, node);
    children.forEach((child, index) => {
      const isOpen = open.has(child.path);
      const row = { ...child, level, position: index + 1, siblings: children.length };
      rows.push(opens(child.node) ? { ...row, open: isOpen } : row);
      if (isOpen) add(child.path, child.node, level + 1);
    });
  };
  add('', root, 1);
  return rows;
}

/** What stands open at first: from the top on, the first of each level before the next, as long as it is short. */
export function firstOpen(root: JsonNode): ReadonlySet<string> {
  const open = new Set<string>();
  let queue = childrenOf('', root);
  let count = queue.length;
  while (queue.length > 0) {
    const next: Child[] = [];
    for (const { path, node } of queue) {
      if (node.type === 'string' || !opens(node)) continue;
      const children = childrenOf(path, node);
      if (count + children.length > FIRST_ROWS) continue;
      open.add(path);
      count += children.length;
      next.push(...children);
    }
    queue = next;
  }
  return open;
}
