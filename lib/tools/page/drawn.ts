import * as dom from './dom.ts';

/**
 * Of a table or a list of which the page draws only a part: how many rows stand there, of how many it says that there
 * are (https://w3c.github.io/aria/#aria-rowcount, #aria-setsize; -1: the page does not know).
 */
export function drawnRows(element: Element): { rows: number; of: number } | undefined {
  const count = Number(dom.attribute(element, 'aria-rowcount') ?? NaN);
  if (count > 0 || count === -1) {
    const rows = dom.select(element, 'tr, [role="row"]').length;
    return count === -1 || rows < count ? { rows, of: count } : undefined;
  }
  const first = dom.attribute(element, 'role') === 'list' || dom.localName(element) === 'ul';
  if (!first) return undefined;
  const [item] = dom.select(element, '[aria-setsize]');
  const size = Number((item && dom.attribute(item, 'aria-setsize')) ?? NaN);
  const rows = Number.isNaN(size) ? 0 : dom.select(element, '[aria-setsize]').length;
  return size === -1 || rows < size ? { rows, of: size } : undefined;
}
