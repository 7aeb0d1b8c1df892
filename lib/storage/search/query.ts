import type { SearchHit } from '../../protocol/chats.ts';
import type { Message } from '../../types/message.ts';
import type { Database, SearchedText } from '../database.ts';
import { placesOf } from './place.ts';
import { type Place, type Postings, postingsOf } from './postings.ts';
import { excerptOf } from './excerpt.ts';
import { textOf } from './text.ts';
import { fits, type Term, termsOf } from './words.ts';

const PAGE = 20;
/** Texts that are looked at together. */
const BATCH = PAGE + 4;

export type SearchPage = { hits: SearchHit[]; hasMore: boolean };

/**
 * A page of the titles, messages and tool results that hold all words of `text`, newest first. However many there are,
 * only about as many rows are read as are found.
 * @param before the last hit of the page before
 */
export async function searchTexts(
  db: Database,
  { text, before }: { text: string; before?: Pick<SearchHit, 'at' | 'id'> },
): Promise<SearchPage> {
  const terms = termsOf(text);
  const deleted = await db.getAllFromIndex('messages', 'by-deleted');
  const hits: SearchHit[] = [];
  let from: Place | undefined = before ? await placeAfter(db, before) : -Infinity;
  while (from !== undefined && terms.length > 0 && hits.length <= PAGE) {
    const found: SearchedText[] = await fittingTexts(db, terms, from);
    const seen = await Promise.all(found.map((row) => hitOf(db, row, terms, deleted)));
    hits.push(...seen.filter((hit) => hit !== undefined));
    const last = found.at(-1);
    from = found.length === BATCH && last ? last.place + 1 : undefined;
  }
  return { hits: hits.slice(0, PAGE), hasMore: hits.length > PAGE };
}

/** Of a hit that is not there any more, the place behind all of its time. */
async function placeAfter(db: Database, { at, id }: Pick<SearchHit, 'at' | 'id'>): Promise<Place> {
  return ((await db.getKeyFromIndex('texts', 'by-id', id)) ?? placesOf(at).last) + 1;
}

/** The next texts that hold all terms; fewer than BATCH when there are no more. */
async function fittingTexts(db: Database, terms: Term[], start: Place): Promise<SearchedText[]> {
  const tx = db.transaction(['texts']);
  const store = tx.objectStore('texts');
  const postings = await Promise.all(terms.map((term) => postingsOf(tx, term)));
  const known = postings.filter((each) => each !== undefined);
  const open = terms.filter((_term, index) => postings[index] === undefined);
  const isFitting = ({ words }: SearchedText): boolean =>
    open.every((term) => words.some((word) => fits(term, word)));
  const found: SearchedText[] = [];
  let from: Place | undefined = start;
  while (from !== undefined && found.length < BATCH) {
    // Where many different words fit, texts that do are everywhere: it is quicker to look into them one by one.
    const places: Place[] = known.length > 0 ? await commonPlaces(known, from) : [];
    const rows: (SearchedText | undefined)[] =
      known.length > 0
        ? await Promise.all(places.map((place) => store.get(place)))
        : await store.getAll(IDBKeyRange.lowerBound(from), BATCH);
    const there = rows.filter((row) => row !== undefined);
    found.push(...there.filter(isFitting));
    const last = there.at(-1);
    from = rows.length === BATCH && last ? last.place + 1 : undefined;
  }
  return found.slice(0, BATCH);
}

/** The next places that all postings have. Each is only asked for where the others may be too. */
async function commonPlaces(postings: Postings[], start: Place): Promise<Place[]> {
  const common: Place[] = [];
  let from: Place = start;
  while (common.length < BATCH) {
    const heads: (Place | undefined)[] = await Promise.all(postings.map((each) => each.seek(from)));
    const places = heads.filter((place) => place !== undefined);
    if (places.length < heads.length) break;
    const last = Math.max(...places);
    const isCommon = places.every((place) => place === last);
    if (isCommon) common.push(last);
    from = isCommon ? last + 1 : last;
  }
  return common;
}

/** What a page shows of a text; undefined when it is deleted, gone, or another by now. */
async function hitOf(
  db: Database,
  row: SearchedText,
  terms: Term[],
  deleted: Message[],
): Promise<SearchHit | undefined> {
  const conversation = await db.get('conversations', row.conversationId);
  if (!conversation || conversation.deletedAt !== undefined) return undefined;
  const { id, conversationId } = row;
  const { title } = conversation;
  if (row.kind === 'title') {
    const excerpt = excerptOf(title, terms);
    return excerpt && { id, conversationId, title, at: conversation.updatedAt, excerpt };
  }
  const message = await db.get('messages', id);
  if (!message || (await isDeleted(db, message, deleted))) return undefined;
  const excerpt = excerptOf(textOf(message), terms);
  const messageId = message.role === 'tool' ? (message.parentId ?? id) : id;
  return (
    excerpt && { id, conversationId, title, messageId, role: message.role, at: message.timestamp, excerpt }
  );
}

/** Whether it, or a message that it follows, is among the deleted ones. */
async function isDeleted(db: Database, message: Message, deleted: Message[]): Promise<boolean> {
  const own = deleted.filter(({ conversationId }) => conversationId === message.conversationId);
  const lowest = Math.min(...own.map(({ seq }) => seq));
  let each: Message | undefined = message;
  while (each && each.seq >= lowest) {
    if (each.deletedAt !== undefined) return true;
    each = each.parentId === null ? undefined : await db.get('messages', each.parentId);
  }
  return false;
}
