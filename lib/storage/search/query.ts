import type { SearchHit } from '../../protocol/chats.ts';
import type { Message } from '../../types/message.ts';
import type { Database, SearchedText } from '../schema.ts';
import { excerptOf } from './excerpt.ts';
import { batchesOf, PER_MS, placeOf, textOf } from './index.ts';
import { fits, type Term, termsOf } from './words.ts';

const PAGE = 20;
/** Texts that are read together. */
const BATCH = 2 * PAGE;
/** The newest texts are read without the index: frequent words fill a page with them. */
const NEWEST = 5 * BATCH;
/** A term with fewer texts is rare: they are read rather than intersected with the many of another term. */
const FEW = 256;

export type SearchPage = { hits: SearchHit[]; hasMore: boolean };

/**
 * A page of the titles, messages and tool results that hold all words of `text`, newest first.
 * @param before the last hit of the page before
 */
export async function searchTexts(
  db: Database,
  { text, before }: { text: string; before?: Pick<SearchHit, 'at' | 'id'> },
): Promise<SearchPage> {
  const hits: SearchHit[] = [];
  const terms = termsOf(text);
  if (terms.length === 0) return { hits, hasMore: false };
  const deleted = await db.getAllFromIndex('messages', 'by-deleted');
  const from = before ? await placeAfter(db, before) : -Infinity;
  for await (const rows of fittingTexts(db, terms, from)) {
    const found = await Promise.all(rows.map((row) => hitOf(db, row, terms, deleted)));
    hits.push(...found.filter((hit) => hit !== undefined));
    if (hits.length > PAGE) break;
  }
  return { hits: hits.slice(0, PAGE), hasMore: hits.length > PAGE };
}

/** Of a hit that is gone, the place behind all of its time. */
async function placeAfter(db: Database, { at, id }: Pick<SearchHit, 'at' | 'id'>): Promise<number> {
  const place = await db.getKeyFromIndex('texts', 'by-id', id);
  return place === undefined ? placeOf(at) + PER_MS : place + 1;
}

/** The texts from a place on that hold all terms, newest first, in batches. */
async function* fittingTexts(db: Database, terms: Term[], from: number): AsyncGenerator<SearchedText[]> {
  const isFitting = ({ words }: SearchedText): boolean =>
    terms.every((term) => words.some((word) => fits(term, word)));
  let next = from;
  for (let read = 0; read < NEWEST; read += BATCH) {
    const rows = await db.getAll('texts', IDBKeyRange.lowerBound(next), BATCH);
    yield rows.filter(isFitting);
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    next = last.place + 1;
  }
  const found = [...(await commonPlaces(db, terms))];
  const older = found.filter((place) => place >= next).toSorted((a, b) => a - b);
  for (const places of batchesOf(older, BATCH)) {
    const rows = await Promise.all(places.map((place) => db.get('texts', place)));
    yield rows.filter((row) => row !== undefined).filter(isFitting);
  }
}

/** The places of all texts that hold the terms; where some terms are rare, those that hold these. */
async function commonPlaces(db: Database, terms: Term[]): Promise<Set<number>> {
  const byWord = db.transaction('texts').store.index('by-word');
  const placesOf = (most?: number): Promise<number[][]> =>
    Promise.all(terms.map((term) => byWord.getAllKeys(rangeOf(term), most)));
  const rare = (await placesOf(FEW)).filter(({ length }) => length < FEW);
  const [first, ...others] = rare.length > 0 ? rare : await placesOf();
  return others.reduce((common, places) => common.intersection(new Set(places)), new Set(first));
}

const rangeOf = ({ word, isPrefix }: Term): IDBKeyRange =>
  isPrefix ? IDBKeyRange.bound(word, `${word}\uffff`) : IDBKeyRange.only(word);

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
