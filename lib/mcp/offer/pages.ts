import type { Client } from '@modelcontextprotocol/client';
import { anyObject, isText } from '../content/raw.ts';
import { t } from '../../../locales/texts/errors.ts';

export type ListOptions = {
  signal?: AbortSignal;
  /** Milliseconds for each page; none unless told. */
  timeout?: number;
  /** Sends a request when it may be sent; at once unless told. */
  inTurn?: <T>(request: () => Promise<T>) => Promise<T>;
  /** Told what of a list is left out and why, in a sentence. */
  onProblem?: (text: string) => void;
};

type ListMethod = 'tools/list' | 'prompts/list' | 'resources/list' | 'resources/templates/list';

const KEYS: Record<ListMethod, string> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};
/** More of any is a server that counts without end. */
const MOST_PAGES = 100;
const MOST_ENTRIES = 10_000;
/** Of all entries, as JSON: the worker holds several copies of them. */
const MOST_CHARACTERS = 20_000_000;
/** The client's own timer is off: callers keep a clock of their own. */
const NO_TIMEOUT = 2 ** 31 - 1;

/** All pages of a list, its entries as they came. @throws what the request for a page rejects with */
export async function listAll(client: Client, method: ListMethod, options: ListOptions): Promise<unknown[]> {
  const { signal, timeout = NO_TIMEOUT, inTurn = (request) => request(), onProblem } = options;
  const entries: unknown[] = [];
  let room = MOST_CHARACTERS;
  /** @returns whether there was room for all of them */
  const added = (listed: unknown[]): boolean =>
    listed.every((entry) => {
      room -= JSON.stringify(entry).length;
      return room >= 0 && entries.length < MOST_ENTRIES && entries.push(entry);
    });
  const cursors = new Set<string>();
  for (let page = 1, cursor: string | undefined; page <= MOST_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const within = { timeout, ...(signal && { signal }) };
    const result = await inTurn(() => client.request({ method, params }, anyObject, within));
    const listed = result[KEYS[method]];
    if (!Array.isArray(listed)) onProblem?.(t(($) => $.errors.offer.noList, { method, key: KEYS[method] }));
    else if (!added(listed)) break;
    const next = result['nextCursor'];
    if (!isText(next)) return entries;
    if (cursors.has(next)) {
      onProblem?.(t(($) => $.errors.offer.loop, { method }));
      return entries;
    }
    cursors.add(next);
    cursor = next;
  }
  onProblem?.(t(($) => $.errors.offer.endless, { method, count: entries.length }));
  return entries;
}
