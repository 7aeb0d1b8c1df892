import { parseJson } from '../json.ts';
import { type Contents, contentsOf, type Part } from './archive.ts';
import { record, text } from './fields.ts';
import type { Importer, Left } from './importer.ts';
import { importers } from './importers.ts';
import { type Item, jsonItems } from './json-items.ts';
import { nextTask } from '../async.ts';

/** What was come upon in a file. `share`: how much of the file was read by then, from 0 to 1. */
export type Found = { share: number } &
  /** As the command `importChats` takes it. `from`: its program; `size`: about how many bytes of the file it took. */
  (
    | { type: 'chat'; chat: unknown; from: string; title: string | undefined; left: Left; size: number }
    /** One that can't be read, and why. `cut`: the file itself ends too early. */
    | { type: 'unread'; title: string | undefined; why: 'no_chat' | 'broken' | 'too_long' | 'cut' }
    /** How many more can't be read than are named. */
    | { type: 'more_unread'; number: number }
  );

/** What came of a file: there were chats in it, or else what it says, if that is not too long. */
export type Outcome = { type: 'chats' } | { type: 'none'; text: string };

/** Bytes of a file that is parsed as one. */
const MOST_WHOLE = 100_000_000;
/** Items that can't be read are told one by one up to this many; of more only their number. */
const MOST_UNREAD = 1_000;

/**
 * The chats of another program's export, or of Portside's own, one after the other: a file of any size takes the memory of
 * one chat.
 * @param signal ends it, also in the middle of a chat
 * @param progress is told how much of the file was read, from 0 to 1, also where nothing is found for long
 * @throws Error when an archive is broken or locked; the signal's reason
 */
export async function* readChats(
  file: Blob,
  now: string,
  { signal, progress }: { signal?: AbortSignal; progress?: (share: number) => void } = {},
): AsyncGenerator<Found, Outcome> {
  const rested = createPace(signal, progress);
  const contents = await contentsOf(file);
  const total = contents.parts.reduce((sum, { size }) => sum + size, 0);
  let before = 0;
  let hasChats = false;
  for (const whole of contents.parts) {
    const shareOf = (read: number): number => Math.min(1, (before + read) / Math.max(1, total));
    const rest = (read: number): Promise<void> => rested(shareOf(read));
    for await (const found of chatsIn(paced(whole, rest), { contents, now, rest })) {
      hasChats = true;
      yield { ...found, share: shareOf(found.read) };
    }
    before += whole.size;
  }
  if (hasChats) return { type: 'chats' };
  const [only] = contents.parts;
  const isOne = contents.parts.length === 1 && only && only.size <= MOST_WHOLE;
  return { type: 'none', text: isOne ? await wholeText(paced(only, () => rested(1))) : '{}' };
}

const paced = ({ size, stream }: Part, rest: (read: number) => Promise<void>): Part => ({
  size,
  stream: async () => restingAt(await stream(), rest),
});

async function* restingAt<T extends Uint8Array>(
  chunks: AsyncIterable<T>,
  rest: (read: number) => Promise<void>,
): AsyncGenerator<T> {
  let read = 0;
  for await (const chunk of chunks) {
    await rest(read);
    yield chunk;
    read += chunk.length;
  }
}

/** What the chats of a file have in common. */
type Reading = { contents: Contents; now: string; rest: (read: number) => Promise<void> };

type Chat = Extract<Found, { type: 'chat' }>;
type Unread = Extract<Found, { type: 'unread' }>;
type More = Extract<Found, { type: 'more_unread' }>;
type Read = { read: number } & (Omit<Chat, 'share'> | Omit<Unread, 'share'> | Omit<More, 'share'>);

async function* chatsIn(part: Part, reading: Reading): AsyncGenerator<Read> {
  const paths = [...new Set(importers.flatMap(({ at }) => at))];
  const items = jsonItems(await part.stream(), paths);
  const prepared = new Map<Importer, Promise<unknown>>();
  /** Things other than chats are told of only where chats follow. */
  let unread: Read[] = [];
  let unreadSoFar = 0;
  let hasChats = false;
  let last = 0;
  for (;;) {
    await reading.rest(last);
    const { value: item, done } = await items.next().catch(async (error: unknown) => {
      await reading.rest(last); // it was stopped
      if (hasChats) return { value: false, done: true } as const; // what came before is whole
      throw error;
    });
    if (done) {
      if (!hasChats) return yield* wholeChat(part, reading);
      if (!item) yield { type: 'unread', why: 'cut', title: undefined, read: part.size };
      const number = unreadSoFar - MOST_UNREAD;
      if (number > 0) yield { type: 'more_unread', number, read: part.size };
      return;
    }
    const importer = importerOf(item);
    if (importer && item.type === 'value') {
      yield* unread;
      unread = [];
      hasChats = true;
      if (!prepared.has(importer)) prepared.set(importer, Promise.resolve(importer.prepare?.(itemsOf(part))));
      const file = { ...reading, prepared: await prepared.get(importer) };
      yield { ...(await readOne(importer, item.value, item.read - last, file)), read: item.read };
    } else if (++unreadSoFar <= MOST_UNREAD) {
      const why = item.type === 'value' ? 'no_chat' : item.type;
      const title = item.type === 'value' ? titleIn(item.value) : undefined;
      if (hasChats) yield { type: 'unread', why, title, read: item.read };
      else unread.push({ type: 'unread', why, title, read: item.read });
    }
    last = item.read;
  }
}

const itemsOf = (part: Part) =>
  async function* (paths: readonly string[]): AsyncGenerator<Item> {
    yield* jsonItems(await part.stream(), paths);
  };

const importerOf = (item: Item): Importer | undefined =>
  item.type === 'value'
    ? importers.find(({ at, knows }) => at.includes(item.path) && knows(item.value))
    : undefined;

async function* wholeChat(part: Part, reading: Reading): AsyncGenerator<Read> {
  const value = part.size <= MOST_WHOLE ? parseJson(await wholeText(part)) : undefined;
  const importer = importers.find(({ knows }) => knows(value));
  const file = { ...reading, prepared: undefined };
  if (importer) yield { ...(await readOne(importer, value, part.size, file)), read: part.size };
}

/** What a message between a page and the worker may take (64 MiB), and some room. */
const MOST_CHAT = 60_000_000;
/** Bytes that a character of a text may take in JSON. */
const MOST_ESCAPED = 6;

/** Thrown in the middle of a chat whose files alone take more than a chat may. */
class TooLong extends Error {}

async function readOne(
  importer: Importer,
  value: unknown,
  bytes: number,
  { contents, now, rest, prepared }: Reading & { prepared: unknown },
): Promise<Omit<Chat, 'share'> | Omit<Unread, 'share'>> {
  const left: Left = {};
  const files = contents.files();
  let attached = 0;
  const counted = async <T>(file: Promise<T>, sizeOf: (file: T) => number | undefined): Promise<T> => {
    const found = await file;
    attached += sizeOf(found) ?? 0;
    if (attached > MOST_CHAT) throw new TooLong();
    await rest(0);
    return found;
  };
  const source = {
    now,
    prepared,
    text: (fits: Fits) => counted(files.text(fits), (words) => words?.length),
    picture: (fits: Fits) => counted(files.picture(fits), (picture) => picture?.data.length),
    leave: (kind: keyof Left) => void (left[kind] = (left[kind] ?? 0) + 1),
  };
  try {
    const chat = await importer.read(value, source);
    const size = bytes + attached;
    if (size <= MOST_CHAT / MOST_ESCAPED || new Blob([JSON.stringify(chat)]).size <= MOST_CHAT)
      return { type: 'chat', chat, from: importer.name ?? 'Portside', title: titleIn(chat), left, size };
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
  }
  return { type: 'unread', why: 'too_long', title: titleIn(value) };
}

type Fits = (path: string) => boolean;

async function wholeText(part: Part): Promise<string> {
  const decoder = new TextDecoder();
  let all = '';
  for await (const chunk of await part.stream()) all += decoder.decode(chunk, { stream: true });
  return all + decoder.decode();
}

/** The title of a chat, as it stands in Portside's exports and in most others. */
export function titleIn(chat: unknown): string | undefined {
  const { conversation = chat, project } = record(chat);
  const { title, name } = record(project ? record(project)['words'] : conversation);
  return text(title).trim() || text(name).trim() || undefined;
}

/** Milliseconds after which the thread is given back. */
const MOST_MS = 30;

/**
 * Lets a page that reads a long file answer its user: `rest` gives the thread back once it was held for long. It takes how
 * much of the file was read by then, from 0 to 1, and throws the signal's reason once the reading is no longer wanted.
 * @param progress is told of each rest
 */
function createPace(
  signal?: AbortSignal,
  progress?: (share: number) => void,
): (share: number) => Promise<void> {
  let since = performance.now();
  let most = 0;
  return async function rest(share) {
    most = Math.max(most, share);
    signal?.throwIfAborted();
    if (performance.now() - since < MOST_MS) return;
    progress?.(most);
    await nextTask();
    signal?.throwIfAborted();
    since = performance.now();
  };
}
