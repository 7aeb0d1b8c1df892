import { coalesced } from '../../../lib/async.ts';
import type { Request } from '../../../lib/protocol/commands.ts';
import type { Database } from '../../../lib/storage/schema.ts';
import { indexChanges } from '../../../lib/storage/search/index.ts';
import { searchTexts } from '../../../lib/storage/search/query.ts';
import { invalid } from '../input.ts';
import { t } from '../../../locales/texts/errors.ts';

/** After the last write, and between two steps, so that what streams meanwhile is not held up. */
const REST_MS = 1_000;
const PAUSE_MS = 30;
/** A search waits for no more changes than these; what more there are it does not find yet. */
const FEW_CHANGES = 60;

export type SearchDeps = {
  wait: (ms: number) => Promise<void>;
  /** Keeps the worker alive meanwhile. */
  during: (job: () => Promise<void>) => Promise<void>;
};

/** The search, and keeping what it knows up to date behind what is written. */
export function createSearch(db: Database, { wait, during }: SearchDeps) {
  let last: Promise<unknown> = Promise.resolve();

  /** One step of the index after the other: of two at once the older could win. */
  function step<T>(job: (db: Database) => Promise<T>): Promise<T> {
    const result = last.then(() => job(db));
    last = result.catch(() => undefined); // the caller gets the error
    return result;
  }

  const catchUp = coalesced(async () => {
    await wait(REST_MS);
    while (await step(indexChanges)) await wait(PAUSE_MS);
  });

  /** Something was written. */
  function changed(): void {
    catchUp().catch(report);
  }

  /** What an earlier worker left, and the chats from before there was a search. */
  async function begin(): Promise<void> {
    await ((await db.count('unindexed')) > FEW_CHANGES ? during(catchUp) : catchUp());
  }

  async function search({ text, before }: Request<'search'>) {
    if (typeof text !== 'string') throw invalid(t(($) => $.errors.input.searchText));
    if (before && !(typeof before.id === 'string' && !Number.isNaN(Date.parse(before.at))))
      throw invalid(t(($) => $.errors.input.searchPlace));
    // What it knows so far is right all the same.
    await catchUpNow().catch(report);
    return searchTexts(db, { text, ...(before && { before }) });
  }

  async function catchUpNow(): Promise<void> {
    if ((await db.count('unindexed')) > FEW_CHANGES) return;
    while (await step(indexChanges)) continue;
  }

  return { search, changed, begin: () => void begin().catch(report) };
}

function report(error: unknown): void {
  console.warn('The search is not up to date.', error);
}
