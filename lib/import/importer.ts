import type { Picture } from '../types/picture.ts';
import type { Item } from './json-items.ts';

/** What was there and does not come along, by its kind: how many. */
export type Left = Partial<Record<'image' | 'file' | 'audio' | 'other', number>>;

/** The file that a chat is of: what else is in its archive, and what is counted of it. */
export type Source = {
  /** ISO 8601, for times that nothing tells. */
  now: string;
  /** What `prepare` gave. */
  prepared: unknown;
  /** The picture of the first file in the archive whose path fits; undefined when there is none that can be shown. */
  picture: (fits: (path: string) => boolean) => Promise<Picture | undefined>;
  /** The text of such a file. */
  text: (fits: (path: string) => boolean) => Promise<string | undefined>;
  /** Something of the chat does not come along. */
  leave: (kind: keyof Left) => void;
};

/** How the chats of one program are read. */
export type Importer = {
  /** The program's name, as users know it; absent for Portside itself. */
  name?: string;
  /** Where they stand in its JSON, as `jsonItems` takes it. */
  at: readonly string[];
  /** Whether this is a chat of it. */
  knows: (value: unknown) => boolean;
  /** What all of them need, read before the first. */
  prepare?: (items: (paths: readonly string[]) => AsyncIterable<Item>) => Promise<unknown>;
  /** The chat as the command `importChats` takes it. */
  read: (value: unknown, source: Source) => unknown;
};
