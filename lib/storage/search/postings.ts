import type { IDBPIndex, IDBPTransaction } from 'idb';
import type { Schema } from '../database.ts';
import type { Term } from './words.ts';

/** Where a text stands in `texts`. */
export type Place = Schema['texts']['key'];
export type TextsTransaction = IDBPTransaction<Schema, 'texts'[]>;
type ByWord = IDBPIndex<Schema, 'texts'[], 'texts', 'by-word'>;

/** The places of the texts that hold a term, newest first. `seek` gives the first one at `from` or after it. */
export type Postings = { seek(from: Place): Promise<Place | undefined> };

/** Places that are read at once: first these, then more and more, as long as they are used up one by one. */
const FIRST_PLACES = 32;
const MOST_PLACES = 2_048;
/** A prefix with fewer places is read whole; one of more words is not made of its words. */
const FEW_PLACES = 256;
const MOST_WORDS = 64;

/** @returns undefined for a prefix that so many different words begin with that it is easier to look into the texts */
export async function postingsOf(
  tx: TextsTransaction,
  { word, isPrefix }: Term,
): Promise<Postings | undefined> {
  const index = tx.objectStore('texts').index('by-word');
  if (!isPrefix) return postingsOfWord(index, word);
  const range = IDBKeyRange.bound(word, `${word}\uffff`);
  const first = await index.getAllKeys(range, FEW_PLACES);
  if (first.length < FEW_PLACES) return postingsIn(first.toSorted((a, b) => a - b));
  const words: string[] = [];
  let cursor = await index.openKeyCursor(range);
  while (cursor) {
    if (words.length === MOST_WORDS) return undefined;
    words.push(cursor.key);
    cursor = await cursor.continue(`${cursor.key}\0`); // `nextunique` walks through every place of a word
  }
  return merged(words.map((each) => postingsOfWord(index, each)));
}

function postingsIn(places: Place[]): Postings {
  return { seek: async (from) => places[firstFrom(places, from)] };
}

function merged(all: Postings[]): Postings {
  return {
    async seek(from) {
      const found = await Promise.all(all.map((each) => each.seek(from)));
      const places = found.filter((place) => place !== undefined);
      return places.length > 0 ? Math.min(...places) : undefined;
    },
  };
}

/**
 * Of a word of many places only the newest are read at once, which is many times faster than a cursor; from there on a
 * cursor jumps to where it is told, without reading what lies between.
 */
function postingsOfWord(index: ByWord, word: string): Postings {
  const range = IDBKeyRange.only(word);
  let places: Place[] = [];
  let asked = 0;
  const cursor = createJumping(index, word);
  return {
    async seek(from) {
      for (;;) {
        const place = places[firstFrom(places, from)];
        if (place !== undefined || (asked > 0 && places.length < asked)) return place;
        if (asked === MOST_PLACES) return cursor(from);
        asked = asked === 0 ? FIRST_PLACES : asked * 8;
        places = await index.getAllKeys(range, asked);
      }
    },
  };
}

function createJumping(index: ByWord, word: string): Postings['seek'] {
  let opened: ReturnType<ByWord['openKeyCursor']> | undefined;
  return async (from) => {
    const cursor = await (opened ??= index.openKeyCursor(IDBKeyRange.only(word)));
    if (!cursor || cursor.primaryKey >= from) return cursor?.primaryKey;
    opened = cursor.continuePrimaryKey(word, from);
    return (await opened)?.primaryKey;
  };
}

/** The index of the first place at `from` or after it, by halving. */
function firstFrom(places: Place[], from: Place): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((places[middle] as Place) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
