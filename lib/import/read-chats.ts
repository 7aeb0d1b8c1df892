import { type Contents, contentsOf, type Part } from './archive.ts';
import { record, text } from './fields.ts';
import type { Importer, Left } from './importer.ts';
import { importers } from './importers.ts';
import { type Item, jsonItems } from './json-items.ts';

/** What was come upon in a file. `share`: how much of the file was read by then, from 0 to 1. */
export type Found = { share: number } &
  /** As the command `importChats` takes it. `size`: about how many bytes of the file it took. */
  (
    | { type: 'chat'; chat: unknown; title: string | undefined; left: Left; size: number }
    /** One that can't be read, and why. `cut`: the file itself ends too early. */
    | { type: 'unread'; title: string | undefined; why: 'no_chat' | 'broken' | 'too_long' | 'cut' }
  );

/** What came of a file: there were chats in it, or else what it says, if that is not too long. */
export type Outcome = { type: 'chats' } | { type: 'none'; text: string };

/** Bytes of a file that is parsed as one. */
const MOST_WHOLE = 100_000_000;

/**
 * The chats of another program's export, or of Portside's own, one after the other: a file of any size takes the memory of
 * one chat.
 * @throws Error when an archive is broken or locked
 */
export async function* readChats(file: Blob, now: string): AsyncGenerator<Found, Outcome> {
  const contents = await contentsOf(file);
  const total = contents.parts.reduce((sum, { size }) => sum + size, 0);
  let before = 0;
  let hasChats = false;
  for (const part of contents.parts) {
    const shareOf = (read: number): number => Math.min(1, (before + read) / Math.max(1, total));
    for await (const found of chatsIn(part, contents, now)) {
      hasChats = true;
      yield { ...found, share: shareOf(found.read) };
    }
    before += part.size;
  }
  if (hasChats) return { type: 'chats' };
  const [only] = contents.parts;
  const isOne = contents.parts.length === 1 && only && only.size <= MOST_WHOLE;
  return { type: 'none', text: isOne ? await wholeText(only) : '{}' };
}

type Chat = Extract<Found, { type: 'chat' }>;
type Unread = Extract<Found, { type: 'unread' }>;
type Read = { read: number } & (Omit<Chat, 'share'> | Omit<Unread, 'share'>);

async function* chatsIn(part: Part, contents: Contents, now: string): AsyncGenerator<Read> {
  const paths = [...new Set(importers.flatMap(({ at }) => at))];
  const items = jsonItems(await part.stream(), paths);
  const prepared = new Map<Importer, Promise<unknown>>();
  /** Things other than chats are told of only where chats follow. */
  let unread: Read[] = [];
  let hasChats = false;
  let last = 0;
  for (;;) {
    const { value: item, done } = await items.next().catch((error: unknown) => {
      if (hasChats) return { value: false, done: true } as const; // what came before is whole
      throw error;
    });
    if (done) {
      if (!hasChats) yield* wholeChat(part, contents, now);
      else if (!item) yield { type: 'unread', why: 'cut', title: undefined, read: part.size };
      return;
    }
    const importer = importerOf(item);
    if (importer && item.type === 'value') {
      yield* unread;
      unread = [];
      hasChats = true;
      if (!prepared.has(importer)) prepared.set(importer, Promise.resolve(importer.prepare?.(itemsOf(part))));
      const file = { contents, now, prepared: await prepared.get(importer) };
      yield { ...(await readOne(importer, item.value, item.read - last, file)), read: item.read };
    } else {
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

/** A file that is one chat. */
async function* wholeChat(part: Part, contents: Contents, now: string): AsyncGenerator<Read> {
  const value = part.size <= MOST_WHOLE ? parsed(await wholeText(part)) : undefined;
  const importer = importers.find(({ knows }) => knows(value));
  const file = { contents, now, prepared: undefined };
  if (importer) yield { ...(await readOne(importer, value, part.size, file)), read: part.size };
}

/** What a message between a page and the worker may take (64 MiB), and some room. */
const MOST_CHAT = 60_000_000;

async function readOne(
  importer: Importer,
  value: unknown,
  bytes: number,
  { contents, now, prepared }: { contents: Contents; now: string; prepared: unknown },
): Promise<Omit<Chat, 'share'> | Omit<Unread, 'share'>> {
  const left: Left = {};
  let size = bytes;
  const chat = await importer.read(value, {
    now,
    prepared,
    text: contents.text,
    picture: async (fits) => {
      const picture = await contents.picture(fits);
      size += picture?.data.length ?? 0;
      return picture;
    },
    leave: (kind) => void (left[kind] = (left[kind] ?? 0) + 1),
  });
  const title = titleIn(chat);
  if (size > MOST_CHAT / 3 && new Blob([JSON.stringify(chat)]).size > MOST_CHAT)
    return { type: 'unread', why: 'too_long', title };
  return { type: 'chat', chat, title, left, size };
}

async function wholeText(part: Part): Promise<string> {
  const decoder = new TextDecoder();
  let all = '';
  for await (const chunk of await part.stream()) all += decoder.decode(chunk, { stream: true });
  return all + decoder.decode();
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The title of a chat, as it stands in Portside's exports and in most others. */
export function titleIn(chat: unknown): string | undefined {
  const { conversation = chat } = record(chat);
  const { title, name } = record(conversation);
  return text(title).trim() || text(name).trim() || undefined;
}
