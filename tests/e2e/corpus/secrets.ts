import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What must stay where it is; with nothing in common, so that a database that packs what it stores keeps each whole. */
export const SECRETS = {
  key: 'sk-Vt3qZ9wLk7XnB2fRj6Hs',
  otherKey: 'sk-yE8mPd4uGc5TaQ1oWiNx',
  header: 'hK2rJv7bYzS6eMfCq9Lt',
  env: 'Xw5gUn3pDo8RkHj4ZbQs',
  /** In a page that the user has open, which no order may have read. */
  tab: 'fN6cTy1iVm9LqEa7GxPz',
  /** In another chat. */
  chat: 'Bs4oWd8kRu2JhMv5YtCe',
};
export type Secret = keyof typeof SECRETS;

/** Of these nothing may be in the profile. */
const NEVER_STORED: Secret[] = ['tab'];

/** All but those that belong there. */
export const allBut = (...own: Secret[]): Secret[] =>
  (Object.keys(SECRETS) as Secret[]).filter((name) => !own.includes(name));

/** What is in a text that must not be. */
export const secretsIn = (where: string, text: string, forbidden: Secret[]): string[] =>
  forbidden.filter((name) => text.includes(SECRETS[name])).map((name) => `${name} in ${where}`);

/**
 * What is in what the extension stores, as it is on the disk.
 * When what is there for sure is not found, nothing would be, and that is said.
 */
export async function secretsInProfile(profile: string): Promise<string[]> {
  const folder = join(profile, 'Default', 'IndexedDB');
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const own = files.filter((file) => file.isFile() && file.parentPath.includes('chrome-extension_'));
  const contents = await Promise.all(own.map((file) => readFile(join(file.parentPath, file.name))));
  const isStored = (text: string): boolean =>
    contents.some((bytes) => bytes.includes(text) || bytes.includes(Buffer.from(text, 'utf16le')));
  if (!isStored(SECRETS.chat))
    return ['The profile can’t be searched: what a chat holds is not found in it.'];
  return NEVER_STORED.filter((name) => isStored(SECRETS[name])).map((name) => `${name} in the profile`);
}
