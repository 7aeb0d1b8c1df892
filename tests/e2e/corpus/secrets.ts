import type { Dirent } from 'node:fs';
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

/** Nothing of these may be in the profile, but in a form that only Portside reads. */
const NEVER_CLEAR: Secret[] = ['key', 'otherKey', 'header', 'env'];
/** The browser keeps pages; Portside keeps none that nobody had it read. */
const NEVER_STORED: Secret[] = [...NEVER_CLEAR, 'tab'];

/** All but those that belong there. */
export const allBut = (...own: Secret[]): Secret[] =>
  (Object.keys(SECRETS) as Secret[]).filter((name) => !own.includes(name));

/** What is in a text that must not be. */
export const secretsIn = (where: string, text: string, forbidden: Secret[]): string[] =>
  forbidden.filter((name) => text.includes(SECRETS[name])).map((name) => `${name} in ${where}`);

/**
 * What is in a browser's profile, as it is on the disk, and must not be. When what Portside stored for sure is not found,
 * nothing would be, and that is said.
 */
export async function secretsInProfile(profile: string): Promise<string[]> {
  const files = (await readdir(profile, { recursive: true, withFileTypes: true })).filter((file) =>
    file.isFile(),
  );
  const isOwn = ({ parentPath }: (typeof files)[number]): boolean => parentPath.includes('chrome-extension_');
  const all = await stored(files);
  const own = await stored(files.filter(isOwn));
  if (!own('chat')) return ['The profile can’t be searched: what a chat holds is not found in it.'];
  const found = [...NEVER_CLEAR.filter(all), ...NEVER_STORED.filter(own)];
  return [...new Set(found)].map((name) => `${name} in the profile`);
}

/** @returns whether one of the files holds a secret */
async function stored(files: Dirent[]): Promise<(name: Secret) => boolean> {
  // The browser goes on, and may have removed one by now.
  const read = ({ parentPath, name }: Dirent) =>
    readFile(join(parentPath, name)).catch(() => Buffer.alloc(0));
  const contents = await Promise.all(files.map(read));
  return (name) => {
    const forms = [Buffer.from(SECRETS[name]), Buffer.from(SECRETS[name], 'utf16le')];
    return contents.some((bytes) => forms.some((form) => bytes.includes(form)));
  };
}
