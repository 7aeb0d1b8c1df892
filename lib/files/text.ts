import { Unreadable } from '../unreadable.ts';
import { encodingByMark, type FileContent } from './kind.ts';

/** Of one file's text. No model reads more. */
export const MOST_CHARACTERS = 1_000_000;

/** Text, code, data: as it stands in the file. */
export async function readText(file: File): Promise<FileContent> {
  const text = decoded(new Uint8Array(await file.arrayBuffer()));
  return { text: requireLength(text), mimeType: textTypeOf(file.name) };
}

/** Line ends as `\n`. */
function decoded(bytes: Uint8Array): string {
  const encoding = encodingByMark(bytes) ?? 'utf-8';
  try {
    return unified(new TextDecoder(encoding, { fatal: encoding === 'utf-8' }).decode(bytes));
  } catch {
    return unified(new TextDecoder('windows-1252').decode(bytes)); // not UTF-8: what most other files are written in
  }
}

const unified = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

/** @throws Unreadable for a text that says nothing, or is too long */
export function requireLength(text: string): string {
  if (text.trim() === '') throw new Unreadable({ why: 'empty' });
  if (text.length > MOST_CHARACTERS)
    throw new Unreadable({ why: 'tooLong', length: text.length, most: MOST_CHARACTERS });
  return text;
}

const types: Record<string, string> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  md: 'text/markdown',
  markdown: 'text/markdown',
  html: 'text/html',
  htm: 'text/html',
  xml: 'application/xml',
  svg: 'application/xml',
};

/** By the name alone: systems call TypeScript a video. */
function textTypeOf(name: string): string {
  const ending = name.split('.').at(-1)?.toLowerCase() ?? '';
  return Object.hasOwn(types, ending) ? (types[ending] ?? 'text/plain') : 'text/plain';
}
