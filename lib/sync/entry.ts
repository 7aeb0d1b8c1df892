import { withoutInvisible } from '../invisible.ts';
import { isRecord, parseJson } from '../json.ts';
import type { ImportedChat } from '../storage/import-export/import-chat.ts';
import type { Conversation } from '../types/conversation.ts';

/** Of a chat what changes without a message. */
export type Meta = { title: string; pinned: boolean; archived: boolean };
export const META = ['title', 'pinned', 'archived'] as const satisfies (keyof Meta)[];
/** Each with the clock of its last change. */
export type DatedMeta = { [Field in keyof Meta]: { is: Meta[Field]; at: number } };

/**
 * That a row is deleted, or is kept in spite of a deletion, since another machine had gone on after it. The later one holds.
 */
export type Mark = { clock: number; gone: boolean };
/** Of a chat: by the ids of its messages, and by its own. */
export type Marks = Map<string, Mark>;

/** Rows of a chat: all of it, or what came to it. */
export type ChatRows = ImportedChat & { meta?: DatedMeta };

/** What a file of the log says. */
export type Entry = { chats: ChatRows[]; marks: [chatId: string, marks: [id: string, mark: Mark][]][] };

/** What a file's text says; undefined where it has another form, as one of a later version of Portside may. Rows are checked when they are imported. */
export function entryIn(text: string): Entry | undefined {
  const data = parseJson(text);
  if (!isRecord(data) || !isListOf(data.chats, isChatRows) || !isListOf(data.marks, isMarks))
    return undefined;
  return data as Entry;
}

const isListOf = (list: unknown, is: (one: unknown) => boolean): boolean =>
  Array.isArray(list) && list.every((one) => is(one));
const isRow = (row: unknown): boolean => isRecord(row) && typeof row.id === 'string';
const isChatRows = (rows: unknown): boolean =>
  isRecord(rows) &&
  isRow(rows.conversation) &&
  isListOf(rows.messages, isRow) &&
  isListOf(rows.toolCalls ?? [], isRecord) &&
  (rows.meta === undefined || isDatedMeta(rows.meta));
const isDatedMeta = (meta: unknown): boolean =>
  isRecord(meta) &&
  META.every((field) => {
    const { is, at } = Object(meta[field]) as Record<string, unknown>;
    return typeof is === (field === 'title' ? 'string' : 'boolean') && typeof at === 'number';
  });
const isMark = (mark: unknown): boolean => isRecord(mark) && typeof mark.clock === 'number';
const isMarks = (marks: unknown): boolean =>
  Array.isArray(marks) &&
  typeof marks[0] === 'string' &&
  isListOf(marks[1], (one) => Array.isArray(one) && typeof one[0] === 'string' && isMark(one[1]));

const NAME = /^(\d{12})-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(-s)?$/;

/**
 * A name that no file has. They are in order of what their writers had read: a Lamport clock, so that a file comes after all
 * that its writer knew of. `isSnapshot`: it repeats others, which may be gone.
 */
export const entryName = (clock: number, isSnapshot: boolean): string =>
  `${String(clock).padStart(12, '0')}-${crypto.randomUUID()}${isSnapshot ? '-s' : ''}`;

export const isEntry = (name: string): boolean => NAME.test(name);
export const isSnapshot = (name: string): boolean => name.endsWith('-s');
export const clockOf = (name: string): number => Number(name.slice(0, 12));

/** No machine counts so far: who went on from there would soon write names that are none, which no other reads. */
const MADE_UP = 500_000_000_000;

/** The clock of a machine that had this one, and has read a file. */
export const clockAfter = (clock: number, name: string): number =>
  clockOf(name) < MADE_UP ? Math.max(clock, clockOf(name)) : clock;

/** Characters of a title that can be given (`setConversation`): one that came out of a file may be longer, or empty. */
const LONGEST_TITLE = 200;

/** A title as it can be given, without what is invisible, as an import leaves it. */
export const titleOf = (title: string): string =>
  withoutInvisible(title)
    .text.trim()
    .replace(/\s+/g, ' ')
    .slice(0, LONGEST_TITLE)
    .replace(/[\s\uD800-\uDBFF]$/, '');

export const metaOf = ({ title, pinnedAt, archivedAt }: Conversation): Meta => ({
  title: titleOf(title),
  pinned: pinnedAt !== undefined,
  archived: archivedAt !== undefined,
});

export const isSameMeta = (one: Meta, other: DatedMeta): boolean =>
  META.every((field) => one[field] === other[field].is);

const mapMeta = (make: (field: keyof Meta) => unknown): DatedMeta =>
  Object.fromEntries(META.map((field) => [field, make(field)])) as DatedMeta;

/** What is not as it was before changed now. */
export const dated = (meta: Meta, before: DatedMeta | undefined, clock: number): DatedMeta =>
  mapMeta((field) => (before?.[field].is === meta[field] ? before[field] : { is: meta[field], at: clock }));

/** Of each what was changed later; of two changes at once the same one on every machine. */
export const latest = (one: DatedMeta, other: DatedMeta): DatedMeta =>
  mapMeta((field) => {
    const [a, b] = [one[field], other[field]];
    return a.at > b.at || (a.at === b.at && String(a.is) > String(b.is)) ? a : b;
  });
